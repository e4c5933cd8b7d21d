#include "check/leak.h"

#include <map>
#include <string>

#include "base/memory_registry.h"
#include "machine/symbolize.h"

namespace toprope::check {
namespace {

/// torch_npu's allocator keeps what it has taken until the process ends, as PyTorch's do on every device.
bool keeps_its_memory(Site site) { return module_path(site).find("libtorch_npu") != std::string::npos; }

}  // namespace

Leak::~Leak() {
  struct Lost {
    size_t blocks = 0, bytes = 0;
  };
  std::map<Site, Lost> lost;  // by the call that allocated
  for (const MemoryBlock& block : memory_registry().all()) {
    if (block.kind != MemoryKind::Device || keeps_its_memory(block.site)) continue;
    Lost& l = lost[block.site];
    ++l.blocks;
    l.bytes += block.size;
  }
  for (const auto& [site, l] : lost) {
    Finding f;
    f.check = "leak";
    f.rule = "leak.device";
    f.severity = Severity::Warning;
    f.message = std::to_string(l.bytes) + " bytes of device memory" +
                (l.blocks > 1 ? " in " + std::to_string(l.blocks) + " allocations" : std::string()) +
                " are not freed when the program ends";
    f.cure = "call aclrtFree before aclrtResetDevice";
    f.places = {{"the memory was allocated here", "aclrtMalloc", site}};
    reporter().add(std::move(f));
  }
}

void Leak::on_host(const HostEvent& e, Site site) {
  if (e.kind != HostEvent::RefusedFree) return;
  const auto held = memory_registry().find(e.at), freed = memory_registry().removed(e.at);
  const bool twice = !held && freed && freed->base == e.at;
  Finding f;
  f.check = "leak";
  f.rule = twice ? "leak.double_free" : "leak.wrong_free";
  f.message = e.message;
  f.cure = twice ? "free memory once, and set the pointer to nullptr"
                 : "free what an allocation gave, with the function that belongs to it";
  f.places = {{std::string(e.api) + " is called here", e.api, site}};
  if (twice) f.places.push_back({"the memory was freed here before", "aclrtFree", freed->freed});
  if (const auto& block = held ? held : freed)
    f.places.push_back({"and allocated here", "aclrt", block->site});
  reporter().add(std::move(f));
}

}  // namespace toprope::check
