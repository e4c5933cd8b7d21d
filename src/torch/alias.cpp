#include "torch/alias.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/CPUAllocator.h>

#include "opapi/formats.h"
#include "torch/device_memory.h"
#include "torch/tensor_fields.h"
#include "torch_npu/csrc/core/NPUStorageImpl.h"

namespace toprope::torch_side {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;

// What survives a change of device: lazy conjugation and negation are flags, not bytes.
constexpr DispatchKeySet kKept({DispatchKey::Conjugate, DispatchKey::Negative, DispatchKey::ZeroTensor});
// The keys that a tensor of each device has, as TensorImpl's constructor would give them; without autograd
// for inference tensors. The CPU ones leave autocast out: the npu's has already chosen the types.
constexpr DispatchKeySet kCpuInference(DispatchKey::CPU);
constexpr DispatchKeySet kCpuKeys =
    kCpuInference | DispatchKeySet({DispatchKey::ADInplaceOrView, DispatchKey::AutogradCPU});
constexpr DispatchKeySet kNpuInference({DispatchKey::PrivateUse1, DispatchKey::AutocastPrivateUse1});
constexpr DispatchKeySet kNpuKeys =
    kNpuInference | DispatchKeySet({DispatchKey::ADInplaceOrView, DispatchKey::AutogradPrivateUse1});

DispatchKeySet keys_like(c10::TensorImpl* like, DispatchKeySet normal, DispatchKeySet inference) {
  return (like->is_inference() ? inference : normal) | (like->key_set() & kKept);
}

void release_storage(void* storage) {
  c10::raw::intrusive_ptr::decref(static_cast<c10::StorageImpl*>(storage));
}

// A block at the bytes of `owner` that keeps it alive.
at::DataPtr block_of(c10::StorageImpl* owner, c10::Device device) {
  c10::raw::intrusive_ptr::incref(owner);
  return {const_cast<void*>(owner->data()), owner, &release_storage, device};
}

aclFormat base_format(size_t dims) {
  return dims == 4 ? ACL_FORMAT_NCHW : dims == 5 ? ACL_FORMAT_NCDHW : ACL_FORMAT_ND;
}

// torch_npu reads the layout of a storage from its description. Memory whose order is not the tensor's is
// described as a flat row: every view of it is then found through strides alone.
void describe(c10::StorageImpl* storage, const c10::TensorImpl* tensor) {
  auto& desc = static_cast<torch_npu::NPUStorageImpl*>(storage)->npu_desc_;
  const int64_t item = static_cast<int64_t>(tensor->dtype().itemsize());
  const int64_t elements = item == 0 ? 0 : static_cast<int64_t>(storage->nbytes()) / item;
  if (tensor->is_contiguous() && tensor->storage_offset() == 0 && tensor->numel() == elements) {
    desc.base_sizes_.assign(tensor->sizes().begin(), tensor->sizes().end());
    desc.base_strides_.assign(tensor->strides().begin(), tensor->strides().end());
  } else {
    desc.base_sizes_.assign(1, elements);
    desc.base_strides_.assign(1, 1);
  }
  desc.storage_sizes_ = desc.base_sizes_;
  desc.origin_format_ = desc.npu_format_ = base_format(desc.base_sizes_.size());
  desc.data_type_ = tensor->dtype();
}

// The memory of a result as npu memory: taken over where the result alone holds a block of npu memory, copied
// where the kernel returned memory of another kind.
at::DataPtr take_block(c10::StorageImpl* cpu, c10::Device device) {
  if (is_device_block(cpu->data_ptr())) {
    return on_device(cpu->set_data_ptr(at::DataPtr(nullptr, c10::kCPU)), device);
  }
  const DeviceMemoryScope scope(device);
  at::DataPtr block = c10::GetCPUAllocator()->allocate(cpu->nbytes());
  std::memcpy(block.get(), cpu->data(), cpu->nbytes());
  return on_device(std::move(block), device);
}

at::Tensor cast_format(const at::Tensor& npu, int64_t format) {
  static const auto op =
      c10::Dispatcher::singleton()
          .findSchemaOrThrow("npu::npu_format_cast", "")
          .typed<at::Tensor(const at::Tensor&, int64_t, std::optional<int64_t>, std::optional<int64_t>)>();
  return op.call(npu, format, std::nullopt, std::nullopt);
}

void write_formatted(const at::Tensor& npu, const at::Tensor& plain) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("npu::npu_format_cast_", "")
                             .typed<at::Tensor&(at::Tensor&, const at::Tensor&, std::optional<int64_t>,
                                                std::optional<int64_t>)>();
  at::Tensor target = npu;
  op.call(target, plain, std::nullopt, std::nullopt);
}

}  // namespace

bool is_npu(const at::Tensor& tensor) {
  return tensor.defined() && tensor.key_set().has_backend(c10::BackendComponent::PrivateUse1Bit) &&
         tensor.layout() == c10::kStrided;
}

bool has_internal_format(const at::Tensor& npu) {
  const auto* storage = npu.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
  return !opapi::is_plain(static_cast<const torch_npu::NPUStorageImpl*>(storage)->npu_desc_.npu_format_);
}

c10::Storage Aliases::cpu_storage(const c10::Storage& npu) {
  for (const StoragePair& pair : storages_) {
    if (pair.npu.unsafeGetStorageImpl() == npu.unsafeGetStorageImpl()) return pair.cpu;
  }
  c10::StorageImpl* impl = npu.unsafeGetStorageImpl();
  c10::Storage cpu(c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), impl->nbytes(),
                                                         block_of(impl, c10::kCPU), c10::GetCPUAllocator(),
                                                         /*resizable=*/true));
  storages_.push_back({npu, cpu});
  return cpu;
}

at::Tensor Aliases::of(const at::Tensor& npu, bool mutated) {
  for (Pair& pair : tensors_) {
    if (pair.npu.is_same(npu)) {
      pair.mutated |= mutated;
      return pair.cpu;
    }
  }
  at::Tensor plain;
  if (C10_UNLIKELY(has_internal_format(npu))) plain = cast_format(npu, base_format(npu.dim()));
  c10::TensorImpl* from = (plain.defined() ? plain : npu).unsafeGetTensorImpl();
  auto impl = c10::make_intrusive<c10::TensorImpl>(cpu_storage(from->unsafe_storage()),
                                                   DispatchKeySet(DispatchKey::CPU), from->dtype());
  TensorFields::keys(impl.get()) = keys_like(from, kCpuKeys, kCpuInference);
  impl->set_storage_offset(from->storage_offset());
  impl->set_sizes_and_strides(from->sizes(), from->strides());
  if (from->is_wrapped_number()) impl->set_wrapped_number(true);
  at::Tensor cpu(std::move(impl));
  tensors_.push_back({npu, cpu, std::move(plain), mutated});
  return cpu;
}

void Aliases::write_back() {
  for (const Pair& pair : tensors_) {
    if (!pair.mutated) continue;
    if (pair.plain.defined()) {
      write_formatted(pair.npu, pair.plain);
      continue;
    }
    c10::TensorImpl* npu = pair.npu.unsafeGetTensorImpl();
    c10::TensorImpl* cpu = pair.cpu.unsafeGetTensorImpl();
    const c10::Storage target = npu_storage(cpu->unsafe_storage(), cpu, pair.npu.device());
    if (target.unsafeGetStorageImpl() != npu->unsafe_storage().unsafeGetStorageImpl()) {
      npu->set_storage_keep_dtype(target);
    }
    c10::StorageImpl* npu_bytes = target.unsafeGetStorageImpl();
    c10::StorageImpl* cpu_bytes = cpu->unsafe_storage().unsafeGetStorageImpl();
    if (npu_bytes->data() != cpu_bytes->data() || npu_bytes->nbytes() != cpu_bytes->nbytes()) {
      const size_t bytes = cpu_bytes->nbytes();
      npu_bytes->set_data_ptr_noswap(take_block(cpu_bytes, pair.npu.device()));
      npu_bytes->set_nbytes(bytes);
      describe(npu_bytes, cpu);
    }
    if (npu->sizes() != cpu->sizes() || npu->strides() != cpu->strides() ||
        npu->storage_offset() != cpu->storage_offset()) {
      npu->set_storage_offset(cpu->storage_offset());
      npu->set_sizes_and_strides(cpu->sizes(), cpu->strides());
    }
  }
}

c10::Storage Aliases::npu_storage(const c10::Storage& cpu, const c10::TensorImpl* described,
                                  c10::Device device) {
  for (const StoragePair& pair : storages_) {
    if (pair.cpu.unsafeGetStorageImpl() == cpu.unsafeGetStorageImpl()) return pair.npu;
  }
  c10::StorageImpl* impl = cpu.unsafeGetStorageImpl();
  const size_t bytes = impl->nbytes();
  // Two results over one fresh storage must stay two views of it, so a shared one is held instead of emptied.
  const bool alone = cpu.use_count() == 1;
  at::DataPtr block =
      alone || !is_device_block(impl->data_ptr()) ? take_block(impl, device) : block_of(impl, device);
  c10::Storage npu(c10::make_storage_impl(c10::StorageImpl::use_byte_size_t(), bytes, std::move(block),
                                          npu_allocator(), /*resizable=*/true, device));
  describe(npu.unsafeGetStorageImpl(), described);
  if (!alone) storages_.push_back({npu, cpu});
  return npu;
}

at::Tensor Aliases::npu_of(at::Tensor result, c10::Device device) {
  if (!result.defined() || is_npu(result)) return result;
  for (const Pair& pair : tensors_) {
    if (pair.cpu.is_same(result)) return pair.npu;
  }
  c10::TensorImpl* impl = result.unsafeGetTensorImpl();
  if (impl->layout() != c10::kStrided || !impl->has_storage()) return result;
  c10::Storage storage = npu_storage(impl->unsafe_storage(), impl, device);
  const DispatchKeySet keys = keys_like(impl, kNpuKeys, kNpuInference);
  if (result.use_count() == 1) {
    TensorFields::keys(impl) = keys;
    TensorFields::device(impl) = device;
    TensorFields::storage(impl) = std::move(storage);
    return result;
  }
  auto npu = c10::make_intrusive<c10::TensorImpl>(std::move(storage),
                                                  DispatchKeySet(DispatchKey::PrivateUse1), impl->dtype());
  TensorFields::keys(npu.get()) = keys;
  npu->set_storage_offset(impl->storage_offset());
  npu->set_sizes_and_strides(impl->sizes(), impl->strides());
  return at::Tensor(std::move(npu));
}

}  // namespace toprope::torch_side
