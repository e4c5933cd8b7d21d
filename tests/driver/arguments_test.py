"""Arguments of a launch on their way into the kernel, with the real runtime: order, width and bits."""

import pytest

SOURCE = r"""
#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
using namespace AscendC;
struct Tiling { uint32_t length; uint32_t tiles; float scale; };

// Inputs, outputs, workspace, tiling: the order that the framework passes them in.
__global__ __vector__ void tiled(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
  GlobalTensor<uint32_t> words, out;
  words.SetGlobalBuffer((__gm__ uint32_t*)tiling);
  out.SetGlobalBuffer((__gm__ uint32_t*)z);
  for (int i = 0; i < 3; ++i) out.SetValue(i, words.GetValue(i));
}
__global__ __vector__ void by_value(GM_ADDR z, Tiling tiling) {
  ((__gm__ uint32_t*)z)[0] = tiling.length;
  ((__gm__ uint32_t*)z)[1] = tiling.tiles;
  ((__gm__ float*)z)[2] = tiling.scale;
}
__global__ __vector__ void scalars(GM_ADDR z, half h, int8_t small, bfloat16_t b, uint16_t wide, float f, half last) {
  GlobalTensor<float> out;
  out.SetGlobalBuffer((__gm__ float*)z);
  const float all[] = {float(h), float(small), float(b), float(wide), f, float(last)};
  for (int i = 0; i < 6; ++i) out.SetValue(i, all[i]);
}

uint8_t* allocate() {
  void* memory = nullptr;
  aclrtMalloc(&memory, 256, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(memory, 256, 0, 256);
  return static_cast<uint8_t*>(memory);
}

int main() {
  aclrtSetDevice(0);
  uint8_t *x = allocate(), *z = allocate(), *workspace = allocate(), *tiling = allocate();
  const Tiling host{16384, 8, 2.5f};
  aclrtMemcpy(tiling, sizeof host, &host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE);
  auto words = [&] {
    uint32_t w[3];
    aclrtSynchronizeStream(nullptr);
    aclrtMemcpy(w, sizeof w, z, sizeof w, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%u %u %u\n", w[0], w[1], w[2]);
  };
  tiled<<<1, nullptr, nullptr>>>(x, z, workspace, tiling);
  words();
  tiled<<<1, nullptr, nullptr>>>(x, z, tiling, workspace);
  words();
  by_value<<<1, nullptr, nullptr>>>(z, host);
  words();
  scalars<<<1, nullptr, nullptr>>>(z, half(1.5f), -7, bfloat16_t(-0.25f), 65535, 0.1f, half(65504.0f));
  aclrtSynchronizeStream(nullptr);
  float f[6];
  aclrtMemcpy(f, sizeof f, z, sizeof f, ACL_MEMCPY_DEVICE_TO_HOST);
  for (float v : f) std::printf("%.9g ", v);
}
"""


@pytest.mark.parametrize("optimisation", ["-O0", "-O2"])
def test_arguments_arrive_as_they_were_given(shell, optimisation):
    """facts C11: the tiling words are the host's, and zero where workspace and tiling are swapped; G18: a half scalar
    arrives bit by bit, also between arguments of other widths."""
    shell.write("arguments.asc", SOURCE)
    shell.ok("bisheng", optimisation, "arguments.asc", "-o", "arguments")
    in_order, swapped, by_value, scalars = shell.ok("./arguments").splitlines()
    scale = 0x40200000  # the bits of 2.5f
    assert in_order == f"16384 8 {scale}"
    assert swapped == "0 0 0"
    assert by_value == in_order
    assert scalars.split() == ["1.5", "-7", "-0.25", "65535", "0.100000001", "65504"]
