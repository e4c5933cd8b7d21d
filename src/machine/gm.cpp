#include "toprope/machine/gm.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>

#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/tell.h"

namespace toprope {
namespace {

// A core that has looked this often lets others run …
constexpr uint32_t kReadsBetweenTurns = 256;
// … and after so many turns without anything new it waits for a change: then nobody else being able to run is
// a deadlock. A loop that gives up by itself has long ended by then.
constexpr uint32_t kTurns = 20000;
// Words that it may poll in turn; who polls more is never found to wait for nothing.
constexpr size_t kSeen = 256;

constexpr Instruction kRead{"ReadGmByPassDCache", Pipe::S}, kWrite{"WriteGmByPassDCache", Pipe::S};

uint64_t load(const void* at, uint32_t bytes) {
  switch (bytes) {
    case 1:
      return __atomic_load_n(static_cast<const uint8_t*>(at), __ATOMIC_ACQUIRE);
    case 2:
      return __atomic_load_n(static_cast<const uint16_t*>(at), __ATOMIC_ACQUIRE);
    case 4:
      return __atomic_load_n(static_cast<const uint32_t*>(at), __ATOMIC_ACQUIRE);
    default:
      return __atomic_load_n(static_cast<const uint64_t*>(at), __ATOMIC_ACQUIRE);
  }
}

void check(Core& c, const Instruction& instruction, const void* at, uint32_t bytes, Site site) {
  if (at && reinterpret_cast<uintptr_t>(at) % bytes == 0) [[likely]]
    return;
  refuse(c, instruction.name,
         at ? "the address is not a multiple of the element's " + std::to_string(bytes) + " bytes"
            : "a null address",
         "give the address of an element in GM", site);
}

void tell(Core& c, const Instruction& instruction, const void* at, uint32_t bytes, bool write, Site site) {
  Access access;
  access.operand = write ? "dst" : "src";
  access.slice = {reinterpret_cast<uintptr_t>(at), 0, 0, Mem::GM};
  access.run = bytes;
  access.write = write;
  access.atomic = true;  // cores talk to each other through such words
  tell_instruction(c, instruction, {&access, 1}, site);
}

/// Whoever reads what was written comes after it.
void order(Core& c, SyncEvent::Kind kind, const void* at, Site site) {
  for (Observer* o : observers(Heard::Sync))
    o->on_sync(c, {kind, reinterpret_cast<uintptr_t>(at), Pipe::S}, site);
}

/// Called for each look at `at`.
void look(Core& c, const void* at, uint32_t bytes, uint64_t value, Site site) {
  Spin& spin = c.state->spin;
  auto seen = std::find_if(spin.seen.begin(), spin.seen.end(), [at](const auto& s) { return s.at == at; });
  if (seen == spin.seen.end()) {
    if (spin.seen.size() == kSeen) spin.seen.clear();
    seen = spin.seen.insert(spin.seen.end(), {at, ~value, bytes});
  }
  if (seen->value != value || seen->bytes != bytes) {
    *seen = {at, value, bytes};
    spin.turns = 0;
  }
  if (++spin.looks < kReadsBetweenTurns) return;
  spin.looks = 0;
  bool turned = false;
  char address[32];
  std::snprintf(address, sizeof address, "0x%llx",
                static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(at)));
  wait_for(
      c,
      [&spin, turned]() mutable {
        // Asked once when the wait begins, and again when the others had their turn.
        if (!turned) {
          turned = true;
          return false;
        }
        bool news = false;
        for (Spin::Seen& seen : spin.seen)
          if (const uint64_t now = load(seen.at, seen.bytes); now != seen.value) {
            seen.value = now;
            news = true;
          }
        if (news) spin.turns = 0;
        if (spin.turns >= kTurns) return false;
        ++spin.turns;
        return true;
      },
      std::string("GM at ") + address + " to change", site,
      [value] {
        return "it reads " + std::to_string(value) + " again and again, and nobody is left to write it";
      },
      spin.turns > 1 && spin.turns < kTurns);
}

}  // namespace

uint64_t read_gm(const void* at, uint32_t bytes) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  check(c, kRead, at, bytes, site);
  if (c.watched) [[unlikely]]
    tell(c, kRead, at, bytes, false, site);
  look(c, at, bytes, load(at, bytes), site);
  const uint64_t value = load(at, bytes);
  if (c.watched) [[unlikely]]
    order(c, SyncEvent::Acquire, at, site);
  return value;
}

void write_gm(void* at, uint64_t value, uint32_t bytes) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  check(c, kWrite, at, bytes, site);
  if (c.watched) [[unlikely]] {
    tell(c, kWrite, at, bytes, true, site);
    order(c, SyncEvent::Release, at, site);
  }
  switch (bytes) {
    case 1:
      __atomic_store_n(static_cast<uint8_t*>(at), static_cast<uint8_t>(value), __ATOMIC_RELEASE);
      break;
    case 2:
      __atomic_store_n(static_cast<uint16_t*>(at), static_cast<uint16_t>(value), __ATOMIC_RELEASE);
      break;
    case 4:
      __atomic_store_n(static_cast<uint32_t*>(at), static_cast<uint32_t>(value), __ATOMIC_RELEASE);
      break;
    default:
      __atomic_store_n(static_cast<uint64_t*>(at), value, __ATOMIC_RELEASE);
  }
  signal(c);
}

void clean_data_cache(const void* at, bool whole) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  if (c.watched) [[unlikely]]
    for (Observer* o : observers(Heard::Cache))
      o->on_cache(c, {reinterpret_cast<uintptr_t>(at), whole}, site);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  signal(c);
  if (at) look(c, at, 1, load(at, 1), site);
}

}  // namespace toprope
