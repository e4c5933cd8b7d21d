// System variables, workspaces, mask register, tensors' own functions.
#include <chrono>
#include <mutex>
#include <regex>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

#include "front/launch.h"
#include "utils/debug/asc_time.h"
#include "utils/log/asc_cpu_log.h"

namespace {

using namespace AscendC;
using toprope::test::expect_clean;
using toprope::test::expect_refused;
using toprope::test::launch;

/// Cube core, GetBlockIdx, GetBlockNum, GetSubBlockIdx, GetSubBlockNum, GetTaskRatio.
using Numbers = std::tuple<bool, int64_t, int64_t, int64_t, int64_t, int64_t>;

std::set<Numbers> numbers_of(uint32_t blocks, uint8_t cubes, uint8_t vectors) {
  std::set<Numbers> seen;
  std::mutex mutex;  // blocks may run on several threads
  expect_clean(launch(blocks, cubes, vectors, [&] {
    std::lock_guard lock(mutex);
    seen.insert(
        {ASCEND_IS_AIC, GetBlockIdx(), GetBlockNum(), GetSubBlockIdx(), GetSubBlockNum(), GetTaskRatio()});
    EXPECT_EQ(block_idx, GetBlockIdx());
    EXPECT_EQ(block_num, GetBlockNum());
    EXPECT_EQ(get_block_idx(), GetBlockIdx());
    EXPECT_NE(ASCEND_IS_AIC, ASCEND_IS_AIV);
  }));
  return seen;
}

TEST(System, NumbersOfCores) {  // the tables of GetBlockIdx, GetSubBlockNum and GetTaskRatio
  EXPECT_EQ(numbers_of(3, 0, 1),
            (std::set<Numbers>{{false, 0, 3, 0, 1, 1}, {false, 1, 3, 0, 1, 1}, {false, 2, 3, 0, 1, 1}}));
  EXPECT_EQ(numbers_of(2, 1, 0), (std::set<Numbers>{{true, 0, 2, 0, 1, 1}, {true, 1, 2, 0, 1, 1}}));
  EXPECT_EQ(numbers_of(2, 1, 2), (std::set<Numbers>{{true, 0, 2, 0, 1, 1},
                                                    {true, 1, 2, 0, 1, 1},
                                                    {false, 0, 2, 0, 2, 2},
                                                    {false, 1, 2, 1, 2, 2},
                                                    {false, 2, 2, 0, 2, 2},
                                                    {false, 3, 2, 1, 2, 2}}));
  EXPECT_EQ(numbers_of(1, 1, 1), (std::set<Numbers>{{true, 0, 1, 0, 1, 1}, {false, 0, 1, 0, 1, 1}}));
}

TEST(System, BlockIdxIsAWordAndNoKeyword) {
  struct Own {
    int block_idx = 3;
  };
  float data[64] = {};
  std::vector<long> offsets(4);
  expect_clean(launch(4, 0, 1, [&] {
    constexpr uint32_t length = 16;
    float* at = data + block_idx * length;
    offsets[static_cast<size_t>(GetBlockIdx())] = at - data;
    const uint32_t from = block_idx * length / block_num;
    EXPECT_EQ(from, static_cast<uint32_t>(GetBlockIdx()) * 4);
    if (block_idx == 0) {
      int block_idx = 7;
      EXPECT_EQ(block_idx + Own().block_idx, 10);
    }
  }));
  EXPECT_EQ(offsets, (std::vector<long>{0, 16, 32, 48}));
}

TEST(System, TheCounterRunsAt50MHz) {  // documented: time in µs = cycles / 50 on dav-2201
  expect_clean(launch([] {
    const auto begin = std::chrono::steady_clock::now();
    const int64_t first = GetSystemCycle();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const int64_t ticks = GetSystemCycle() - first;
    const auto passed = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(ticks, 5000 * 50);
    EXPECT_LE(ticks, std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count() / 20 + 1);
    uint32_t version = 0;
    GetArchVersion(version);
    EXPECT_EQ(version, 0x2201u);
    EXPECT_NE(GetProgramCounter(), 0);
    EXPECT_EQ(GetRuntimeUBSize(), GetUBSizeInBytes());
    EXPECT_EQ(GetUBSizeInBytes(), 196608u);
    EXPECT_EQ(GetVecLen() / GetDataBlockSizeInBytes(), 8u);
  }));
}

TEST(System, TheClockCountsCyclesOfTheCoreInKernelsAndComputingTimeOnTheHost) {
  expect_clean(launch([] {
    const auto begin = std::chrono::steady_clock::now();
    const uint64_t first = clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const uint64_t cycles = clock() - first;
    const auto passed = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(cycles, 5000u * 1800 - 1800);  // Ascend910B3 has 1.8 GHz
    EXPECT_LE(cycles, static_cast<uint64_t>(passed.count()) * 1800 / 1000 + 1800);
  }));
  const auto first = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LT(clock() - first, static_cast<uint64_t>(CLOCKS_PER_SEC / 50));  // sleeping is no computing
}

struct AddArguments {
  GM_ADDR x;
  alignas(4) int16_t length;
};
__global__ __vector__ void joined_add(GM_ADDR, int16_t) {}
template <uint32_t part>
__sk__ __vector__ void joined_add_sk(const AddArguments* arguments, sk::SkSystemArgs* system) {
  (void)arguments, (void)system->SkGetNumBlocks();
}
SK_BIND(joined_add, 4, joined_add_sk<0>, joined_add_sk<1>, joined_add_sk<2>, joined_add_sk<3>);

TEST(System, PartsOfASuperKernelAreFunctions) {
  sk::SkSystemArgs system{20};
  EXPECT_EQ(system.SkGetNumBlocks(), 20u);
  joined_add_sk<0>(nullptr, &system);
  asc_prof_start();
  asc_prof_stop();
}

TEST(System, LogLinesOfTheHost) {  // the form of the page of ASC_CPU_LOG; errors are admitted by default
  testing::internal::CaptureStderr();
  const int line = __LINE__ + 1;
  ASC_CPU_LOG_ERROR("I am ERROR log: %d\n", 0x123);
  ASC_CPU_LOG_INFO("I am INFO log: %d\n", 0x123);
  const std::string text = testing::internal::GetCapturedStderr();
  const std::regex form(
      "\\[ERROR\\] "
      "ASCENDCKERNEL\\([0-9]+,front_test\\):[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9:]{8}\\.[0-9]{3}\\.[0-9]{3} "
      "\\[.*system_test\\.cpp:" +
      std::to_string(line) + "\\]\\[TestBody\\] I am ERROR log: 291\n");
  EXPECT_TRUE(std::regex_match(text, form)) << text;
}

TEST(System, Workspaces) {
  std::vector<uint8_t> workspace(1);
  expect_clean(launch(2, 0, 1, [&] {
    EXPECT_EQ(GetSysWorkSpacePtr(), nullptr);
    SetSysWorkspace(workspace.data());
    EXPECT_EQ(GetSysWorkSpacePtr(), workspace.data());
    EXPECT_EQ(GetUserWorkspace(workspace.data()) - workspace.data(), 16 * 1024 * 1024);
  }));
}

int only_cubes = 0;
void count_cube(int by) { only_cubes += by; }

TEST(System, AsyncRunsOnOneKind) {
  expect_clean(launch(3, 1, 2, [] { Async<EngineType::AIC, count_cube>(2); }));
  EXPECT_EQ(only_cubes, 6);
}

constexpr uint64_t all = ~uint64_t{0};
using Bits = std::pair<uint64_t, uint64_t>;  // low, high

Bits mask() { return {toprope::core().mask.bits[0], toprope::core().mask.bits[1]}; }

TEST(Mask, Register) {
  expect_clean(launch([] {
    EXPECT_EQ(mask(), Bits(all, all));
    SetVectorMask<half, MaskMode::NORMAL>(0x0123, 0x4567);
    EXPECT_EQ(mask(), Bits(0x4567, 0x0123));
    const std::pair<int, Bits> lengths[] = {{0, {0, 0}},       {1, {1, 0}},      {63, {all >> 1, 0}},
                                            {64, {all, 0}},    {65, {all, 1}},   {127, {all, all >> 1}},
                                            {128, {all, all}}, {500, {all, all}}};
    for (const auto& [n, bits] : lengths) {
      SetVectorMask<half>(n);
      EXPECT_EQ(mask(), bits) << n;
    }
    SetMaskCount();
    EXPECT_TRUE(toprope::core().mask.counter);
    SetVectorMask<half, MaskMode::COUNTER>(130);
    EXPECT_EQ(mask(), Bits(130, 0));
    SetVectorMask<float, MaskMode::COUNTER>(0, 1000);
    EXPECT_EQ(mask(), Bits(1000, 0));
    SetMaskNorm();
    ResetMask();
    EXPECT_EQ(mask(), Bits(all, all));
    SetMaskCount();
    InitSocState();
    EXPECT_FALSE(toprope::core().mask.counter);
    SetVectorMask<half>(3);
    TPipe pipe;  // initialises the core's state, too
    EXPECT_EQ(mask(), Bits(all, all));
  }));
}

TEST(Mask, InstructionsObeyIt) {
  expect_clean(launch([] {
    LocalTensor<half> a(TPosition::VECCALC, 0, 128), b(TPosition::VECCALC, 256, 128);
    for (uint32_t i = 0; i < 128; ++i) {
      a.SetValue(i, half(1));
      b.SetValue(i, half(-5));
    }
    SetVectorMask<half>(70);
    Add<half, false>(b, a, a, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
    for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(static_cast<float>(b.GetValue(i)), i < 70 ? 2 : -5);
  }));
}

TEST(Tensor, ShapesTagsAndViews) {
  std::vector<int32_t> gm(64);
  expect_clean(launch([&] {
    const uint32_t shape[] = {16, 1024}, original[] = {4, 4, 1024};
    LocalTensor<float> local(TPosition::VECIN, 128, 32);
    EXPECT_EQ(local.GetShapeInfo().shapeDim, 0);
    local.SetShapeInfo(ShapeInfo(2, shape, 3, original, DataFormat::NZ));
    const LocalTensor<float> copy = local;
    EXPECT_EQ(copy.GetShapeInfo().originalShape[2], 1024u);
    EXPECT_EQ(copy.GetShapeInfo().dataFormat, DataFormat::NZ);
    EXPECT_EQ(GetShapeSize(copy.GetShapeInfo()), 16 * 1024);
    EXPECT_EQ(local.GetLength(), 128u);
    EXPECT_EQ(local.GetPosition(), static_cast<int32_t>(TPosition::VECIN));

    GlobalTensor<int32_t> global;
    global.SetGlobalBuffer(gm.data(), gm.size());
    global.SetShapeInfo(ShapeInfo(2, shape));
    EXPECT_EQ(global.GetShapeInfo().originalShape[1], 1024u);
    global.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    EXPECT_EQ(global.cache_mode(), CacheMode::CACHE_MODE_DISABLE);
    global.SetValue(1, 0x00020001);
    const auto narrow = global.ReinterpretCast<int16_t>();
    EXPECT_EQ(narrow.GetSize(), 128u);
    EXPECT_EQ(narrow.GetValue(2), 1);
    EXPECT_EQ(narrow.GetValue(3), 2);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(global);
    EXPECT_EQ(gm[1], 0x00020001);
  }));
}

}  // namespace
