#include "torch/random.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>

#include <mutex>

namespace toprope::torch_side {
namespace {

// The device generator counts in steps of four numbers; one step a call makes the calls' streams distinct.
constexpr uint64_t kStep = 4;
// 2^64 / golden ratio: neighbouring seeds and offsets land far apart.
constexpr uint64_t kSpread = 0x9E3779B97F4A7C15ULL;

uint64_t next_seed(const at::Generator& npu) {
  c10::GeneratorImpl* impl = npu.unsafeGetGeneratorImpl();
  const std::lock_guard<std::mutex> lock(impl->mutex_);
  const uint64_t offset = impl->get_offset();
  impl->set_offset(offset + kStep);
  return (impl->current_seed() + 1) * kSpread + offset;
}

}  // namespace

at::Generator cpu_generator(const at::Generator& npu) {
  return at::detail::createCPUGenerator(next_seed(npu));
}

const at::Generator& default_generator(c10::Device device) {
  return at::detail::getPrivateUse1Hooks().getDefaultGenerator(device.index());
}

SeededDefault::SeededDefault(c10::Device device) {
  const uint64_t seed = next_seed(default_generator(device));
  at::Generator cpu = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(cpu.mutex());
  saved_ = cpu.unsafeGetGeneratorImpl()->get_state();
  cpu.unsafeGetGeneratorImpl()->set_current_seed(seed);
}

SeededDefault::~SeededDefault() {
  at::Generator cpu = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(cpu.mutex());
  cpu.unsafeGetGeneratorImpl()->set_state(*saved_);
}

}  // namespace toprope::torch_side
