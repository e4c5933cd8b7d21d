#include "nnopbase/definition.h"

#include <algorithm>
#include <cctype>

#include "nnopbase/status.h"

namespace toprope::operators {
namespace {

using Declared = ops::OpParamDef::Declared;

bool upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

struct TypeRow {
  ge::DataType type;
  const char* name;
  const char* in_kernels;
  size_t size;
};
constexpr TypeRow type_rows[] = {
    {ge::DT_FLOAT, "DT_FLOAT", "float", 4},      {ge::DT_FLOAT16, "DT_FLOAT16", "half", 2},
    {ge::DT_BF16, "DT_BF16", "bfloat16_t", 2},   {ge::DT_INT8, "DT_INT8", "int8_t", 1},
    {ge::DT_INT16, "DT_INT16", "int16_t", 2},    {ge::DT_INT32, "DT_INT32", "int32_t", 4},
    {ge::DT_INT64, "DT_INT64", "int64_t", 8},    {ge::DT_UINT8, "DT_UINT8", "uint8_t", 1},
    {ge::DT_UINT16, "DT_UINT16", "uint16_t", 2}, {ge::DT_UINT32, "DT_UINT32", "uint32_t", 4},
    {ge::DT_UINT64, "DT_UINT64", "uint64_t", 8}, {ge::DT_BOOL, "DT_BOOL", "bool", 1},
    {ge::DT_DOUBLE, "DT_DOUBLE", "double", 8},   {ge::DT_INT4, "DT_INT4", "AscendC::int4b_t", 0},
    {ge::DT_COMPLEX64, "DT_COMPLEX64", "", 8},   {ge::DT_COMPLEX128, "DT_COMPLEX128", "", 16},
};

struct FormatRow {
  ge::Format format;
  const char* name;
};
constexpr FormatRow format_rows[] = {
    {ge::FORMAT_NCHW, "FORMAT_NCHW"},
    {ge::FORMAT_NHWC, "FORMAT_NHWC"},
    {ge::FORMAT_ND, "FORMAT_ND"},
    {ge::FORMAT_NC1HWC0, "FORMAT_NC1HWC0"},
    {ge::FORMAT_FRACTAL_Z, "FORMAT_FRACTAL_Z"},
    {ge::FORMAT_NC1HWC0_C04, "FORMAT_NC1HWC0_C04"},
    {ge::FORMAT_HWCN, "FORMAT_HWCN"},
    {ge::FORMAT_NDHWC, "FORMAT_NDHWC"},
    {ge::FORMAT_FRACTAL_NZ, "FORMAT_FRACTAL_NZ"},
    {ge::FORMAT_NCDHW, "FORMAT_NCDHW"},
    {ge::FORMAT_NDC1HWC0, "FORMAT_NDC1HWC0"},
    {ge::FORMAT_FRACTAL_Z_3D, "FORMAT_FRACTAL_Z_3D"},
    {ge::FORMAT_NC, "FORMAT_NC"},
    {ge::FORMAT_NCL, "FORMAT_NCL"},
};

std::vector<Declared> with_configuration(const ops::OpParamList& general, const ops::OpParamList* special) {
  std::vector<Declared> all;
  for (const ops::OpParamDef& param : general.all()) all.push_back(param.declared());
  for (const ops::OpParamDef& param : special ? special->all() : std::list<ops::OpParamDef>{}) {
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const Declared& d) { return d.name == param.declared().name; });
    if (same == all.end())
      all.push_back(param.declared());
    else
      *same = param.declared();
  }
  return all;
}

const ops::OpAICoreConfig* configuration(const ops::OpDef& def, const std::string& unit) {
  const auto found = def.aicore().configs().find(unit);
  return found == def.aicore().configs().end() ? nullptr : &found->second;
}

/// One property (types or formats) of every operand, spread over the combinations.
template <class T>
class Spread {
 public:
  struct Operand {
    std::string name, follows;
    std::vector<T> values;
    bool list;
  };

  Spread(const char* what, const std::string& op) : what_(what), op_(op) {}

  void add(Operand operand) { operands_.push_back(std::move(operand)); }

  /// Rows of the operands that go together; 0 when every one is free or follows.
  size_t rows() const {
    size_t rows = 0;
    for (const Operand& o : operands_) {
      if (o.list || !o.follows.empty()) continue;
      if (rows != 0 && o.values.size() != rows)
        throw Refused(kInner, op_ + ": " + o.name + " declares " + std::to_string(o.values.size()) + " " +
                                  what_ + ", an operand before it " + std::to_string(rows) +
                                  "; the i-th of each go together, so give as many, or use " + what_ +
                                  "List");
      rows = o.values.size();
    }
    return rows;
  }

  /// The values of every operand: of row `row`, and of the `choice`-th product of the free lists.
  std::vector<T> at(size_t row, size_t choice) const {
    std::vector<T> out(operands_.size());
    for (size_t i = 0; i < operands_.size(); ++i) {
      const Operand& o = operands_[i];
      if (!o.follows.empty()) continue;
      if (o.list) {
        out[i] = o.values[choice % o.values.size()];
        choice /= o.values.size();
      } else {
        out[i] = o.values[row];
      }
    }
    for (size_t i = 0; i < operands_.size(); ++i)
      if (!operands_[i].follows.empty()) out[i] = out[source(i)];
    return out;
  }

  size_t choices() const {
    size_t product = 1;
    for (const Operand& o : operands_)
      if (o.list && o.follows.empty()) product *= o.values.size();
    return product;
  }

 private:
  size_t source(size_t i) const {
    for (size_t step = 0; step <= operands_.size(); ++step) {
      if (operands_[i].follows.empty()) return i;
      const auto named = std::find_if(operands_.begin(), operands_.end(),
                                      [&](const Operand& o) { return o.name == operands_[i].follows; });
      if (named == operands_.end())
        throw Refused(kInner, op_ + ": " + operands_[i].name + " follows " + operands_[i].follows +
                                  ", which is no input declared before it");
      i = static_cast<size_t>(named - operands_.begin());
    }
    throw Refused(kInner, op_ + ": the operands follow each other in a circle");
  }

  const char* what_;
  std::string op_;
  std::vector<Operand> operands_;
};

bool follows(const Declared& d, ops::FollowType property) {
  return !d.follow.empty() && (d.follow_type == ops::FollowType::ALL || d.follow_type == property);
}

}  // namespace

std::string snake_case(const std::string& op_type) {
  std::string out;
  for (size_t i = 0; i < op_type.size(); ++i) {
    const char c = op_type[i];
    if (upper(c) && i > 0 && (!upper(op_type[i - 1]) || (i + 1 < op_type.size() && lower(op_type[i + 1]))) &&
        op_type[i - 1] != '_')
      out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::vector<Declared> inputs_of(const ops::OpDef& def, const std::string& unit) {
  const ops::OpAICoreConfig* config = configuration(def, unit);
  return with_configuration(def.inputs(), config ? &config->inputs() : nullptr);
}

std::vector<Declared> outputs_of(const ops::OpDef& def, const std::string& unit) {
  const ops::OpAICoreConfig* config = configuration(def, unit);
  return with_configuration(def.outputs(), config ? &config->outputs() : nullptr);
}

std::vector<Combination> combinations(const ops::OpDef& def, const std::string& unit) {
  const std::vector<Declared> inputs = inputs_of(def, unit), outputs = outputs_of(def, unit);
  Spread<ge::DataType> types("DataType", def.type());
  Spread<ge::Format> formats("Format", def.type());
  size_t longest = 1;
  for (const auto* side : {&inputs, &outputs})
    for (const Declared& d : *side)
      if (!d.type_list) longest = std::max(longest, d.types.size());
  for (const auto* side : {&inputs, &outputs}) {
    for (const Declared& d : *side) {
      const bool follows_type = follows(d, ops::FollowType::DTYPE);
      const bool follows_format = follows(d, ops::FollowType::FORMAT);
      if (d.types.empty() && !follows_type)
        throw Refused(kInner, def.type() + ": " + d.name + " declares no element type; add DataType({...})");
      types.add({d.name, follows_type ? d.follow : "", d.types, d.type_list});
      // A format that is not declared is ND.
      std::vector<ge::Format> given = d.formats;
      if (given.empty()) given.assign(d.format_list ? 1 : longest, ge::FORMAT_ND);
      formats.add({d.name, follows_format ? d.follow : "", given, d.format_list});
    }
  }
  const size_t type_rows = types.rows(), format_rows = formats.rows();
  if (type_rows && format_rows && type_rows != format_rows)
    throw Refused(kInner, def.type() + ": " + std::to_string(type_rows) + " element types and " +
                              std::to_string(format_rows) +
                              " formats are declared; the i-th of each go together, so give as many");
  const size_t rows = std::max<size_t>({type_rows, format_rows, 1});
  std::vector<Combination> all;
  for (size_t row = 0; row < rows; ++row)
    for (size_t t = 0; t < types.choices(); ++t)
      for (size_t f = 0; f < formats.choices(); ++f) {
        const auto chosen_types = types.at(row, t);
        const auto chosen_formats = formats.at(row, f);
        Combination one;
        for (size_t i = 0; i < chosen_types.size(); ++i)
          (i < inputs.size() ? one.inputs : one.outputs).push_back({chosen_types[i], chosen_formats[i]});
        all.push_back(std::move(one));
      }
  return all;
}

std::vector<std::string> units_of(const ops::OpDef& def) {
  std::vector<std::string> units;
  for (const auto& [unit, config] : def.aicore().configs()) units.push_back(unit);
  return units;
}

std::string kernel_type(ge::DataType type) {
  for (const TypeRow& row : type_rows)
    if (row.type == type) return row.in_kernels;
  return "";
}

std::string type_name(ge::DataType type) {
  for (const TypeRow& row : type_rows)
    if (row.type == type) return row.name;
  return "DT_" + std::to_string(static_cast<int>(type));
}

std::string format_name(ge::Format format) {
  for (const FormatRow& row : format_rows)
    if (row.format == format) return row.name;
  return "FORMAT_" + std::to_string(static_cast<int>(format));
}

size_t type_size(ge::DataType type) {
  for (const TypeRow& row : type_rows)
    if (row.type == type) return row.size;
  return 0;
}

}  // namespace toprope::operators
