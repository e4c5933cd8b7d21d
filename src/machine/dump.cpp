// The elements of a tensor as text or bytes.
#include <cstdio>
#include <cstring>
#include <string>

#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/output.h"
#include "toprope/machine/print.h"

namespace toprope {
namespace {

const char* type_name(DType type) {
  constexpr const char* names[kDTypes] = {"float16", "float32", "bfloat16", "int8",  "uint8",  "int16",
                                          "uint16",  "int32",   "uint32",   "int64", "uint64", "int4"};
  return names[static_cast<int>(type)];
}

template <class T>
T load(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::string element(DType type, const uint8_t* at) {
  switch (type) {
    case DType::Half:
      return std::to_string(static_cast<float>(load<half>(at)));
    case DType::BFloat16:
      return std::to_string(static_cast<float>(load<bfloat16>(at)));
    case DType::Float:
      return std::to_string(load<float>(at));
    case DType::Int8:
      return std::to_string(load<int8_t>(at));
    case DType::UInt8:
    case DType::Int4:
      return std::to_string(load<uint8_t>(at));
    case DType::Int16:
      return std::to_string(load<int16_t>(at));
    case DType::UInt16:
      return std::to_string(load<uint16_t>(at));
    case DType::Int32:
      return std::to_string(load<int32_t>(at));
    case DType::UInt32:
      return std::to_string(load<uint32_t>(at));
    case DType::Int64:
      return std::to_string(load<int64_t>(at));
    case DType::UInt64:
      return std::to_string(load<uint64_t>(at));
  }
  return {};
}

struct Elements {
  const uint8_t* data;
  DType type;
  uint64_t count;
  std::string operator[](uint64_t i) const {
    return i < count ? element(type, data + i * size_of(type)) : "-";
  }
};

/// "[[a,b],\n[c,d]]": the innermost dimension is a line.
void nested(std::string& text, const Elements& e, const uint32_t* shape, uint32_t dimensions,
            uint64_t& next) {
  text += '[';
  for (uint32_t i = 0; i < shape[0]; ++i) {
    if (i) text += dimensions > 1 ? ",\n" : ",";
    if (dimensions > 1)
      nested(text, e, shape + 1, dimensions - 1, next);
    else
      text += e[next++];
  }
  text += ']';
}

std::string shaped(const Elements& e, const uint32_t* shape, uint32_t dimensions) {
  uint64_t size = 1;
  std::string dims;
  for (uint32_t i = 0; i < dimensions; ++i) {
    size *= shape[i];
    dims += (i ? ", " : "") + std::to_string(shape[i]);
  }
  std::string text;
  if (size != e.count)
    text = "shape is [" + dims + "], dumpSize is " + std::to_string(e.count) +
           (size < e.count ? ", dumpSize is greater than shapeSize.\n" : ", data is not enough.\n");
  uint64_t next = 0;
  nested(text, e, shape, dimensions, next);
  return text;
}

/// Faults when the elements do not lie inside the tensor; nothing to print when there are too many for one
/// call.
bool printable(Core& c, const char* call, const Slice& tensor, DType type, uint64_t elements, Site site) {
  const uint64_t bytes = elements * size_of(type);
  if (tensor.at == 0 && tensor.mem == Mem::GM)
    refuse(c, call, "the tensor has no address", "call SetGlobalBuffer", site);
  if (tensor.mem != Mem::GM && tensor.end == 0)
    refuse(c, call, "the tensor was never allocated", "allocate it", site);
  if (tensor.end != 0 && tensor.at + bytes > tensor.end)
    refuse(c, call,
           std::to_string(elements) + " elements are " + std::to_string(tensor.at + bytes - tensor.end) +
               " bytes more than the tensor has",
           "dump at most the tensor's size", site);
  if (bytes <= print_limit()) return true;
  std::fprintf(stderr, "toprope: warning: %s%s of %llu bytes is not printed: a call is limited to %llu KB\n",
               core_prefix().c_str(), call, static_cast<unsigned long long>(bytes),
               static_cast<unsigned long long>(print_limit() / 1024));
  return false;
}

std::string header(Core& c, const Slice& tensor, DType type, uint64_t elements, uint32_t desc) {
  char line[160];
  std::snprintf(
      line, sizeof line, "%sDumpTensor: desc=%u, addr=0x%llx, data_type=%s, position=%s, dump_size=%llu\n",
      core_prefix().c_str(), desc, static_cast<unsigned long long>(tensor.at), type_name(type),
      tensor.mem == Mem::GM ? "GM" : name_of(tensor.mem), static_cast<unsigned long long>(elements));
  (void)c;
  return line;
}

}  // namespace

void dump(const Slice& tensor, DType type, uint64_t elements, uint32_t desc, const uint32_t* shape,
          uint32_t dimensions) {
  Core& c = core();
  if (!printable(c, "DumpTensor", tensor, type, elements, __builtin_return_address(0))) return;
  std::string text = header(c, tensor, type, elements, desc);
  const Elements e{host(c, tensor.mem, tensor.at), type, elements};
  if (shape && dimensions) {
    text += shaped(e, shape, dimensions);
  } else {
    text += '[';
    for (uint64_t i = 0; i < elements; ++i) text += (i ? ", " : "") + e[i];
    text += ']';
  }
  write_text(text + "\n");
}

void dump(const void* data, DType type, uint64_t elements, uint32_t desc) {
  Core& c = core();
  const auto* at = static_cast<const uint8_t*>(data);
  Slice slice{reinterpret_cast<uintptr_t>(at), 0, 0, Mem::GM};
  for (int m = 1; m < kMems; ++m)
    if (c.base[m] && at >= c.base[m] && at < c.base[m] + c.capacity[m])
      slice = {static_cast<uint64_t>(at - c.base[m]), 0, c.capacity[m], static_cast<Mem>(m)};
  dump(slice, type, elements, desc, nullptr, 0);
}

void print_rows(const Slice& tensor, DType type, uint64_t elements) {
  Core& c = core();
  if (!printable(c, "LocalTensor::Print", tensor, type, elements, __builtin_return_address(0))) return;
  const Elements e{host(c, tensor.mem, tensor.at), type, elements};
  const uint64_t row = 32 / size_of(type);
  std::string text;
  for (uint64_t i = 0; i < elements; i += row) {
    char number[24];
    std::snprintf(number, sizeof number, "%04llu:", static_cast<unsigned long long>(i));
    text += number;
    for (uint64_t k = i; k < i + row && k < elements; ++k) text += " " + e[k];
    text += '\n';
  }
  write_text(text);
}

int32_t write_to_file(const Slice& tensor, uint64_t bytes, const char* path) {
  Core& c = core();
  if (tensor.end == 0 || tensor.at + bytes > tensor.end)
    refuse(c, "LocalTensor::ToFile", std::to_string(bytes) + " bytes do not lie inside the tensor",
           "the tensor's size must fit its memory", __builtin_return_address(0));
  std::FILE* file = std::fopen(path, "wb");
  if (!file) return -1;
  const bool written = std::fwrite(host(c, tensor.mem, tensor.at), 1, bytes, file) == bytes;
  return std::fclose(file) == 0 && written ? 0 : -1;
}

}  // namespace toprope
