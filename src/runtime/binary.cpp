// Kernel libraries loaded from a file or from memory, and launches by handle. What aclrtc compiled carries a
// table of its kernels (toprope/driver/entries.h); anything else is code for a device, which cannot run here.
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "acl/acl_rt.h"
#include "runtime/error.h"
#include "toprope/driver/entries.h"

using namespace toprope;

namespace {

constexpr const char* kDeviceCode =
    "device binaries cannot run here; compile the kernel with bisheng and launch it with <<<>>>, or with "
    "aclrtc";

/// One loaded library. It stays for the life of the process, since a stream may still hold its launches; the
/// same content is loaded once.
struct Binary {
  const KernelEntry* kernels;
};

class Binaries {
 public:
  Binary* load(const std::string& content) {
    std::lock_guard lock(mutex_);
    std::unique_ptr<Binary>& loaded = by_content_[content];
    if (!loaded) loaded = open(content);
    if (loaded) handles_.insert(loaded.get());
    return loaded.get();
  }
  bool unload(const Binary* binary) {
    std::lock_guard lock(mutex_);
    return handles_.erase(binary) > 0;
  }
  bool is_loaded(const Binary* binary) {
    std::lock_guard lock(mutex_);
    return handles_.count(binary) > 0;
  }
  /// Whether a function handle is of a library that was loaded.
  bool has(const KernelEntry* kernel) {
    std::lock_guard lock(mutex_);
    for (const auto& [content, binary] : by_content_) {
      for (const KernelEntry* entry = binary ? binary->kernels : nullptr; entry && entry->function; ++entry)
        if (entry == kernel) return true;
    }
    return false;
  }

 private:
  // Through a file with a name, so that reports find its debug information; the name is gone when the program
  // ends.
  std::unique_ptr<Binary> open(const std::string& content) {
    const char* directory = getenv("TMPDIR");
    std::string path =
        std::string(directory && *directory ? directory : P_tmpdir) + "/toprope-kernels-XXXXXX";
    const int fd = mkstemp(path.data());
    if (fd < 0) throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
    files_.push_back(std::make_unique<File>(path));
    for (size_t done = 0; done < content.size();) {
      const ssize_t wrote = write(fd, content.data() + done, content.size() - done);
      if (wrote < 0) {
        close(fd);
        throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
      }
      done += static_cast<size_t>(wrote);
    }
    close(fd);
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return nullptr;
    const void* table = dlsym(library, kernel_table_symbol);
    if (!table) return nullptr;
    return std::make_unique<Binary>(Binary{static_cast<const KernelEntry*>(table)});
  }

  struct File {
    explicit File(std::string p) : path(std::move(p)) {}
    ~File() { unlink(path.c_str()); }
    std::string path;
  };

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Binary>> by_content_;
  std::set<const Binary*> handles_;
  std::vector<std::unique_ptr<File>> files_;
};

Binaries& binaries() {
  static Binaries all;
  return all;
}

aclError load(const char* api, const std::string& content, aclrtBinHandle* out) {
  constexpr std::string_view elf = "\177ELF";
  if (content.compare(0, elf.size(), elf) != 0)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the {} bytes are no ELF file", content.size());
  Binary* binary = binaries().load(content);
  if (!binary) return unsupported(api, kDeviceCode);
  *out = binary;
  return ACL_SUCCESS;
}

/// By its name as it was asked for, "ns::add<float>", or as it is mangled.
const KernelEntry* find_kernel(const Binary& binary, std::string_view name) {
  for (const KernelEntry* entry = binary.kernels; entry->function; ++entry) {
    if (name == entry->site.kernel) return entry;
    Dl_info info;
    if (dladdr(entry->function, &info) && info.dli_sname && name == info.dli_sname) return entry;
  }
  return nullptr;
}

std::string names_of(const Binary& binary) {
  std::string names;
  for (const KernelEntry* entry = binary.kernels; entry->function; ++entry)
    names += (names.empty() ? "" : ", ") + std::string(entry->site.kernel);
  return names.empty() ? "none" : names;
}

/// Runs `body(kernel)` for a handle of aclrtBinaryGetFunction.
template <class Body>
aclError with_function(const char* api, aclrtFuncHandle handle, Body&& body) {
  return guarded(api, [&]() -> aclError {
    const auto* kernel = static_cast<const KernelEntry*>(handle);
    if (!kernel || !binaries().has(kernel))
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the function is not one of aclrtBinaryGetFunction");
    return body(*kernel);
  });
}

aclError launch(const KernelEntry& kernel, uint32_t blocks, aclrtStream stream,
                const void* const* arguments) {
  LaunchConfig config;
  config.blocks = blocks;
  config.stream = stream;
  return static_cast<aclError>(kernel.launch(kernel, config, arguments));
}

}  // namespace

extern "C" {

aclError aclrtBinaryLoadFromFile(const char* binPath, aclrtBinaryLoadOptions*, aclrtBinHandle* binHandle) {
  constexpr const char* api = "aclrtBinaryLoadFromFile";
  return guarded(api, [&]() -> aclError {
    if (!binPath || !binHandle) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "binPath or binHandle is null");
    std::ifstream in(binPath, std::ios::binary);
    if (!in)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "cannot read {}: {}", binPath, std::strerror(errno));
    return load(api, {std::istreambuf_iterator<char>(in), {}}, binHandle);
  });
}

aclError aclrtBinaryLoadFromData(const void* data, size_t length, const aclrtBinaryLoadOptions*,
                                 aclrtBinHandle* binHandle) {
  constexpr const char* api = "aclrtBinaryLoadFromData";
  return guarded(api, [&]() -> aclError {
    if (!data || !binHandle) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "data or binHandle is null");
    return load(api, {static_cast<const char*>(data), length}, binHandle);
  });
}

aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle) {
  constexpr const char* api = "aclrtBinaryUnLoad";
  return guarded(api, [&]() -> aclError {
    if (!binaries().unload(static_cast<const Binary*>(binHandle)))
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the handle is not one of a loaded binary");
    return ACL_SUCCESS;
  });
}

aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char* kernelName,
                                aclrtFuncHandle* funcHandle) {
  constexpr const char* api = "aclrtBinaryGetFunction";
  return guarded(api, [&]() -> aclError {
    const auto* binary = static_cast<const Binary*>(binHandle);
    if (!kernelName || !funcHandle || !binaries().is_loaded(binary))
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} is null or no handle of a loaded binary",
                  !kernelName   ? "kernelName"
                  : !funcHandle ? "funcHandle"
                                : "binHandle");
    const KernelEntry* kernel = find_kernel(*binary, kernelName);
    if (!kernel)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "no kernel {} in the binary; it has {}", kernelName,
                  names_of(*binary));
    *funcHandle = const_cast<KernelEntry*>(kernel);
    return ACL_SUCCESS;
  });
}

aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void** aicAddr, void** aivAddr) {
  return with_function("aclrtGetFunctionAddr", funcHandle, [&](const KernelEntry& kernel) -> aclError {
    for (void** out : {aicAddr, aivAddr})
      if (out) *out = const_cast<void*>(kernel.function);
    return ACL_SUCCESS;
  });
}

aclError aclrtLaunchKernelWithArgsArray(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                        aclrtLaunchKernelCfg*, void** args) {
  constexpr const char* api = "aclrtLaunchKernelWithArgsArray";
  return with_function(api, funcHandle, [&](const KernelEntry& kernel) -> aclError {
    for (uint32_t i = 0; i < kernel.parameters; ++i)
      if (!args || !args[i])
        return fail(ACL_ERROR_RT_PARAM_INVALID, api, "argument {} of {}'s {} is null", i, kernel.site.kernel,
                    kernel.parameters);
    return launch(kernel, numBlocks, stream, args);
  });
}

aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData,
                           size_t argsSize, aclrtStream stream) {
  constexpr const char* api = "aclrtLaunchKernel";
  return with_function(api, funcHandle, [&](const KernelEntry& kernel) -> aclError {
    // The arguments lie as in a struct of them.
    std::vector<const void*> arguments(kernel.parameters);
    size_t at = 0;
    for (uint32_t i = 0; i < kernel.parameters; ++i) {
      const size_t unit = kernel.aligned[i];
      at = (at + unit - 1) / unit * unit;
      arguments[i] = static_cast<const char*>(argsData) + at;
      at += kernel.sizes[i];
    }
    if (at > argsSize || (at && !argsData))
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} takes {} bytes of arguments, argsSize is {}",
                  kernel.site.kernel, at, argsSize);
    return launch(kernel, numBlocks, stream, arguments.data());
  });
}

}  // extern "C"
