// What a kernel asks its core.
#include "toprope/machine/system.h"

#include <chrono>
#include <cstring>
#include <string>
#include <string_view>

#include "base/soc.h"
#include "machine/core_state.h"
#include "machine/fault.h"
#include "toprope/machine/print.h"

namespace toprope {
namespace {

const std::chrono::steady_clock::time_point program_start = std::chrono::steady_clock::now();

}  // namespace

void init_core_state() {
  Core& c = core();
  c.mask = MaskRegister{};
  c.atomic = StoreAtomic{};
  c.pad = PadRegister{};
}

int64_t system_cycle() {
  using namespace std::chrono;
  const int64_t ns = duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
  return std::string_view(soc().arch) == "dav-3510" ? ns : ns / 20;
}

uint64_t core_cycle() {
  using namespace std::chrono;
  const auto ns = duration_cast<nanoseconds>(steady_clock::now() - program_start).count();
  return static_cast<uint64_t>(ns) * soc().mhz / 1000;
}

int64_t program_counter() {
  return static_cast<int64_t>(reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}

uint32_t architecture_version() {
  // "dav-2201": the digits, taken as hexadecimal.
  return static_cast<uint32_t>(std::stoul(std::string(soc().arch).substr(4), nullptr, 16));
}

namespace {
constexpr uint64_t kNoSaturation = uint64_t{1} << 48, kCounterMode = uint64_t{1} << 56,
                   kWrapCasts = uint64_t{1} << 59;
}

uint64_t control_register() {
  const Core& c = core();
  return c.state->control | (c.saturate ? 0 : kNoSaturation) | (c.mask.counter ? kCounterMode : 0) |
         (c.wrap_casts ? kWrapCasts : 0);
}

void set_control_register(uint64_t value) {
  Core& c = core();
  c.saturate = !(value & kNoSaturation);
  c.mask.counter = value & kCounterMode;
  c.wrap_casts = value & kWrapCasts;
  c.state->control = value & ~(kNoSaturation | kCounterMode | kWrapCasts);
}

AddressRegister& address_register(uint32_t number) {
  Core& c = core();
  if (number > 7)
    refuse(c, "address register", "there is no register " + std::to_string(number), "use VA0 to VA7",
           __builtin_return_address(0));
  return c.state->addresses[number];
}

uint64_t sync_base() { return core().state->sync_base; }

void set_sync_base(uint64_t address) { core().state->sync_base = address; }

void set_system_workspace(uint8_t* workspace) { core().state->system_workspace = workspace; }

uint8_t* system_workspace() { return core().state->system_workspace; }

int8_t free_event_id(uint8_t used) {
  if (used == 0xff)
    refuse(core(), "FetchEventID", "all 8 event ids of this kind are taken",
           "give one back with ReleaseEventID", __builtin_return_address(0));
  return static_cast<int8_t>(__builtin_ctz(~uint32_t{used}));
}

int8_t take_event_id(uint8_t& used) {
  if (used == 0xff)
    refuse(core(), "AllocEventID", "all 8 event ids of this kind are taken",
           "give one back with ReleaseEventID", __builtin_return_address(0));
  const int id = __builtin_ctz(~uint32_t{used});
  used = static_cast<uint8_t>(used | 1u << id);
  return static_cast<int8_t>(id);
}

void give_event_id(uint8_t& used, int8_t id) {
  if (id < 0 || id > 7 || !(used >> id & 1))
    refuse(core(), "ReleaseEventID", "event id " + std::to_string(id) + " was not taken with AllocEventID",
           "release an id once, with the event that it was taken for", __builtin_return_address(0));
  used = static_cast<uint8_t>(used & ~(1u << id));
}

const void* keep(const void* data, uint32_t bytes) {
  // Outside a kernel (a host-side tensor description) there is no block whose end would free it: a thread's
  // own store.
  static thread_local KeptBytes elsewhere;
  KeptBytes& kept = current_core ? current_core->state->kept : elsewhere;
  return kept.insert(std::string(static_cast<const char*>(data), bytes)).first->data();
}

}  // namespace toprope
