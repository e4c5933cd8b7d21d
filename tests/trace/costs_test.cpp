#include "trace/costs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "trace/work.h"

namespace {

using namespace toprope;
using namespace toprope::trace;

TEST(Costs, EveryFigureIsFoundByItsNameAndNamesItsSource) {
  for (const Figure& f : figures()) {
    EXPECT_EQ(figure(f.name), f.value) << f.name;
    EXPECT_GT(std::string(f.source).size(), 10u) << f.name;
  }
  EXPECT_THROW(figure("no.such.figure"), std::logic_error);
  EXPECT_EQ(figure_or("no.such.figure", 3), 3);
}

TEST(Costs, RowsWithoutFiguresOfTheirOwnFallBackToTheLastRow) {
  EXPECT_EQ(vector_cost("Add").rate32, 64);
  EXPECT_EQ(vector_cost("NoSuchInstruction").name, std::string("*"));
}

Access consecutive(const char* operand, Mem mem, uint64_t at, uint32_t bytes, uint8_t width = 0) {
  Access a;
  a.operand = operand;
  a.slice = {at, at, at + bytes, mem};
  a.run = bytes;
  a.width = width;
  a.write = operand[0] == 'd';
  return a;
}

Cycles vector(const char* name, uint32_t elements, uint8_t to, uint8_t from) {
  const Instruction instruction{name, Pipe::V};
  const Access operands[] = {consecutive("dst", Mem::UB, 0x10000, elements * to, to),
                             consecutive("src", Mem::UB, 0, elements * from, from)};
  return Coster(instruction).work(operands).busy;
}

// asc-devkit, theoretical performance of vector instructions, with the published heads and tails.
TEST(Costs, VectorInstructions) {
  EXPECT_EQ(vector("Abs", 1024, 2, 2), 13 + 1024 / 128 + 16);
  EXPECT_EQ(vector("Abs", 1024, 4, 4), 13 + 1024 / 64 + 16);
  EXPECT_EQ(vector("Exp", 1024, 2, 2), 13 + 1024 / 32 + 18);
  EXPECT_EQ(vector("Exp", 1024, 4, 4), 13 + 1024 / 32 + 18);
  EXPECT_EQ(vector("Cast", 1024, 4, 2), 14 + 1024 / 64 + 18);  // the wider type sets the pace
  EXPECT_EQ(vector("Abs", 1, 4, 4), 13 + 1 + 16);              // a part of a repeat takes a whole one
}

TEST(Costs, CopiesAreSlowerOffTheBlocksOfGm) {
  const Instruction in{"DataCopy", Pipe::MTE2};
  const auto cost = [&](uint64_t at, uint32_t bytes) {
    const Access operands[] = {consecutive("dst", Mem::UB, 0, bytes), consecutive("src", Mem::GM, at, bytes)};
    return Coster(in).work(operands);
  };
  const Work aligned = cost(1 << 20, 32768);
  EXPECT_EQ(aligned.busy, 32768 / 32.0);
  EXPECT_EQ(aligned.late, 200);
  EXPECT_FALSE(aligned.small || aligned.unaligned);
  EXPECT_TRUE(cost((1 << 20) + 256, 32768).unaligned);
  EXPECT_DOUBLE_EQ(cost((1 << 20) + 2, 32768).busy, aligned.busy * 1.278);
  EXPECT_TRUE(cost(1 << 20, 8192).small);
}

// asc-devkit, theoretical performance of cube instructions: half 128 x 64 x 256 is 8 * 4 * 16 fractal
// products.
TEST(Costs, Mmad) {
  const Instruction mmad{"Mmad", Pipe::M};
  const auto cost = [&](uint32_t m, uint32_t n, uint32_t k, uint8_t width) {
    const Access operands[] = {consecutive("dst", Mem::L0C, 0, m * n * 4, 4),
                               consecutive("fm", Mem::L0A, 0, m * k * width, width),
                               consecutive("filter", Mem::L0B, 0, k * n * width, width)};
    return Coster(mmad).work(operands);
  };
  EXPECT_DOUBLE_EQ(cost(128, 64, 256, 2).busy, 6 + 8 * 4 * 16);
  EXPECT_DOUBLE_EQ(cost(128, 64, 256, 1).busy, 6 + 8 * 4 * 8);
  EXPECT_DOUBLE_EQ(cost(128, 64, 256, 4).busy, 6 + 8 * 4 * 32 * 2);
  EXPECT_EQ(cost(128, 64, 256, 2).operations, 2u * 128 * 64 * 256);
}

}  // namespace
