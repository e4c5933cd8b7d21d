// z = x + y for half: each core takes an equal part, in tiles that are double-buffered.
#include "kernel_operator.h"

constexpr int32_t TILE_NUM = 8;
constexpr int32_t BUFFER_NUM = 2;

class KernelAdd {
 public:
  __aicore__ inline KernelAdd() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t totalLength) {
    blockLength = totalLength / AscendC::GetBlockNum();
    tileLength = blockLength / TILE_NUM / BUFFER_NUM;
    const uint32_t start = blockLength * AscendC::GetBlockIdx();
    xGm.SetGlobalBuffer((__gm__ half*)x + start, blockLength);
    yGm.SetGlobalBuffer((__gm__ half*)y + start, blockLength);
    zGm.SetGlobalBuffer((__gm__ half*)z + start, blockLength);
    pipe.InitBuffer(inQueueX, BUFFER_NUM, tileLength * sizeof(half));
    pipe.InitBuffer(inQueueY, BUFFER_NUM, tileLength * sizeof(half));
    pipe.InitBuffer(outQueueZ, BUFFER_NUM, tileLength * sizeof(half));
  }
  __aicore__ inline void Process() {
    for (int32_t i = 0; i < TILE_NUM * BUFFER_NUM; ++i) {
      CopyIn(i);
      Compute();
      CopyOut(i);
    }
  }

 private:
  __aicore__ inline void CopyIn(int32_t tile) {
    AscendC::LocalTensor<half> x = inQueueX.AllocTensor<half>();
    AscendC::LocalTensor<half> y = inQueueY.AllocTensor<half>();
    AscendC::DataCopy(x, xGm[tile * tileLength], tileLength);
    AscendC::DataCopy(y, yGm[tile * tileLength], tileLength);
    inQueueX.EnQue(x);
    inQueueY.EnQue(y);
  }
  __aicore__ inline void Compute() {
    AscendC::LocalTensor<half> x = inQueueX.DeQue<half>();
    AscendC::LocalTensor<half> y = inQueueY.DeQue<half>();
    AscendC::LocalTensor<half> z = outQueueZ.AllocTensor<half>();
    AscendC::Add(z, x, y, tileLength);
    outQueueZ.EnQue<half>(z);
    inQueueX.FreeTensor(x);
    inQueueY.FreeTensor(y);
  }
  __aicore__ inline void CopyOut(int32_t tile) {
    AscendC::LocalTensor<half> z = outQueueZ.DeQue<half>();
    AscendC::DataCopy(zGm[tile * tileLength], z, tileLength);
    outQueueZ.FreeTensor(z);
  }

  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, BUFFER_NUM> inQueueX, inQueueY;
  AscendC::TQue<AscendC::TPosition::VECOUT, BUFFER_NUM> outQueueZ;
  AscendC::GlobalTensor<half> xGm, yGm, zGm;
  uint32_t blockLength;
  uint32_t tileLength;
};

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t totalLength) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  KernelAdd op;
  op.Init(x, y, z, totalLength);
  op.Process();
}
