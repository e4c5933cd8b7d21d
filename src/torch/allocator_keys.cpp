// For CUDA builds of torch alone (python/toprope/torch_session.py loads it for no other): libc10_cuda and
// libtorch_npu both register a parser for the allocator's settings, with the same keys, and torch refuses a
// key that it already has, which ends the process while libtorch_npu is being loaded. Loaded before
// libtorch_npu, these definitions stand in front of libc10's: libtorch_npu registers its keys in a set of its
// own, and whoever asks for the keys gets both sets.
#include <c10/core/AllocatorConfig.h>
#include <dlfcn.h>

#include <string>
#include <unordered_set>

namespace {

using Keys = std::unordered_set<std::string>;
using KeysFunction = Keys& (*)();

Keys& late_keys() {
  static auto* const keys = new Keys();
  return *keys;
}

// The set that libc10's own definition of the function below returns. The function's mangled name, which the
// compiler knows, comes from the dynamic linker.
Keys& torch_keys() {
  static const auto original = [] {
    Dl_info symbol{};
    dladdr(reinterpret_cast<void*>(&c10::CachingAllocator::AcceleratorAllocatorConfig::getMutableKeys),
           &symbol);
    void* c10 = dlopen("libc10.so", RTLD_NOW | RTLD_NOLOAD);
    return c10 == nullptr ? nullptr : reinterpret_cast<KeysFunction>(dlsym(c10, symbol.dli_sname));
  }();
  static auto* const none = new Keys();
  return original != nullptr ? original() : *none;
}

}  // namespace

namespace c10::CachingAllocator {

__attribute__((visibility("default"))) Keys& AcceleratorAllocatorConfig::getMutableKeys() {
  return late_keys();
}

__attribute__((visibility("default"))) const Keys& AcceleratorAllocatorConfig::getKeys() {
  static auto* const both = new Keys();
  both->insert(torch_keys().begin(), torch_keys().end());
  both->insert(late_keys().begin(), late_keys().end());
  return *both;
}

}  // namespace c10::CachingAllocator
