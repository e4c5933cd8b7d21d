// Memory of the host's registry, without the runtime: blocks are entered by hand.
#include "check/bounds.h"

#include <memory>

#include "support/findings.h"

namespace {

using namespace AscendC;
using toprope::HostEvent;
using toprope::MemoryBlock;
using toprope::MemoryKind;
using toprope::check::Bounds;
using toprope::test::expect_one;
using toprope::test::expect_silent;
using toprope::test::findings;
using toprope::test::ub;

/// A block of the registry over an array, with some bytes around it that are not the block's.
class Memory {
 public:
  explicit Memory(size_t floats, MemoryKind kind = MemoryKind::Device) : storage_(floats + 2048) {
    toprope::memory_registry().add({address(), floats * 4, kind, 0});
  }
  ~Memory() {
    if (held_) free();
  }
  void free() {
    toprope::memory_registry().remove(address());
    held_ = false;
  }
  uint64_t address() const { return reinterpret_cast<uintptr_t>(storage_.data() + 1024); }
  float* data() { return storage_.data() + 1024; }
  /// Without an end: what the allocation says is all there is.
  GlobalTensor<float> tensor() {
    GlobalTensor<float> t;
    t.SetGlobalBuffer(data());
    return t;
  }

 private:
  std::vector<float> storage_;
  bool held_ = true;
};

TEST(Bounds, AccessesStayInTheirAllocation) {
  Memory m(100);
  expect_silent(findings<Bounds>([&] { DataCopy(ub(0), m.tensor()[36], 64); }));
  expect_one(findings<Bounds>([&] { DataCopy(ub(0), m.tensor()[40], 64); }), "bounds.gm",
             {"DataCopy reads src, bytes 160 to 416 of device memory of 400 bytes", "16 bytes too many"});
  expect_one(findings<Bounds>([&] { DataCopy(m.tensor()[100], ub(0), 8); }), "bounds.gm",
             {"DataCopy writes dst, 0 bytes behind the end of device memory of 400 bytes"});
}

TEST(Bounds, TheTensorMayBeDeclaredTooLarge) {
  Memory m(64);
  expect_one(findings<Bounds>([&] {
               GlobalTensor<float> t;
               t.SetGlobalBuffer(m.data(), 128);
               DataCopy(ub(0), t[32], 64);
             }),
             "bounds.gm", {"128 bytes too many"});
}

TEST(Bounds, GapsOfAStridedCopyDoNotCount) {
  Memory m(40);
  // 3 rows of 8 elements, 8 apart: the last one ends at element 40.
  expect_silent(findings<Bounds>([&] { DataCopy(ub(0), m.tensor(), DataCopyParams{3, 1, 1, 0}); }));
  expect_one(findings<Bounds>([&] { DataCopy(ub(0), m.tensor(), DataCopyParams{4, 1, 1, 0}); }), "bounds.gm",
             {"64 bytes too many"});
}

TEST(Bounds, ScalarAccesses) {
  Memory m(8);
  expect_silent(findings<Bounds>([&] { m.tensor().SetValue(7, 1.0f); }));
  expect_one(findings<Bounds>([&] { (void)m.tensor().GetValue(8); }), "bounds.gm", {"GetValue reads src"});
}

TEST(Bounds, FreedMemory) {
  Memory other(8), m(64);
  m.free();
  expect_one(findings<Bounds>([&] { DataCopy(ub(0), m.tensor(), 64); }), "bounds.freed",
             {"device memory of 256 bytes", "that is freed", "the memory was freed here"});
}

TEST(Bounds, MemoryOfTheHost) {
  Memory device(8), pinned(64, MemoryKind::Host), registered(64, MemoryKind::Registered);
  expect_silent(findings<Bounds>([&] { DataCopy(ub(0), registered.tensor(), 64); }));
  expect_one(findings<Bounds>([&] { DataCopy(ub(0), pinned.tensor(), 64); }), "bounds.host",
             {"host memory of 256 bytes", "aclrtHostRegister"});
  // Far from any block: what a pointer to a host structure is.
  auto heap = std::make_unique<std::vector<float>>(1 << 20);
  expect_one(findings<Bounds>([&] {
               GlobalTensor<float> t;
               t.SetGlobalBuffer(heap->data() + (1 << 19));
               DataCopy(ub(0), t, 64);
             }),
             "bounds.host", {"no device memory"});
}

TEST(Bounds, NothingIsSaidWhereNoDeviceMemoryExists) {
  std::vector<float> array(64);
  expect_silent(findings<Bounds>([&] {
    GlobalTensor<float> t;
    t.SetGlobalBuffer(array.data());
    DataCopy(ub(0), t, 64);
  }));
}

TEST(Bounds, GuardsFindRawPointers) {
  constexpr uint64_t kGuard = 512;
  std::vector<unsigned char> storage(kGuard + 256 + kGuard);
  const uint64_t at = reinterpret_cast<uintptr_t>(storage.data()) + kGuard;
  toprope::memory_registry().add({at, 256, MemoryKind::Device, 0});
  const auto launch = [&](int64_t wrong) {
    Bounds bounds;
    bounds.on_host({HostEvent::Allocate, at, 256, kGuard}, nullptr);
    toprope::install(&bounds);
    const size_t before = toprope::check::reporter().size();
    toprope::test::run_shaped([&] { reinterpret_cast<unsigned char*>(at)[wrong] = 1; }, {});
    toprope::uninstall(&bounds);
    std::vector<toprope::check::Finding> found;
    for (size_t i = before; i < toprope::check::reporter().size(); ++i)
      found.push_back(toprope::check::reporter()[i]);
    return found;
  };
  expect_silent(launch(255));
  expect_one(launch(258), "bounds.guard",
             {"kernel test_kernel", "wrote 2 bytes behind device memory of 256 bytes"});
  toprope::memory_registry().remove(at);
}

}  // namespace
