// The checks on the runtime's own doings: memory and streams. The same findings come in every stream mode.
#include <functional>
#include <vector>

#include "base/config.h"
#include "check/bounds.h"
#include "check/host.h"
#include "check/init.h"
#include "check/leak.h"
#include "kernel_operator.h"
#include "support/acl_fixture.h"
#include "support/findings.h"
#include "support/rerun.h"

namespace toprope::test {
namespace {

using namespace AscendC;
using Findings = std::vector<check::Finding>;

template <class Check>
Findings found(const std::function<void()>& body) {
  const size_t before = check::reporter().size();
  {
    Check watcher;
    install(&watcher);
    body();
    uninstall(&watcher);
  }
  Findings all;
  for (size_t i = before; i < check::reporter().size(); ++i) all.push_back(check::reporter()[i]);
  return all;
}

class Checks : public Acl {
 protected:
  static constexpr size_t kBytes = 1024;

  void* allocate() { return device_array<float>(kBytes / 4); }

  /// Every float of `memory` becomes 2.
  static void fill(aclrtStream on, void* memory) {
    launch_on(on, 1, [memory] {
      GlobalTensor<float> t;
      t.SetGlobalBuffer(static_cast<float*>(memory), kBytes / 4);
      LocalTensor<float> local(TPosition::VECOUT, 0, kBytes / 4);
      Duplicate(local, 2.0f, kBytes / 4);
      PipeBarrier<PIPE_ALL>();
      DataCopy(t, local, kBytes / 4);
    });
  }

  float host[kBytes / 4] = {};
};

TEST_F(Checks, TheHostReadsBeforeItHasWaited) {
  const auto body = [this](bool wait) {
    void* memory = allocate();
    fill(stream, memory);
    if (wait) aclrtSynchronizeStream(stream);
    aclrtMemcpy(host, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtSynchronizeStream(stream);
    aclrtFree(memory);
  };
  expect_silent(found<check::Host>([&] { body(true); }));
  expect_one(found<check::Host>([&] { body(false); }), "host.read",
             {"aclrtMemcpy reads memory that kernel test_kernel may still write",
              "call aclrtSynchronizeStream between", "aclrtMemcpy here", "DataCopy writes here"});
}

TEST_F(Checks, TheHostOverwritesWhatAKernelStillUses) {
  expect_one(found<check::Host>([&] {
               void* memory = allocate();
               fill(stream, memory);
               aclrtMemset(memory, kBytes, 0, kBytes);
               aclrtSynchronizeStream(stream);
               aclrtFree(memory);
             }),
             "host.write", {"aclrtMemset writes memory"});
}

TEST_F(Checks, TheHostFreesWhatAKernelStillUses) {
  const auto body = [this](aclError (*free)(void*)) {
    void* memory = allocate();
    fill(stream, memory);
    free(memory);
    aclrtSynchronizeStream(stream);
  };
  expect_one(found<check::Host>([&] { body(aclrtFree); }), "host.free",
             {"aclrtFree frees memory that kernel test_kernel may still write"});
  expect_silent(found<check::Host>([&] { body(aclrtFreeWithDevSync); }));
}

TEST_F(Checks, CopiesOfAStreamAreItsWork) {
  expect_one(found<check::Host>([&] {
               void *memory = allocate(), *pinned = nullptr;
               aclrtMallocHost(&pinned, kBytes);
               aclrtMemcpyAsync(memory, kBytes, pinned, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream);
               aclrtFreeHost(pinned);
               aclrtSynchronizeStream(stream);
               aclrtFree(memory);
             }),
             "host.free", {"aclrtFreeHost frees memory that aclrtMemcpyAsync may still read"});
}

TEST_F(Checks, TwoStreamsNeedAnEvent) {
  aclrtStream other = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  const auto body = [&](bool order) {
    void* memory = allocate();
    fill(stream, memory);
    if (order) {
      aclrtRecordEvent(event, stream);
      aclrtStreamWaitEvent(other, event);
    }
    fill(other, memory);
    aclrtSynchronizeStream(other);
    // Who waits for the second stream has waited for the first up to the event.
    if (order) aclrtMemcpy(host, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtSynchronizeStream(stream);
    aclrtFree(memory);
  };
  expect_silent(found<check::Host>([&] { body(true); }));
  expect_one(found<check::Host>([&] { body(false); }), "host.streams", {"aclrtStreamWaitEvent"});
  aclrtDestroyEvent(event);
  aclrtDestroyStream(other);
}

TEST_F(Checks, WaitingForAnEventIsWaiting) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  expect_silent(found<check::Host>([&] {
    void* memory = allocate();
    fill(stream, memory);
    aclrtRecordEvent(event, stream);
    aclrtSynchronizeEvent(event);
    aclrtMemcpy(host, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(memory);
  }));
  aclrtDestroyEvent(event);
}

TEST_F(Checks, MemoryThatIsAllocatedAnewIsNobodys) {
  expect_silent(found<check::Host>([&] {
    for (int i = 0; i < 4; ++i) {
      void* memory = allocate();
      fill(stream, memory);
      aclrtSynchronizeStream(stream);
      aclrtFree(memory);
    }
  }));
}

TEST_F(Checks, RefusedCopies) {
  void* memory = allocate();
  expect_one(found<check::Host>([&] {
               EXPECT_NE(aclrtMemcpy(host, kBytes, memory, kBytes, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
             }),
             "host.copy", {"aclrtMemcpy: dst", "must be device memory"});
  expect_one(found<check::Host>([&] {
               EXPECT_NE(aclrtMemcpy(host, kBytes, memory, kBytes + 4, ACL_MEMCPY_DEVICE_TO_HOST),
                         ACL_SUCCESS);
             }),
             "host.copy", {"1028 bytes do not fit"});
  aclrtFree(memory);
}

TEST_F(Checks, DoubleAndWrongFrees) {
  void* memory = allocate();
  aclrtFree(memory);
  expect_one(found<check::Leak>([&] { aclrtFree(memory); }), "leak.double_free",
             {"double free", "the memory was freed here before", "and allocated here"});
  memory = allocate();
  expect_one(found<check::Leak>([&] {
               aclrtFree(static_cast<char*>(memory) + 64);
               aclrtFree(memory);
             }),
             "leak.wrong_free", {"lies 64 bytes inside"});
  memory = allocate();
  expect_one(found<check::Leak>([&] {
               aclrtFreeHost(memory);
               aclrtFree(memory);
             }),
             "leak.wrong_free", {"aclrtFreeHost"});
  expect_silent(found<check::Leak>([&] { aclrtFree(nullptr); }));
}

TEST_F(Checks, MemoryThatIsNeverFreed) {
  void *one = nullptr, *two = nullptr;
  const Findings all = found<check::Leak>([&] {
    for (void** memory : {&one, &two})
      EXPECT_EQ(aclrtMalloc(memory, 100, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  });
  expect_one(all, "leak.device", {"200 bytes of device memory in 2 allocations are not freed"});
  EXPECT_EQ(all[0].severity, check::Severity::Warning);
  aclrtFree(one);
  aclrtFree(two);
}

TEST_F(Checks, DeviceMemoryThatNothingHasWritten) {
  const auto read_and_free = [this](void* memory) {
    launch_on(stream, 1, [memory] {
      GlobalTensor<float> t;
      t.SetGlobalBuffer(static_cast<float*>(memory), kBytes / 4);
      DataCopy(LocalTensor<float>(TPosition::VECIN, 0, kBytes / 4), t, kBytes / 4);
    });
    aclrtSynchronizeStream(stream);
    aclrtFree(memory);
  };
  const auto body = [&](size_t written) {
    void* memory = allocate();
    std::vector<char> zeros(kBytes);
    aclrtMemcpy(memory, kBytes, zeros.data(), written, ACL_MEMCPY_HOST_TO_DEVICE);
    read_and_free(memory);
  };
  expect_silent(found<check::Init>([&] { body(kBytes); }));
  const Findings all = found<check::Init>([&] { body(960); });
  expect_one(all, "init.gm", {"DataCopy reads src, bytes 960 to 1024 of device memory of 1024 bytes"});
  EXPECT_EQ(all[0].severity, check::Severity::Warning);
  expect_silent(found<check::Init>([&] {  // a kernel's output
    void* memory = allocate();
    fill(stream, memory);
    read_and_free(memory);
  }));
}

TEST_F(Checks, TheRestOfADataBlockComesAlong) {
  const auto body = [&](int32_t used) {  // 250 floats are written, 256 are copied: DataCopy takes no less
    void* memory = allocate();
    std::vector<char> zeros(kBytes);
    aclrtMemcpy(memory, kBytes, zeros.data(), 1000, ACL_MEMCPY_HOST_TO_DEVICE);
    launch_on(stream, 1, [memory, used] {
      GlobalTensor<float> t;
      t.SetGlobalBuffer(static_cast<float*>(memory), kBytes / 4);
      LocalTensor<float> in(TPosition::VECIN, 0, kBytes / 4), out(TPosition::VECOUT, kBytes, kBytes / 4);
      DataCopy(in, t, kBytes / 4);
      PipeBarrier<PIPE_ALL>();
      Adds(out, in, 1.0f, used);
    });
    aclrtSynchronizeStream(stream);
    aclrtFree(memory);
  };
  expect_silent(found<check::Init>([&] { body(250); }));
  const Findings all = found<check::Init>([&] { body(251); });
  expect_one(all, "init.gm", {"Adds reads src, bytes 1000 to 1004 of UB, which came from device memory"});
  EXPECT_EQ(all[0].severity, check::Severity::Warning);
}

TEST_F(Checks, TheHostReadsWhatNothingHasWritten) {
  const auto body = [this](size_t bytes) {
    void* memory = device_array<float>(kBytes / 2);  // twice what fill() writes
    fill(stream, memory);
    aclrtSynchronizeStream(stream);
    std::vector<char> target(2 * kBytes);
    aclrtMemcpy(target.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(memory);
  };
  expect_silent(found<check::Init>([&] { body(kBytes); }));
  const Findings all = found<check::Init>([&] { body(2 * kBytes); });
  expect_one(all, "init.gm", {"aclrtMemcpy reads bytes 1024 to 2048 of device memory of 2048 bytes"});
  EXPECT_EQ(all[0].severity, check::Severity::Warning);
}

TEST_F(Checks, RowsOfAHostCopyLeaveTheGapsAlone) {
  const auto body = [this](size_t width) {  // rows of 64 bytes, 128 apart; what lies between is nobody's
    void* memory = allocate();
    aclrtMemcpy2d(memory, 128, host, 64, 64, 8, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemcpy2d(host, 128, memory, 128, width, 8, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(memory);
  };
  expect_silent(found<check::Init>([&] { body(64); }));
  expect_one(found<check::Init>([&] { body(72); }), "init.gm", {"aclrtMemcpy2d reads bytes 64 to 72"});
}

TEST_F(Checks, GuardsStandAroundAllocations) {
  const auto body = [this](int at) {
    void* memory = device_array<char>(100);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 512, 0u);
    launch_on(stream, 1, [memory, at] { static_cast<char*>(memory)[at] = 1; });
    aclrtSynchronizeStream(stream);
    aclrtFree(memory);
  };
  expect_silent(found<check::Bounds>([&] { body(99); }));
  expect_one(found<check::Bounds>([&] { body(100); }), "bounds.guard",
             {"kernel test_kernel", "wrote right behind device memory of 100 bytes",
              "the memory was allocated here"});
}

TEST(ChecksInOtherModes, FindTheSame) {
  if (config().stream != StreamMode::Eager) GTEST_SKIP();
  EXPECT_EQ(rerun("lazy", "Checks.*"), 0);
}

}  // namespace
}  // namespace toprope::test
