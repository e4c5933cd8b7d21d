#include "check/cache.h"

#include <string>

#include "check/order.h"
#include "machine/ranges.h"

namespace toprope::check {
namespace {

constexpr uint64_t kLine = 64;
constexpr size_t kLines = 65536;  // more are not remembered: caches are small, and have written back by then

/// The bits of the bytes [begin, end) of a line.
uint64_t bits_of(uint64_t begin, uint64_t end) {
  const uint64_t below_end = end >= kLine ? ~uint64_t{0} : (uint64_t{1} << end) - 1;
  return below_end & ~((uint64_t{1} << begin) - 1);
}

const char* const kClean =
    "DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>";

}  // namespace

void Cache::on_launch(const Launch&, bool) { lines_.clear(); }

void Cache::on_cache(Core& core, const CacheEvent& event, Site) {
  const uint32_t self = core_number(core);
  if (event.whole) {
    std::erase_if(lines_, [self](const auto& line) { return line.second.core == self; });
    return;
  }
  const auto found = lines_.find(event.at / kLine);
  if (found != lines_.end() && found->second.core == self) lines_.erase(found);
}

void Cache::on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                           Site site) {
  for (const Access& a : accesses) {
    if (a.slice.mem != Mem::GM) continue;
    if (a.cached && a.write)
      store(core, a, site);
    else if (!a.write && !lines_.empty())
      look(core, instruction, a, site);
  }
}

void Cache::store(Core& core, const Access& a, Site site) {
  const uint32_t self = core_number(core);
  if (lines_.size() > kLines) lines_.clear();
  for (uint64_t at = a.slice.at; at < a.slice.at + a.run;) {
    const uint64_t end = std::min(a.slice.at + a.run, (at / kLine + 1) * kLine);
    const uint64_t bits = bits_of(at % kLine, end - at / kLine * kLine);
    const auto [line, fresh] = lines_.try_emplace(at / kLine, Dirty{self, bits, site});
    if (!fresh) {
      Dirty& dirty = line->second;
      // The same bytes are a race, and reported as one.
      if (dirty.core != self && !(dirty.bytes & bits) &&
          !reporter().repeated("race", site, dirty.site, core)) {
        Finding f;
        f.check = f.group = "race";
        f.rule = "race.line";
        f.message =
            "SetValue writes to a line of 64 bytes of GM that another block's SetValue has written to as "
            "well: "
            "each core writes the whole line back, and what the other one wrote may be lost";
        f.cure = "give each block 64 bytes of its own, or write through UB with DataCopyPad";
        f.places = {{"SetValue writes here", "SetValue", site},
                    {"the other block wrote here", "SetValue", dirty.site}};
        name_block(f, core);
        reporter().add(std::move(f));
      }
      dirty = {self, dirty.core == self ? dirty.bytes | bits : bits, site};
    }
    at = end;
  }
}

void Cache::look(Core& core, const Instruction& instruction, const Access& a, Site site) {
  const uint32_t self = core_number(core);
  for_each_range(a, [&](uint64_t begin, uint64_t end) {
    const auto read = [&](uint64_t number, const Dirty& dirty) {
      const uint64_t first = number * kLine, from = std::max(begin, first), to = std::min(end, first + kLine);
      if (from >= to || !(dirty.bytes & bits_of(from - first, to - first))) return;
      if (dirty.core == self && a.cached) return;  // the core's own cache has it
      if (reporter().repeated("race", site, dirty.site, core)) return;
      const bool own = dirty.core == self;
      Finding f;
      f.check = f.group = "race";  // where Race has reported the two places, there is nothing to add
      f.rule = "race.cache";
      f.message = std::string(instruction.name) + " (" + name_of(instruction.pipe) + ") reads " + a.operand +
                  " in GM, which " + (own ? "" : "another block's ") +
                  "SetValue wrote into its core's data cache; nothing has written "
                  "it back to memory";
      f.cure = std::string("call ") + kClean + " on the line after SetValue, before the " +
               (own ? "flag to " + std::string(name_of(instruction.pipe)) : "synchronisation of the cores");
      f.places = {{std::string(instruction.name) + " reads here", instruction.name, site},
                  {"SetValue wrote here", "SetValue", dirty.site}};
      name_block(f, core);
      reporter().add(std::move(f));
    };
    if ((end - begin) / kLine < lines_.size()) {
      for (uint64_t number = begin / kLine; number <= (end - 1) / kLine; ++number)
        if (const auto line = lines_.find(number); line != lines_.end()) read(number, line->second);
    } else {
      for (const auto& [number, dirty] : lines_) read(number, dirty);
    }
  });
}

}  // namespace toprope::check
