// Operators of the tables that PyTorch has not under the device's interface: modes given as numbers, fused
// layers. Each is a dispatcher operator `toprope::name`, composed of PyTorch's own, so the tables name all
// targets in one way.
#include <ATen/ATen.h>
#include <torch/library.h>

#include <array>
#include <string>
#include <tuple>

namespace {

using at::Scalar;
using at::Tensor;
using std::optional;

// aclnnDivMod: 0 true division, 1 towards zero, 2 down.
optional<c10::string_view> rounding(int64_t mode) {
  switch (mode) {
    case 0:
      return std::nullopt;
    case 1:
      return "trunc";
    case 2:
      return "floor";
    default:
      TORCH_CHECK(false, "the mode of a division is 0, 1 (trunc) or 2 (floor), not ", mode);
  }
}

Tensor div_mode(const Tensor& self, const Tensor& other, int64_t mode) {
  return at::div(self, other, rounding(mode));
}
Tensor div_mode_scalar(const Tensor& self, const Scalar& other, int64_t mode) {
  return at::div(self, other, rounding(mode));
}
Tensor& div_mode_(Tensor& self, const Tensor& other, int64_t mode) {
  return self.div_(other, rounding(mode));
}
Tensor& div_mode_scalar_(Tensor& self, const Scalar& other, int64_t mode) {
  return self.div_(other, rounding(mode));
}

Tensor scalar_add(const Scalar& self, const Tensor& other, const Scalar& alpha) {
  return at::add(at::mul(other, alpha), self);
}

Tensor gelu_mode(const Tensor& self, int64_t approximate) {
  return at::gelu(self, approximate == 0 ? "none" : "tanh");
}

// Documented as x / (1 + exp(-1.702 |x|)) * exp(0.851 (x - |x|)), which is x * sigmoid(1.702 x) without
// overflow.
constexpr double kFastGelu = 1.702;

Tensor fast_gelu(const Tensor& self) {
  const Tensor x = self.to(at::kFloat);
  return (x * at::sigmoid(x * kFastGelu)).to(self.scalar_type());
}
Tensor fast_gelu_backward(const Tensor& grad, const Tensor& self) {
  const Tensor x = self.to(at::kFloat);
  const Tensor gate = at::sigmoid(x * kFastGelu);
  return (grad * (gate + x * kFastGelu * gate * (1 - gate))).to(self.scalar_type());
}

Tensor softmax_backward(const Tensor& grad_output, const Tensor& output, int64_t dim) {
  return at::_softmax_backward_data(grad_output, output, dim, output.scalar_type());
}
Tensor log_softmax_backward(const Tensor& grad_output, const Tensor& output, int64_t dim) {
  return at::_log_softmax_backward_data(grad_output, output, dim, output.scalar_type());
}

// SwiGLU: the first half of `dim`, through silu, times the second.
Tensor swiglu(const Tensor& self, int64_t dim) {
  const auto halves = self.to(at::kFloat).chunk(2, dim);
  TORCH_CHECK(halves.size() == 2 && halves[0].sizes() == halves[1].sizes(), "dimension ", dim,
              " of SwiGlu's input must be even, not ", self.size(dim));
  return (at::silu(halves[0]) * halves[1]).to(self.scalar_type());
}
Tensor swiglu_backward(const Tensor& grad_output, const Tensor& self, int64_t dim) {
  const auto halves = self.to(at::kFloat).chunk(2, dim);
  const Tensor grad = grad_output.to(at::kFloat);
  return at::cat({at::silu_backward(grad * halves[1], halves[0]), grad * at::silu(halves[0])}, dim)
      .to(self.scalar_type());
}

std::tuple<Tensor, Tensor> qr_mode(const Tensor& A, int64_t mode) {
  static constexpr std::array<const char*, 3> kModes{"reduced", "complete", "r"};
  TORCH_CHECK(mode >= 0 && mode < 3, "the mode of a QR decomposition is 0, 1 or 2, not ", mode);
  return at::linalg_qr(A, kModes[mode]);
}

Tensor& index_fill_at_(Tensor& self, int64_t dim, at::IntArrayRef index, const Scalar& value) {
  return self.index_fill_(dim, at::tensor(index, at::kLong), value);
}
Tensor index_fill_at(const Tensor& self, int64_t dim, at::IntArrayRef index, const Scalar& value) {
  Tensor filled = self.clone();
  return index_fill_at_(filled, dim, index, value);
}

// aclnnScatter: 0 replaces, 1 adds, 2 multiplies.
Tensor& scatter_mode_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, int64_t reduction) {
  if (reduction == 0) return self.scatter_(dim, index, src);
  return self.scatter_(dim, index, src, reduction == 1 ? "add" : "multiply");
}
Tensor& scatter_mode_value_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                            int64_t reduction) {
  if (reduction == 0) return self.scatter_(dim, index, value);
  return self.scatter_(dim, index, value, reduction == 1 ? "add" : "multiply");
}
Tensor scatter_mode(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                    int64_t reduction) {
  Tensor scattered = self.clone();
  return scatter_mode_(scattered, dim, index, src, reduction);
}
Tensor scatter_mode_value(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                          int64_t reduction) {
  Tensor scattered = self.clone();
  return scatter_mode_value_(scattered, dim, index, value, reduction);
}

Tensor& scatter_reduce_mode_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                             int64_t reduction, bool include_self) {
  static constexpr std::array<const char*, 6> kModes{"none", "sum", "prod", "amax", "amin", "mean"};
  TORCH_CHECK(reduction >= 0 && reduction < 6, "the reduction of a scatter is 0 to 5, not ", reduction);
  if (reduction == 0) return self.scatter_(dim, index, src);
  return self.scatter_reduce_(dim, index, src, kModes[reduction], include_self);
}
Tensor scatter_reduce_mode(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                           int64_t reduction, bool include_self) {
  Tensor scattered = self.clone();
  return scatter_reduce_mode_(scattered, dim, index, src, reduction, include_self);
}

Tensor nonzero_columns(const Tensor& self) { return at::nonzero(self).t().contiguous(); }

// The device's interface writes "no dimension" as 1000.
std::tuple<Tensor, Tensor, Tensor> unique_consecutive_dim(const Tensor& self, bool return_inverse,
                                                          bool return_counts, int64_t dim) {
  constexpr int64_t kNoDimension = 1000;
  return at::unique_consecutive(self, return_inverse, return_counts,
                                dim == kNoDimension ? std::nullopt : optional<int64_t>(dim));
}

Tensor one_hot_values(const Tensor& self, int64_t depth, const Tensor& on, const Tensor& off, int64_t axis) {
  const Tensor hot = self.unsqueeze(-1).eq(at::arange(depth, at::kLong));
  const Tensor values = at::where(hot, on.reshape({}), off.reshape({}));
  return axis == -1 ? values : values.movedim(-1, axis);
}

optional<int64_t> divisor(int64_t override) {
  return override == 0 ? std::nullopt : optional<int64_t>(override);
}

Tensor avg_pool2d(const Tensor& self, at::IntArrayRef kernel_size, at::IntArrayRef stride,
                  at::IntArrayRef padding, bool ceil_mode, bool count_include_pad, int64_t divisor_override) {
  return at::avg_pool2d(self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                        divisor(divisor_override));
}
Tensor avg_pool2d_backward(const Tensor& grad_output, const Tensor& self, at::IntArrayRef kernel_size,
                           at::IntArrayRef stride, at::IntArrayRef padding, bool ceil_mode,
                           bool count_include_pad, int64_t divisor_override) {
  return at::avg_pool2d_backward(grad_output, self, kernel_size, stride, padding, ceil_mode,
                                 count_include_pad, divisor(divisor_override));
}

// A mean spreads the gradient over all elements.
Tensor reduced(const Tensor& grad, const Tensor& self, int64_t reduction) {
  return reduction == at::Reduction::Mean ? grad / self.numel() : grad;
}

Tensor l1_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                        int64_t reduction) {
  return reduced(grad_output * at::sign(self - target), self, reduction);
}
Tensor kl_div_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
                       bool log_target) {
  const Tensor grad =
      log_target ? -at::exp(target) * grad_output : at::where(target > 0, -target * grad_output, 0);
  return reduced(grad.expand_as(self), self, reduction);
}

// RMSNorm over gamma's dimensions, in float as the device documents; rstd keeps them as ones.
std::tuple<Tensor, Tensor> rms_norm(const Tensor& self, const Tensor& gamma, double epsilon) {
  const Tensor x = self.to(at::kFloat);
  std::vector<int64_t> dims;
  for (int64_t i = self.dim() - gamma.dim(); i < self.dim(); ++i) dims.push_back(i);
  const Tensor rstd = at::rsqrt(x.pow(2).mean(dims, true) + epsilon);
  return {(x * rstd * gamma).to(self.scalar_type()), rstd};
}
std::tuple<Tensor, Tensor> rms_norm_backward(const Tensor& dy, const Tensor& self, const Tensor& rstd,
                                             const Tensor& gamma) {
  const Tensor x = self.to(at::kFloat) * rstd;
  const Tensor grad = dy.to(at::kFloat);
  std::vector<int64_t> inner, outer;
  for (int64_t i = 0; i < self.dim(); ++i) (i < self.dim() - gamma.dim() ? outer : inner).push_back(i);
  const Tensor scaled = grad * gamma;
  const Tensor dx = (scaled - x * (scaled * x).mean(inner, true)) * rstd;
  const Tensor dgamma = outer.empty() ? grad * x : (grad * x).sum(outer);
  return {dx.to(self.scalar_type()), dgamma};
}
std::tuple<Tensor, Tensor, Tensor> add_rms_norm(const Tensor& x1, const Tensor& x2, const Tensor& gamma,
                                                double epsilon) {
  const Tensor sum = x1 + x2;
  auto [y, rstd] = rms_norm(sum, gamma, epsilon);
  return {y, rstd, sum};
}

// Rotary position embedding: 0 rotates halves against each other, 1 neighbouring pairs.
Tensor rotary(const Tensor& self, const Tensor& cos, const Tensor& sin, int64_t mode) {
  TORCH_CHECK(mode == 0 || mode == 1,
              "RotaryPositionEmbedding is known here in the modes 0 (half) and 1 (interleave), not ", mode);
  const Tensor x = self.to(at::kFloat);
  Tensor turned;
  if (mode == 0) {
    const auto halves = x.chunk(2, -1);
    turned = at::cat({-halves[1], halves[0]}, -1);
  } else {
    const Tensor pairs = x.unflatten(-1, {-1, 2});
    turned = at::stack({-pairs.select(-1, 1), pairs.select(-1, 0)}, -1).flatten(-2);
  }
  return (x * cos + turned * sin).to(self.scalar_type());
}

// One step of an LSTM from the gates' linear parts. The workspace that the backward pass gets holds the gates
// i, f, g, o after their activations.
std::tuple<Tensor, Tensor, Tensor> lstm_cell(const Tensor& input_gates, const Tensor& hidden_gates,
                                             const Tensor& cx, const optional<Tensor>& input_bias,
                                             const optional<Tensor>& hidden_bias) {
  Tensor gates = input_gates + hidden_gates;
  if (input_bias && input_bias->defined()) gates = gates + *input_bias;
  if (hidden_bias && hidden_bias->defined()) gates = gates + *hidden_bias;
  const auto part = gates.chunk(4, 1);
  const Tensor i = part[0].sigmoid(), f = part[1].sigmoid(), g = part[2].tanh(), o = part[3].sigmoid();
  const Tensor cy = f * cx + i * g;
  return {o * cy.tanh(), cy, at::cat({i, f, g, o}, 1)};
}
std::tuple<Tensor, Tensor, Tensor> lstm_cell_backward(const optional<Tensor>& grad_hy,
                                                      const optional<Tensor>& grad_cy, const Tensor& cx,
                                                      const Tensor& cy, const Tensor& workspace,
                                                      bool has_bias) {
  const auto part = workspace.chunk(4, 1);
  const Tensor &i = part[0], &f = part[1], &g = part[2], &o = part[3];
  const Tensor hidden = grad_hy && grad_hy->defined() ? *grad_hy : at::zeros_like(cx);
  const Tensor squashed = cy.tanh();
  Tensor cell = hidden * o * (1 - squashed * squashed);
  if (grad_cy && grad_cy->defined()) cell = cell + *grad_cy;
  const Tensor gates = at::cat({cell * g * i * (1 - i), cell * cx * f * (1 - f), cell * i * (1 - g * g),
                                hidden * squashed * o * (1 - o)},
                               1);
  return {gates, cell * f, has_bias ? gates.sum(0) : Tensor()};
}

Tensor scaled_masked_softmax(const Tensor& x, const Tensor& mask, double scale, bool fixed_triu_mask) {
  Tensor scores = x.to(at::kFloat) * scale;
  const Tensor hidden = fixed_triu_mask ? at::ones({x.size(-2), x.size(-1)}, at::kBool).triu(1) : mask;
  // The documented fill, not -inf: a fully masked row stays finite.
  constexpr double kMasked = -10000.0;
  if (hidden.defined()) scores = scores.masked_fill(hidden.to(at::kBool), kMasked);
  return at::softmax(scores, -1).to(x.scalar_type());
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(toprope, m) {
  m.def("scalar_add(Scalar self, Tensor other, Scalar alpha) -> Tensor", &scalar_add);
  m.def("div_mode(Tensor self, Tensor other, int mode) -> Tensor", &div_mode);
  m.def("div_mode.Scalar(Tensor self, Scalar other, int mode) -> Tensor", &div_mode_scalar);
  m.def("div_mode_(Tensor(a!) self, Tensor other, int mode) -> Tensor(a!)", &div_mode_);
  m.def("div_mode_.Scalar(Tensor(a!) self, Scalar other, int mode) -> Tensor(a!)", &div_mode_scalar_);
  m.def("gelu_mode(Tensor self, int approximate) -> Tensor", &gelu_mode);
  m.def("fast_gelu(Tensor self) -> Tensor", &fast_gelu);
  m.def("fast_gelu_backward(Tensor grad, Tensor self) -> Tensor", &fast_gelu_backward);
  m.def("softmax_backward(Tensor grad_output, Tensor output, int dim) -> Tensor", &softmax_backward);
  m.def("log_softmax_backward(Tensor grad_output, Tensor output, int dim) -> Tensor", &log_softmax_backward);
  m.def("swiglu(Tensor self, int dim) -> Tensor", &swiglu);
  m.def("swiglu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor", &swiglu_backward);
  m.def("qr_mode(Tensor A, int mode) -> (Tensor, Tensor)", &qr_mode);
  m.def("index_fill_at(Tensor self, int dim, int[] index, Scalar value) -> Tensor", &index_fill_at);
  m.def("index_fill_at_(Tensor(a!) self, int dim, int[] index, Scalar value) -> Tensor(a!)", &index_fill_at_);
  m.def("scatter_mode(Tensor self, int dim, Tensor index, Tensor src, int reduction) -> Tensor",
        &scatter_mode);
  m.def("scatter_mode.value(Tensor self, int dim, Tensor index, Scalar value, int reduction) -> Tensor",
        &scatter_mode_value);
  m.def("scatter_mode_(Tensor(a!) self, int dim, Tensor index, Tensor src, int reduction) -> Tensor(a!)",
        &scatter_mode_);
  m.def(
      "scatter_mode_.value(Tensor(a!) self, int dim, Tensor index, Scalar value, int reduction) -> "
      "Tensor(a!)",
      &scatter_mode_value_);
  m.def(
      "scatter_reduce_mode(Tensor self, int dim, Tensor index, Tensor src, int reduction, bool include_self) "
      "-> Tensor",
      &scatter_reduce_mode);
  m.def(
      "scatter_reduce_mode_(Tensor(a!) self, int dim, Tensor index, Tensor src, int reduction, bool "
      "include_self) -> "
      "Tensor(a!)",
      &scatter_reduce_mode_);
  m.def("nonzero_columns(Tensor self) -> Tensor", &nonzero_columns);
  m.def(
      "unique_consecutive_dim(Tensor self, bool return_inverse, bool return_counts, int dim) -> (Tensor, "
      "Tensor, Tensor)",
      &unique_consecutive_dim);
  m.def("one_hot_values(Tensor self, int depth, Tensor on, Tensor off, int axis) -> Tensor", &one_hot_values);
  m.def(
      "avg_pool2d(Tensor self, int[] kernel_size, int[] stride, int[] padding, bool ceil_mode, bool "
      "count_include_pad, int "
      "divisor_override) -> Tensor",
      &avg_pool2d);
  m.def(
      "avg_pool2d_backward(Tensor grad_output, Tensor self, int[] kernel_size, int[] stride, int[] padding, "
      "bool ceil_mode, "
      "bool count_include_pad, int divisor_override) -> Tensor",
      &avg_pool2d_backward);
  m.def("l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
        &l1_loss_backward);
  m.def(
      "kl_div_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, bool log_target) -> "
      "Tensor",
      &kl_div_backward);
  m.def("rms_norm(Tensor self, Tensor gamma, float epsilon) -> (Tensor, Tensor)", &rms_norm);
  m.def("rms_norm_backward(Tensor dy, Tensor self, Tensor rstd, Tensor gamma) -> (Tensor, Tensor)",
        &rms_norm_backward);
  m.def("add_rms_norm(Tensor x1, Tensor x2, Tensor gamma, float epsilon) -> (Tensor, Tensor, Tensor)",
        &add_rms_norm);
  m.def("rotary(Tensor self, Tensor cos, Tensor sin, int mode) -> Tensor", &rotary);
  m.def(
      "lstm_cell(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? input_bias, Tensor? "
      "hidden_bias) -> (Tensor, "
      "Tensor, Tensor)",
      &lstm_cell);
  m.def(
      "lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy, Tensor workspace, bool "
      "has_bias) -> "
      "(Tensor, Tensor, Tensor)",
      &lstm_cell_backward);
  m.def("scaled_masked_softmax(Tensor x, Tensor mask, float scale, bool fixed_triu_mask) -> Tensor",
        &scaled_masked_softmax);
}
