#include "check/digest.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/memory_registry.h"
#include "machine/ranges.h"

namespace toprope::check {

Digest::Digest(const char* path) : file_(std::fopen(path, "w")) {
  if (!file_) std::fprintf(stderr, "toprope: TOPROPE_DIGEST: %s cannot be written\n", path);
}

Digest::~Digest() {
  if (file_) std::fclose(file_);
}

void Digest::on_instruction(Core&, const Instruction&, std::span<const Access> accesses, Site) {
  for (const Access& a : accesses)
    if (a.write && a.slice.mem == Mem::GM)
      for_each_range(a, [&](uint64_t begin, uint64_t end) {
        written_.update(begin, end, [](bool& written, uint64_t, uint64_t) { written = true; });
      });
}

void Digest::on_launch(const Launch& launch, bool begins) {
  if (begins) {
    written_ = {};
    ++launches_;
    return;
  }
  if (!file_) return;
  nlohmann::json runs = nlohmann::json::array();
  written_.look(0, ~uint64_t{0}, [&](bool, uint64_t begin, uint64_t end) {
    const auto block = memory_registry().find(begin);
    const std::string_view bytes(reinterpret_cast<const char*>(begin), end - begin);
    runs.push_back({{"offset", block ? begin - block->base : 0},
                    {"bytes", end - begin},
                    {"allocation", block ? block->size : 0},
                    {"hash", std::hash<std::string_view>{}(bytes)}});
  });
  const nlohmann::json line = {{"launch", launches_},
                               {"kernel", launch.kernel},
                               {"file", launch.file},
                               {"line", launch.line},
                               {"written", std::move(runs)}};
  std::fprintf(file_, "%s\n", line.dump().c_str());
  std::fflush(file_);
}

}  // namespace toprope::check
