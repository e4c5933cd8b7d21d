// The device's side of a planned call: what the kernel reads besides its operands is brought to device
// memory, and freed in the stream's order behind the kernel.
#include <cstring>
#include <memory>

#include "nnopbase/call.h"
#include "nnopbase/status.h"
#include "runtime/error.h"
#include "runtime/stream.h"
#include "toprope/driver/entries.h"
#include "toprope/types/half.h"

namespace toprope::operators {
namespace {

void must(aclError error) {
  if (error) throw Refused(error, recent_message());
}

/// Memory of one call.
class DeviceBlocks {
 public:
  DeviceBlocks() = default;
  DeviceBlocks(const DeviceBlocks&) = delete;
  DeviceBlocks& operator=(const DeviceBlocks&) = delete;
  ~DeviceBlocks() {
    for (void* block : blocks_) aclrtFree(block);
  }

  void* upload(const void* from, size_t size) {
    void* block = nullptr;
    must(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST));
    blocks_.push_back(block);
    must(aclrtMemcpy(block, size, from, size, ACL_MEMCPY_HOST_TO_DEVICE));
    return block;
  }

 private:
  std::vector<void*> blocks_;
};

void* address_of(const GivenTensor& t, DeviceBlocks& blocks) {
  return t.host && !t.host->empty() ? blocks.upload(t.host->data(), t.host->size()) : t.device;
}

// The form that ListTensorDesc reads: the offset of the addresses, each tensor's dimensions, the addresses.
void* list_of(const GivenOperand& operand, DeviceBlocks& blocks) {
  std::vector<uint64_t> words{0};
  for (size_t i = 0; i < operand.tensors.size(); ++i) {
    const gert::Shape& shape = operand.tensors[i].tensor.GetStorageShape();
    words.push_back(shape.GetDimNum() | (uint64_t{i} << 32));
    for (size_t d = 0; d < shape.GetDimNum(); ++d) words.push_back(static_cast<uint64_t>(shape.GetDim(d)));
  }
  words[0] = words.size() * sizeof(uint64_t);
  for (const GivenTensor& t : operand.tensors)
    words.push_back(reinterpret_cast<uint64_t>(address_of(t, blocks)));
  return blocks.upload(words.data(), words.size() * sizeof(uint64_t));
}

/// The value as one element of the type; the declaration's own type only says how it was written.
std::vector<char> element(const ops::ScalarVar& value, ge::DataType type) {
  const bool real =
      value.scalar_type == ops::ScalarType::FLOAT32 || value.scalar_type == ops::ScalarType::FLOAT16;
  const float number = real ? value.scalar_num.value_f32 : static_cast<float>(value.scalar_num.value_i64);
  std::vector<char> bytes(type_size(type));
  const auto put = [&](const auto& v) { std::memcpy(bytes.data(), &v, sizeof v); };
  if (type == ge::DT_FLOAT) {
    put(number);
  } else if (type == ge::DT_FLOAT16) {
    put(half_from_float(number));
  } else {
    const int64_t whole = real ? static_cast<int64_t>(number) : value.scalar_num.value_i64;
    std::memcpy(bytes.data(), &whole, bytes.size());
  }
  return bytes;
}

/// InitValue: what the output holds before the kernel.
void fill_first(const ops::OpParamDef::Declared& declared, const GivenTensor& t, aclrtStream stream,
                std::vector<std::shared_ptr<std::vector<char>>>& kept) {
  const ge::DataType type = t.tensor.GetDataType();
  const size_t size = static_cast<size_t>(t.tensor.GetShapeSize()) * type_size(type);
  if (size == 0) return;
  if (declared.zero_first) {
    must(aclrtMemsetAsync(t.device, size, 0, size, stream));
    return;
  }
  // One value for every declared type, or one for all.
  const auto& values = declared.first_values;
  size_t row = 0;
  if (values.size() > 1)
    while (row < declared.types.size() && declared.types[row] != type) ++row;
  if (row >= values.size())
    throw Refused(kInner, declared.name + ": InitValue has no value for " + type_name(type));
  const std::vector<char> one = element(values[row], type);
  auto pattern = std::make_shared<std::vector<char>>();
  while (pattern->size() < size) pattern->insert(pattern->end(), one.begin(), one.end());
  must(aclrtMemcpyAsync(t.device, size, pattern->data(), size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  kept.push_back(std::move(pattern));
}

}  // namespace

aclnnStatus launch(const PlannedCall& planned, void* workspace, aclrtStream stream) {
  aclError error = ACL_SUCCESS;
  Stream* on = find_stream(planned.api.c_str(), stream, error);
  if (!on) return error;
  auto blocks = std::make_shared<DeviceBlocks>();
  std::vector<std::shared_ptr<std::vector<char>>> kept;

  std::vector<void*> addresses;
  for (const auto* side : {&planned.inputs, &planned.outputs})
    for (const GivenOperand& operand : *side)
      addresses.push_back(operand.list              ? list_of(operand, *blocks)
                          : operand.tensors.empty() ? nullptr
                                                    : address_of(operand.tensors[0], *blocks));
  addresses.push_back(workspace);
  addresses.push_back(planned.tiling.empty() ? nullptr
                                             : blocks->upload(planned.tiling.data(), planned.tiling.size()));
  if (planned.fill_outputs)
    for (size_t i = 0; i < planned.outputs.size(); ++i)
      if (planned.output_defs[i].zero_first || !planned.output_defs[i].first_values.empty())
        for (const GivenTensor& t : planned.outputs[i].tensors)
          fill_first(planned.output_defs[i], t, stream, kept);

  // The kernel takes the addresses and, behind them, the tiling key.
  const auto* entry = static_cast<const KernelEntry*>(planned.kernel);
  if (entry->parameters != addresses.size() + 1)
    throw Refused(kFindKernel, "kernel " + planned.function + " takes " +
                                   std::to_string(entry->parameters - 1) +
                                   " parameters; the definition gives it " +
                                   std::to_string(addresses.size()) + ": inputs, outputs, workspace, tiling");
  uint64_t key = planned.key;
  std::vector<void*> arguments;
  for (void*& address : addresses) arguments.push_back(&address);
  arguments.push_back(&key);
  must(aclrtLaunchKernelWithArgsArray(planned.kernel, planned.blocks, stream, nullptr, arguments.data()));
  if (on->immediate()) return kSuccess;
  must(on->submit(planned.api.c_str(), Task{"operator's memory", [blocks, kept](Stream&) {}, true}));
  return kSuccess;
}

}  // namespace toprope::operators
