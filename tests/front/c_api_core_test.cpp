// What is left of the C API: arrays in local memories, order, system variables, bits of integers, caches.
#include <atomic>
#include <cmath>

#include "c_api/asc_simd.h"
#include "front/launch.h"

namespace {

using namespace toprope::test;
using toprope::Fault;
using toprope::LocalArray;
using toprope::Mem;

TEST(CApiArrays, OneBehindTheOther) {
  expect_clean(launch([] {
    LocalArray<Mem::UB, float[10]> a;
    LocalArray<Mem::UB, half[4]> b;
    EXPECT_EQ(reinterpret_cast<uint64_t>(a.object), asc_get_phy_buf_addr(0));
    EXPECT_EQ(reinterpret_cast<uint64_t>(b.object), asc_get_phy_buf_addr(64));
    for (int i = 0; i < 3; ++i) {  // a scope gives its memory back
      LocalArray<Mem::UB, int32_t[8]> c;
      EXPECT_EQ(reinterpret_cast<uint64_t>(c.object), asc_get_phy_buf_addr(96));
      LocalArray<Mem::L1, int32_t[8]> d;
      EXPECT_EQ(toprope::local_slice(Mem::L1, d.object).at, 0u);
    }
    const toprope::Slice s = toprope::local_slice(Mem::UB, a.object + 3);
    EXPECT_EQ(s.at, 12u);
    EXPECT_EQ(s.begin, 0u);
    EXPECT_EQ(s.end, 40u);
  }));
}

TEST(CApiArrays, TheirEndsAreKnown) {
  expect_refused(launch([] {
                   LocalArray<Mem::UB, float[10]> a;
                   LocalArray<Mem::UB, float[64]> b;
                   asc_add(a.object, b.object, b.object, 11);
                 }),
                 "Add: dst ends 4 bytes past its tensor");
  expect_refused(launch([] { LocalArray<Mem::UB, uint8_t[200 * 1024]> a; }),
                 "204800 bytes do not fit into UB", "8192 too few");
}

TEST(CApiArrays, PointersThatPointElsewhere) {
  float on_the_stack[64] = {};
  expect_refused(launch([&] { asc_abs(on_the_stack, on_the_stack, 64); }), "does not point into UB",
                 "declare the array with __ubuf__");
  expect_clean(launch([] {  // numbers from 0 as addresses, as the device takes them
    asc_duplicate(reinterpret_cast<float*>(0), 1.5f, 8);
    EXPECT_EQ(reinterpret_cast<float*>(asc_get_phy_buf_addr(0))[7], 1.5f);
  }));
}

TEST(CApiSync, PipesAndFlags) {
  expect_clean(launch([] {
    asc_sync();
    asc_sync_vec();
    asc_sync_mte2(0);
    asc_sync_mte3(7);
    asc_sync_pipe(PIPE_MTE2);
    asc_sync_pipe(PIPE_ALL);
    asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID3);
    asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID3);
    asc_sync_data_barrier(mem_dsb_t::DSB_DDR);
    asc_sync_data_barrier(DSB_ALL);
  }));
  expect_refused(launch([] { asc_sync_wait(PIPE_MTE2, PIPE_V, 1); }), Fault::Deadlock, "WaitFlag<MTE2_V>(1)");
  expect_refused(launch([] { asc_sync_mte2(8); }), "event id 8");
}

TEST(CApiSync, CountersBetweenCores) {
  for (const bool all : {true, false}) {
    std::atomic<int> arrived{0}, early{0};
    expect_clean(launch(4, 1, 2, [&] {
      if (ASCEND_IS_AIC) return;
      ++arrived;
      if (all) {
        asc_sync_inter_arrive(PIPE_S, 1);  // as the page's example has it
        asc_sync_inter_wait(PIPE_S, 1);
        early += arrived != 8;
      } else {
        asc_sync_subblock_arrive(PIPE_MTE3, 2);
        asc_sync_subblock_wait(PIPE_S, int64_t{2});
        early += arrived < 2;
      }
    }));
    EXPECT_EQ(early, 0);
  }
  std::atomic<int> vectors{0}, wrong{0};
  expect_clean(launch(2, 1, 2, [&] {
    if (ASCEND_IS_AIV) {
      ++vectors;
      asc_sync_block_arrive(PIPE_MTE3, 3);
    } else {
      asc_sync_block_wait(PIPE_S, 3);
      wrong += vectors < 2;
    }
  }));
  EXPECT_EQ(wrong, 0);
}

TEST(CApiCore, SystemVariables) {
  std::atomic<int64_t> blocks{0};
  expect_clean(launch(3, 0, 1, [&] {
    asc_init();
    blocks += asc_get_block_idx() + 10 * asc_get_block_num();
    EXPECT_EQ(asc_get_sub_block_id(), 0);
    EXPECT_EQ(asc_get_sub_block_num(), 1);
    EXPECT_EQ(asc_get_core_id(), asc_get_block_idx());
    uint32_t version = 0;
    asc_get_arch_ver(version);
    EXPECT_EQ(version, 0x2201u);
    const int64_t before = asc_get_system_cycle();
    EXPECT_LE(before, asc_get_system_cycle());
    EXPECT_NE(asc_get_program_counter(), 0);
    EXPECT_NE(asc_get_phy_stack_base(), 0);
    EXPECT_NE(asc_get_sys_virtual_base(), 0);
    EXPECT_EQ(asc_get_smmu_tag_version(), 0);
    EXPECT_EQ(asc_get_status(), 0);
    EXPECT_EQ(asc_get_ffts_base_addr(), 0);
    asc_set_ffts_base_addr(0x1234);
    EXPECT_EQ(asc_get_ffts_base_addr(), 0x1234);
  }));
  EXPECT_EQ(blocks, 3 + 90);
}

TEST(CApiCore, ControlRegister) {  // the example of the page asc_set_ctrl, and back
  expect_clean(launch([] {
    half* h = reinterpret_cast<half*>(asc_get_phy_buf_addr(0));
    const auto sum = [&] {
      asc_duplicate(h, 60000, 16);
      asc_add(h, h, h, 16);
      return static_cast<float>(h[0]);
    };
    const auto config = static_cast<uint64_t>(asc_get_ctrl());
    asc_set_ctrl(config & ~(uint64_t{1} << 48));
    EXPECT_EQ(sum(), 65504.0f);
    asc_set_ctrl(config | uint64_t{1} << 48);
    EXPECT_EQ(sum(), HUGE_VALF);
    asc_set_ctrl(config | uint64_t{1} << 56 | 5);
    asc_set_vector_mask(0, 3);
    asc_duplicate(h, 1, 0, 1, 8);  // counter mode: the repeats are not looked at
    EXPECT_EQ(static_cast<float>(h[2]), 1.0f);
    EXPECT_EQ(static_cast<float>(h[3]), HUGE_VALF);
    EXPECT_EQ(asc_get_ctrl() & 5, 5);
    asc_set_mask_norm();
    EXPECT_EQ(asc_get_ctrl() >> 56 & 1, 0);
    int32_t* w = reinterpret_cast<int32_t*>(asc_get_phy_buf_addr(512));
    int16_t* n = reinterpret_cast<int16_t*>(asc_get_phy_buf_addr(1024));
    asc_duplicate(w, 65537, 8);
    asc_int322int16(n, w, 8);
    EXPECT_EQ(n[0], 32767);
    asc_set_ctrl(config | uint64_t{1} << 59);
    asc_int322int16(n, w, 8);
    EXPECT_EQ(n[0], 1);
    EXPECT_EQ(asc_get_ctrl() >> 59 & 1, 1);
  }));
}

TEST(CApiCore, BitsOfIntegers) {
  EXPECT_EQ(asc_popc(33), 2);
  EXPECT_EQ(asc_zero_bits_cnt(33), 62);
  EXPECT_EQ(asc_clz(0x0fffffffffffffff), 4);
  EXPECT_EQ(asc_clz(0), 64);
  EXPECT_EQ(asc_ffs(10), 1);
  EXPECT_EQ(asc_ffs(0), -1);
  EXPECT_EQ(asc_ffz(33), 1);
  EXPECT_EQ(asc_ffz(~uint64_t{0}), -1);
  EXPECT_EQ(asc_sflbits(0x0f00000000000000), 3);
  EXPECT_EQ(asc_sflbits(0x000f00ff0ff0ffff), 11);
  EXPECT_EQ(asc_sflbits(0), -1);
  EXPECT_EQ(asc_sflbits(-1), -1);
  EXPECT_EQ(asc_clear_nthbit(7, 2), 3u);
  EXPECT_EQ(asc_clear_nthbit(7, 66), 3u);
  EXPECT_EQ(asc_clear_nthbit(7, -62), 3u);
  EXPECT_EQ(asc_set_nthbit(1, 63), uint64_t{1} << 63 | 1);
  EXPECT_EQ(asc_set_nthbit(1, -1), uint64_t{1} << 63 | 1);
}

TEST(CApiCore, Caches) {
  std::vector<int64_t> gm(16, 0);
  expect_clean(launch(2, 0, 1, [&] {
    asc_datacache_preload(reinterpret_cast<uint64_t*>(gm.data()), 0);
    asc_icache_preload(gm.data(), 32);
    EXPECT_EQ(asc_get_icache_preload_status(), 0);
    asc_dcci_entire_ub();
    asc_dcci_entire_out();
    asc_dcci_entire_atomic();
    asc_dcci_entire_all();
    asc_ub_dcci_single(reinterpret_cast<void*>(asc_get_phy_buf_addr(0)));
    volatile int64_t* word = gm.data();
    if (asc_get_block_idx() == 1) {  // the other core polls through its cache
      *word = 1;
      asc_dcci_single(gm.data());
      return;
    }
    do asc_dcci_single(gm.data());
    while (*word == 0);
  }));
}

}  // namespace
