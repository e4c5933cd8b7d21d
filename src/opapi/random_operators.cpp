// Random operators of the tables: the seed and offset of the call, which torch_npu takes from its generator,
// make a CPU generator for the call. The numbers are not the device's (its generator is not documented); they
// repeat as its do.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <torch/library.h>

namespace {

using at::Tensor;

at::Generator generator(int64_t seed, int64_t offset) {
  // 2^64 / golden ratio: neighbouring seeds and offsets land far apart.
  constexpr uint64_t kSpread = 0x9E3779B97F4A7C15ULL;
  return at::detail::createCPUGenerator((static_cast<uint64_t>(seed) + 1) * kSpread +
                                        static_cast<uint64_t>(offset));
}

Tensor& uniform_(Tensor& self, double from, double to, int64_t seed, int64_t offset) {
  return self.uniform_(from, to, generator(seed, offset));
}
Tensor& normal_(Tensor& self, double mean, double std, int64_t seed, int64_t offset) {
  return self.normal_(mean, std, generator(seed, offset));
}
Tensor& random_(Tensor& self, int64_t from, int64_t to, int64_t seed, int64_t offset) {
  return self.random_(from, to, generator(seed, offset));
}
Tensor& random_all_(Tensor& self, int64_t seed, int64_t offset) {
  return self.random_(generator(seed, offset));
}
Tensor& bernoulli_(Tensor& self, const at::Scalar& p, int64_t seed, int64_t offset) {
  return self.bernoulli_(p.toDouble(), generator(seed, offset));
}
Tensor& bernoulli_tensor_(Tensor& self, const Tensor& p, int64_t seed, int64_t offset) {
  return self.bernoulli_(p, generator(seed, offset));
}
Tensor& exponential_(Tensor& self, double lambd, int64_t seed, int64_t offset) {
  return self.exponential_(lambd, generator(seed, offset));
}
Tensor& randperm_out(int64_t n, int64_t seed, int64_t offset, Tensor& out) {
  return out.copy_(at::randperm(n, generator(seed, offset), at::kLong));
}
Tensor& normal_float_float_out(double mean, double std, int64_t seed, int64_t offset, Tensor& out) {
  return out.normal_(mean, std, generator(seed, offset));
}
Tensor multinomial(const Tensor& self, int64_t num_samples, bool replacement, int64_t seed, int64_t offset) {
  return at::multinomial(self, num_samples, replacement, generator(seed, offset));
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(toprope, m) {
  m.def("uniform_(Tensor(a!) self, float from, float to, int seed, int offset) -> Tensor(a!)", &uniform_);
  m.def("normal_(Tensor(a!) self, float mean, float std, int seed, int offset) -> Tensor(a!)", &normal_);
  m.def("random_(Tensor(a!) self, int from, int to, int seed, int offset) -> Tensor(a!)", &random_);
  m.def("random_all_(Tensor(a!) self, int seed, int offset) -> Tensor(a!)", &random_all_);
  m.def("bernoulli_(Tensor(a!) self, Scalar p, int seed, int offset) -> Tensor(a!)", &bernoulli_);
  m.def("bernoulli_.Tensor(Tensor(a!) self, Tensor p, int seed, int offset) -> Tensor(a!)",
        &bernoulli_tensor_);
  m.def("exponential_(Tensor(a!) self, float lambd, int seed, int offset) -> Tensor(a!)", &exponential_);
  m.def("randperm_out(int n, int seed, int offset, Tensor(a!) out) -> Tensor(a!)", &randperm_out);
  m.def("normal_float_float_out(float mean, float std, int seed, int offset, Tensor(a!) out) -> Tensor(a!)",
        &normal_float_float_out);
  m.def("multinomial(Tensor self, int num_samples, bool replacement, int seed, int offset) -> Tensor",
        &multinomial);
}
