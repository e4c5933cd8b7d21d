#include "base/memory_registry.h"

#include <gtest/gtest.h>

namespace toprope {
namespace {

MemoryBlock block(uintptr_t base, size_t size, MemoryKind kind = MemoryKind::Device) {
  MemoryBlock b;
  b.base = base;
  b.size = size;
  b.kind = kind;
  b.device = 1;
  return b;
}

TEST(MemoryRegistry, FindsByAnyAddressInside) {
  MemoryRegistry registry;
  registry.add(block(0x1000, 0x100));
  registry.add(block(0x2000, 0x10, MemoryKind::Host));
  EXPECT_FALSE(registry.find(0xfff));
  EXPECT_EQ(registry.find(0x1000)->base, 0x1000u);
  EXPECT_EQ(registry.find(0x10ff)->base, 0x1000u);
  EXPECT_FALSE(registry.find(0x1100));
  EXPECT_EQ(registry.find(0x200f)->kind, MemoryKind::Host);
  EXPECT_FALSE(registry.find(0x2010));
}

TEST(MemoryRegistry, RemembersWhatWasRemoved) {
  MemoryRegistry registry;
  registry.add(block(0x1000, 0x100));
  EXPECT_FALSE(registry.remove(0x1001)) << "an address inside is not a base";
  EXPECT_EQ(registry.remove(0x1000)->size, 0x100u);
  EXPECT_FALSE(registry.remove(0x1000));
  EXPECT_FALSE(registry.find(0x1000));
  EXPECT_EQ(registry.removed(0x1050)->base, 0x1000u);
  EXPECT_FALSE(registry.removed(0x1100));
}

TEST(MemoryRegistry, NewestRemovedBlockWins) {
  MemoryRegistry registry;
  registry.add(block(0x1000, 0x100));
  registry.remove(0x1000);
  registry.add(block(0x1000, 0x40));
  registry.remove(0x1000);
  EXPECT_EQ(registry.removed(0x1010)->size, 0x40u);
  EXPECT_EQ(registry.removed(0x1080)->size, 0x100u);
}

TEST(MemoryRegistry, ForgetsBlocksRemovedLongAgo) {
  MemoryRegistry registry;
  for (uintptr_t i = 0; i < 300; ++i) {
    registry.add(block(0x10000 + i * 0x100, 0x100));
    registry.remove(0x10000 + i * 0x100);
  }
  EXPECT_FALSE(registry.removed(0x10000));
  EXPECT_TRUE(registry.removed(0x10000 + 299 * 0x100));
}

TEST(MemoryRegistry, NamesTheBlockThatWasOverrun) {
  MemoryRegistry registry;
  registry.add(block(0x1000, 0x100));
  EXPECT_EQ(registry.before(0x1100, 0x1000)->base, 0x1000u);
  EXPECT_EQ(registry.before(0x1180, 0x1000)->base, 0x1000u);
  EXPECT_FALSE(registry.before(0x10ff, 0x1000)) << "that is inside";
  EXPECT_FALSE(registry.before(0x3000, 0x1000)) << "too far away";
}

TEST(MemoryRegistry, DescribesABlock) {
  EXPECT_EQ(describe(block(0x1000, 4096)), "device memory of 4096 bytes at 0x1000 (device 1)");
  EXPECT_EQ(describe(block(0x1000, 8, MemoryKind::Host)), "host memory of 8 bytes at 0x1000");
}

}  // namespace
}  // namespace toprope
