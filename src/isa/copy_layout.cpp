// DataCopy that the device builds from several moves: multi-dimensional slices, and ND ↔ NZ.
#include <string>

#include "isa/copy_runs.h"
#include "toprope/isa/copy.h"

namespace toprope::isa {
namespace {

constexpr Instruction kIn{"DataCopy", Pipe::MTE2}, kOut{"DataCopy", Pipe::MTE3};
constexpr uint32_t kMostDimensions = 8;

/// The pieces of a dimension, or a fault when start, end, stride and piece do not add up.
uint32_t pieces(Core& core, const Instruction& instruction, const std::string& name, const SliceRange& r,
                uint64_t piece, Site site) {
  if (r.startIndex > r.endIndex || r.endIndex > r.shapeValue)
    refuse(core, instruction.name,
           name + " goes from " + std::to_string(r.startIndex) + " to " + std::to_string(r.endIndex) +
               " of " + std::to_string(r.shapeValue) + " elements",
           "keep startIndex <= endIndex <= shapeValue", site);
  const uint64_t span = uint64_t{r.endIndex} - r.startIndex + 1, step = piece + r.stride;
  if (piece == 0 || (span + r.stride) % step)
    refuse(core, instruction.name,
           name + ": " + std::to_string(span) + " elements do not hold whole pieces of " +
               std::to_string(piece) + " elements with " + std::to_string(r.stride) + " between two",
           "endIndex - startIndex + 1 must be (N - 1) * stride + N * burstLen * 32 / sizeof(T)", site);
  return static_cast<uint32_t>((span + r.stride) / step);
}

void check_path(Core& core, const Instruction& instruction, const Slice& dst, const Slice& src, bool served,
                Site site) {
  if (served) return;
  refuse(core, instruction.name,
         std::string("there is no path from ") + name_of(src.mem) + " to " + name_of(dst.mem),
         "slices go GM to UB and UB to GM, ND to NZ from GM to UB or L1, NZ to ND from UB to GM", site);
}

/// A slice in one of the two memories, its dimensions resolved to bytes.
struct Grid {
  uint32_t count[kMostDimensions];
  uint64_t step[kMostDimensions];
  uint64_t start = 0;

  Grid(Core& core, const Instruction& instruction, const char* operand, const SliceRange* r,
       uint32_t dimensions, uint32_t element, Site site) {
    uint64_t size = element;
    for (uint32_t k = 0; k < dimensions; ++k) {
      const uint64_t piece = k ? 1 : uint64_t{r[0].burstLen} * kBlockBytes / element;
      const std::string name = std::string(operand) + "SliceInfo[" + std::to_string(k) + "]";
      if (k && r[k].burstLen != 1)
        refuse(core, instruction.name, name + ".burstLen is " + std::to_string(r[k].burstLen),
               "burstLen is 1 in every dimension but the first", site);
      count[k] = pieces(core, instruction, name, r[k], piece, site);
      step[k] = (piece + r[k].stride) * size;
      start += r[k].startIndex * size;
      size *= r[k].shapeValue;
    }
  }
};

}  // namespace

void copy_slice(const Slice& dst, const Slice& src, const SliceRange* dst_range, const SliceRange* src_range,
                uint32_t dimensions, uint32_t element) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  const Instruction& instruction = dst.mem == Mem::GM ? kOut : kIn;
  check_path(core, instruction, dst, src,
             (dst.mem == Mem::GM && src.mem == Mem::UB) || (dst.mem == Mem::UB && src.mem == Mem::GM), site);
  check_range(core, instruction, "dimValue", dimensions, 1, kMostDimensions, site);
  const Grid d(core, instruction, "dst", dst_range, dimensions, element, site);
  const Grid s(core, instruction, "src", src_range, dimensions, element, site);
  for (uint32_t k = 0; k < dimensions; ++k)
    if (d.count[k] != s.count[k] || dst_range[k].burstLen != src_range[k].burstLen)
      refuse(core, instruction.name,
             "dimension " + std::to_string(k) + " has " + std::to_string(d.count[k]) +
                 " pieces of burstLen " + std::to_string(dst_range[k].burstLen) + " in dst and " +
                 std::to_string(s.count[k]) + " of burstLen " + std::to_string(src_range[k].burstLen) +
                 " in src",
             "give both the same number of pieces of the same length", site);
  const uint64_t run = uint64_t{dst_range[0].burstLen} * kBlockBytes;
  Runs to{dst, run, d.count[0], 1, d.step[0], 0}, from{src, run, s.count[0], 1, s.step[0], 0};
  uint32_t index[kMostDimensions] = {};
  for (bool more = true; more;) {
    to.slice.at = dst.at + d.start;
    from.slice.at = src.at + s.start;
    for (uint32_t k = 1; k < dimensions; ++k) {
      to.slice.at += index[k] * d.step[k];
      from.slice.at += index[k] * s.step[k];
    }
    // Every piece in UB must start at a multiple of 32 bytes: the row, and with it the steps inside it.
    const uint64_t ragged = dst.mem == Mem::GM ? (s.count[0] > 1 ? s.step[0] % kBlockBytes : 0)
                                               : (d.count[0] > 1 ? d.step[0] % kBlockBytes : 0);
    if (ragged)
      refuse(core, instruction.name,
             "pieces in UB are " + std::to_string(ragged) + " bytes off a multiple of 32",
             "make stride * sizeof(T) of the tensor in UB a multiple of 32 bytes", site);
    check_side(core, instruction, "dst", to.slice, to.reach(), dst.mem == Mem::GM ? 1 : kBlockBytes, site);
    check_side(core, instruction, "src", from.slice, from.reach(), src.mem == Mem::GM ? 1 : kBlockBytes,
               site);
    issue_move(core, instruction, to, from, site);
    more = false;
    for (uint32_t k = 1; k < dimensions && !more; ++k) {
      more = ++index[k] < d.count[k];
      if (!more) index[k] = 0;
    }
  }
}

void copy_nd2nz(const Slice& dst, const Slice& src, const Nd2Nz& m, uint32_t element) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  check_path(core, kIn, dst, src, src.mem == Mem::GM && (dst.mem == Mem::UB || dst.mem == Mem::L1), site);
  check_range(core, kIn, "ndNum", m.matrices, 0, 4095, site);
  check_range(core, kIn, "nValue", m.rows, 0, 16384, site);
  if (m.matrices == 0 || m.rows == 0 || m.columns == 0) return;
  check_range(core, kIn, "srcDValue", m.src_row_stride, 1, 65535, site);
  check_range(core, kIn, "dstNzC0Stride", m.dst_c0_stride, 1, 16384, site);
  check_range(core, kIn, "dstNzNStride", m.dst_n_stride, 1, 16384, site);
  const uint64_t row = uint64_t{m.columns} * element, between = uint64_t{m.dst_matrix_stride} * element;
  if (m.matrices > 1 && (between == 0 || between % kBlockBytes))
    refuse(core, kIn.name,
           "dstNzMatrixStride puts the second matrix " + std::to_string(between) + " bytes after the first",
           "let it be a multiple of 32 bytes, at least 1 element", site);
  const uint32_t columns = static_cast<uint32_t>((row + kBlockBytes - 1) / kBlockBytes);
  for (uint32_t i = 0; i < m.matrices; ++i) {
    Runs d{dst,
           kBlockBytes,
           m.rows,
           columns,
           uint64_t{m.dst_n_stride} * kBlockBytes,
           uint64_t{m.dst_c0_stride} * kBlockBytes};
    Runs s{src, row, m.rows, 1, uint64_t{m.src_row_stride} * element, 0};
    d.slice.at += i * between;
    s.slice.at += i * uint64_t{m.src_matrix_stride} * element;
    check_side(core, kIn, "dst", d.slice, d.reach(), kBlockBytes, site);
    check_side(core, kIn, "src", s.slice, s.reach(), 1, site);
    issue(
        core, kIn, site,
        [&](Footprint& f) {
          f.add(access_of("dst", d, true));
          f.add(access_of("src", s, false));
        },
        [](uint8_t* to, const uint8_t* from, const Runs& d, const Runs& s, uint64_t row) {
          for (uint32_t n = 0; n < s.blocks; ++n, to += d.block_step, from += s.block_step) {
            const uint64_t whole = row / kBlockBytes, rest = row % kBlockBytes;
            for (uint64_t c = 0; c < whole; ++c)
              std::memcpy(to + c * d.repeat_step, from + c * kBlockBytes, kBlockBytes);
            if (rest) {
              std::memcpy(to + whole * d.repeat_step, from + whole * kBlockBytes, rest);
              std::memset(to + whole * d.repeat_step + rest, 0, kBlockBytes - rest);
            }
          }
        },
        host(core, d.slice.mem, d.slice.at), host(core, s.slice.mem, s.slice.at), d, s, row);
  }
}

void copy_nz2nd(const Slice& dst, const Slice& src, const Nz2Nd& m, uint32_t element) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  constexpr uint32_t kWidth = 16;  // elements of a column block, whatever their size
  check_path(core, kOut, dst, src, dst.mem == Mem::GM && src.mem == Mem::UB, site);
  check_range(core, kOut, "ndNum", m.matrices, 0, 4095, site);
  if (m.matrices == 0) return;
  check_range(core, kOut, "nValue", m.rows, 1, 8192, site);
  check_range(core, kOut, "dValue", m.columns, 1, 8192, site);
  check_range(core, kOut, "srcNdMatrixStride", m.src_matrix_stride, 1, 512, site);
  check_range(core, kOut, "srcNStride", m.src_n_stride, 0, 4096, site);
  check_range(core, kOut, "dstDStride", m.dst_row_stride, 1, 65535, site);
  check_range(core, kOut, "dstNdMatrixStride", m.dst_matrix_stride, 1, 65535, site);
  if (m.columns % kWidth)
    refuse(core, kOut.name, "dValue is " + std::to_string(m.columns) + ", which is no multiple of 16",
           "NZ holds columns in blocks of 16: round dValue up and pad", site);
  const uint64_t run = kWidth * element;
  for (uint32_t i = 0; i < m.matrices; ++i) {
    Runs s{src, run, m.rows, m.columns / kWidth, run, uint64_t{m.src_n_stride} * run};
    Runs d{dst, run, m.rows, m.columns / kWidth, uint64_t{m.dst_row_stride} * element, run};
    s.slice.at += i * uint64_t{m.src_matrix_stride} * kWidth * run;
    d.slice.at += i * uint64_t{m.dst_matrix_stride} * element;
    check_side(core, kOut, "dst", d.slice, d.reach(), 1, site);
    check_side(core, kOut, "src", s.slice, s.reach(), kBlockBytes, site);
    issue_move(core, kOut, d, s, site);
  }
}

}  // namespace toprope::isa
