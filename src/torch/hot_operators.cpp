// Operators that training loops and launch wrappers call again and again.
// The operator headers need what our two declare, and do not include it themselves; hence this order.
// clang-format off
#include "torch/registrations.h"
#include "torch/unboxed.h"

#include <ATen/ops/add_ops.h>
#include <ATen/ops/addmm_ops.h>
#include <ATen/ops/bmm_ops.h>
#include <ATen/ops/div_ops.h>
#include <ATen/ops/eq_ops.h>
#include <ATen/ops/exp_ops.h>
#include <ATen/ops/fill_ops.h>
#include <ATen/ops/gt_ops.h>
#include <ATen/ops/lt_ops.h>
#include <ATen/ops/mm_ops.h>
#include <ATen/ops/mul_ops.h>
#include <ATen/ops/ne_ops.h>
#include <ATen/ops/neg_ops.h>
#include <ATen/ops/relu_ops.h>
#include <ATen/ops/sub_ops.h>
#include <ATen/ops/sum_ops.h>
#include <ATen/ops/zero_ops.h>
// clang-format on

namespace toprope::torch_side {
namespace {

template <class Op>
void add_hot() {
  add_kernel(Unboxed<Op>::handle(), c10::DispatchKey::PrivateUse1,
             c10::KernelFunction::makeFromUnboxedFunction(TORCH_FN(Unboxed<Op>::call)));
}

}  // namespace

void register_hot_operators() {
  namespace ops = at::_ops;
  add_hot<ops::add_Tensor>();
  add_hot<ops::add__Tensor>();
  add_hot<ops::add_out>();
  add_hot<ops::sub_Tensor>();
  add_hot<ops::sub__Tensor>();
  add_hot<ops::sub_out>();
  add_hot<ops::mul_Tensor>();
  add_hot<ops::mul__Tensor>();
  add_hot<ops::mul_out>();
  add_hot<ops::div_Tensor>();
  add_hot<ops::div__Tensor>();
  add_hot<ops::div_out>();
  add_hot<ops::neg>();
  add_hot<ops::exp>();
  add_hot<ops::relu>();
  add_hot<ops::eq_Tensor>();
  add_hot<ops::ne_Tensor>();
  add_hot<ops::lt_Scalar>();
  add_hot<ops::gt_Scalar>();
  add_hot<ops::fill__Scalar>();
  add_hot<ops::zero_>();
  add_hot<ops::sum_dim_IntList>();
  add_hot<ops::mm>();
  add_hot<ops::bmm>();
  add_hot<ops::addmm>();
}

}  // namespace toprope::torch_side
