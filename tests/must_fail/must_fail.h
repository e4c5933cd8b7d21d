// What the kernels here share: a program that launches `kernel` once, on 64 KiB of zeros in `in` and in
// `out`. Without an argument `fixed` is false: the kernel has its mistake. Exit code 0 when the launch
// succeeded.
#pragma once
#include "acl/acl.h"
#include "kernel_operator.h"

#ifndef BLOCKS
#define BLOCKS 1
#endif

using namespace AscendC;

__global__ __aicore__ void kernel(GM_ADDR in, GM_ADDR out, bool fixed);

/// `elements` elements of UB from byte `at` on.
template <class T>
LocalTensor<T> ub(uint32_t at, uint32_t elements) {
  return LocalTensor<T>(TPosition::VECCALC, at, elements);
}

template <class T>
GlobalTensor<T> gm(GM_ADDR at, uint64_t elements = 65536 / sizeof(T)) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(at), elements);
  return tensor;
}

/// Everything before it is done before everything after it.
inline void wait_for_all() { PipeBarrier<PIPE_ALL>(); }

int main(int argc, char **) {
  const bool fixed = argc > 1;
  constexpr size_t bytes = 65536;
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  void *in = nullptr, *out = nullptr;
  aclrtMalloc(&in, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&out, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(in, bytes, 0, bytes);
  aclrtMemset(out, bytes, 0, bytes);
  kernel<<<BLOCKS, nullptr, stream>>>(static_cast<uint8_t *>(in), static_cast<uint8_t *>(out), fixed);
  const aclError status = aclrtSynchronizeStream(stream);
  aclrtFree(in);
  aclrtFree(out);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return status == ACL_SUCCESS ? 0 : 1;
}
