// Operators by name: what torch_npu calls for the few things that it does without the aclnn interface, and in
// place of an aclnn operator that the library does not have. The library installs itself as libascendcl's
// executor when loaded.
#include <ATen/ATen.h>

#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "opapi/formats.h"
#include "opapi/number.h"
#include "opapi/status.h"
#include "opapi/tensors.h"
#include "runtime/operator.h"

namespace toprope::opapi {
namespace {

using at::Tensor;

// The operands of one call, copied: the caller's descriptions may go before the stream comes to the work.
struct Operands {
  std::vector<aclTensor> inputs, outputs;
  std::map<std::string, AttrValue> attributes;

  Tensor in(size_t i) const { return tensor_over(inputs.at(i)); }

  std::vector<int64_t> numbers(size_t i) const {
    const Tensor values = in(i).to(at::kLong).contiguous();
    return {values.const_data_ptr<int64_t>(), values.const_data_ptr<int64_t>() + values.numel()};
  }

  int64_t integer(const char* name) const { return std::get<int64_t>(attributes.at(name)); }

  void out(const Tensor& result, size_t i = 0) const {
    const aclTensor& output = outputs.at(i);
    Tensor over = tensor_over(output);
    over.copy_(result.sizes() != over.sizes() && result.numel() == over.numel() ? result.reshape(over.sizes())
                                                                                : result);
    if (needs_write_back(output)) write_formatted(output, over);
  }
};

aclTensor described(const aclTensorDesc& desc, void* data) {
  aclTensor tensor;
  tensor.shape = desc.origin_shape.empty() ? desc.shape : desc.origin_shape;
  tensor.format = desc.storage_format == ACL_FORMAT_UNDEFINED ? desc.format : desc.storage_format;
  tensor.storage = desc.storage_shape.empty() ? tensor.shape : desc.storage_shape;
  tensor.strides.assign(tensor.shape.size(), 1);
  for (size_t i = tensor.shape.size(); i-- > 1;) tensor.strides[i - 1] = tensor.strides[i] * tensor.shape[i];
  tensor.offset = 0;
  tensor.type = desc.type;
  tensor.data = data;
  return tensor;
}

// Memory to memory, both formats as described; the tensor is the same.
void change_format(const Operands& o) {
  const aclTensor& from = o.inputs.at(0);
  const aclTensor& to = o.outputs.at(0);
  const auto from_layout = layout_of(from.format, from.shape, from.storage);
  const auto to_layout = layout_of(to.format, from.shape, to.storage);
  const auto type = scalar_type(from.type);
  TORCH_CHECK(from_layout && to_layout && type, "no conversion of ", at::IntArrayRef(from.shape), " from ",
              format_name(from.format), " ", at::IntArrayRef(from.storage), " to ", format_name(to.format),
              " ", at::IntArrayRef(to.storage), " for the type ", type_name(from.type));
  convert(from.data, *from_layout, to.data, *to_layout, static_cast<int64_t>(c10::elementSize(*type)));
}

// View of the memory behind an input: sizes, strides and an offset in further inputs.
Tensor strided(const Operands& o, size_t first) {
  return o.in(first).as_strided(o.numbers(first + 1), o.numbers(first + 2), o.numbers(first + 3).at(0));
}

const std::map<std::string, std::function<void(const Operands&)>>& operators() {
  static const std::map<std::string, std::function<void(const Operands&)>> known{
      {"Identity", change_format},
      {"TransData", change_format},
      {"Cast", [](const Operands& o) { o.out(o.in(0)); }},
      {"Transpose", [](const Operands& o) { o.out(o.in(0).permute(o.numbers(1))); }},
      {"BroadcastTo", [](const Operands& o) { o.out(o.in(0).expand(o.numbers(1))); }},
      {"Reshape", [](const Operands& o) { o.out(o.in(0)); }},
      {"Fill", [](const Operands& o) { o.out(o.in(1).reshape({}).expand(o.outputs.at(0).shape)); }},
      {"Fills",
       [](const Operands& o) {
         o.out(at::full(o.outputs.at(0).shape, std::get<float>(o.attributes.at("value"))));
       }},
      {"ZerosLike", [](const Operands& o) { o.out(at::zeros_like(o.in(0))); }},
      {"ConcatD",
       [](const Operands& o) {
         std::vector<Tensor> parts;
         for (size_t i = 0; i < o.inputs.size(); ++i) parts.push_back(o.in(i));
         o.out(at::cat(parts, o.integer("concat_dim")));
       }},
      {"Slice",
       [](const Operands& o) {
         const auto from = o.numbers(1), size = o.numbers(2);
         Tensor part = o.in(0);
         for (size_t d = 0; d < from.size(); ++d) {
           part =
               part.narrow(static_cast<int64_t>(d), from[d], size[d] < 0 ? part.size(d) - from[d] : size[d]);
         }
         o.out(part);
       }},
      {"AsStrided", [](const Operands& o) { o.out(strided(o, 0)); }},
      {"ViewCopy",
       [](const Operands& o) {
         // The output is the first input: only the view of it is written.
         strided(o, 0).copy_(strided(o, 4));
       }},
  };
  return known;
}

std::string listing(const char* kind, int count, const auto* descs) {
  std::ostringstream text;
  for (int i = 0; i < count; ++i) {
    text << (i == 0 ? kind : ", ") << (descs[i]->name.empty() ? "" : descs[i]->name + " ")
         << type_name(descs[i]->type) << at::IntArrayRef(descs[i]->shape);
  }
  return text.str();
}

aclError execute(const char* type, int input_count, const aclTensorDesc* const* input_descs,
                 const aclDataBuffer* const* inputs, int output_count, aclTensorDesc* const* output_descs,
                 aclDataBuffer* const* outputs, const aclopAttr* attr, aclrtStream stream) {
  return guarded_call(type, [&]() -> int {
    const auto found = operators().find(type);
    if (found == operators().end()) {
      std::string text = "Toprope does not know this operator";
      text += listing("; inputs: ", input_count, input_descs) +
              listing("; outputs: ", output_count, output_descs);
      if (attr != nullptr && !attr->values.empty()) {
        text += "; attributes:";
        for (const auto& [name, value] : attr->values) text += " " + name;
      }
      text +=
          ". torch_npu asks by name where the operator library lacks the aclnn operator: put a row into "
          "src/opapi/operators/*.ops, or a case into src/opapi/aclop.cpp";
      return refuse(ACL_ERROR_OP_NOT_FOUND, type, text);
    }
    auto operands = std::make_shared<Operands>();
    for (int i = 0; i < input_count; ++i)
      operands->inputs.push_back(described(*input_descs[i], inputs[i]->data));
    for (int i = 0; i < output_count; ++i)
      operands->outputs.push_back(described(*output_descs[i], outputs[i]->data));
    if (attr != nullptr) operands->attributes = attr->values;
    return in_stream_order(found->first.c_str(), stream,
                           [operands, run = &found->second] { (*run)(*operands); });
  });
}

[[maybe_unused]] const auto previous = toprope_set_aclop_hook(&execute);

}  // namespace
}  // namespace toprope::opapi
