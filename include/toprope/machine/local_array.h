// Arrays that a kernel declares in a local memory (`__ubuf__ float x[256];`), and what a pointer into such a
// memory points at. Source: C API, common notes and constraints, memory as arrays; asc_get_phy_buf_addr.
#pragma once
#include <cstdint>

#include "toprope/machine/core.h"

namespace toprope {

/// Bytes of a memory from address 0 on, one array behind the other, each at a multiple of 32 bytes. Arrays
/// end in the reverse order of their declarations, as scopes do. Returns the host address; faults when the
/// memory is full.
void* open_local_array(Mem mem, uint64_t bytes);
void close_local_array() noexcept;

/// The place behind a pointer into a local memory, with the declared array it lies in as its allocation (the
/// whole memory when it lies in none). Takes host addresses of that memory; addresses from 0, as kernels cast
/// numbers to pointers; and for memories other than UB what asc_get_phy_buf_addr gives, which does not know
/// the memory that its result will be used for. Faults for any other pointer.
Slice local_slice(Mem mem, const void* at);

/// A byte of UB as asc_get_phy_buf_addr gives it.
uint64_t local_address(uint64_t offset);

/// What the driver makes of a declaration: `auto& x = array.object;`. The object is not initialised, as on
/// the device.
template <Mem mem, class T>
class LocalArray {
 public:
  [[gnu::always_inline]] LocalArray() : object(open()) {}
  LocalArray(const LocalArray&) = delete;
  LocalArray& operator=(const LocalArray&) = delete;
  [[gnu::always_inline]] ~LocalArray() { toprope::close_local_array(); }
  T& object;

 private:
  [[gnu::always_inline]] static T& open() {
    return *static_cast<T*>(toprope::open_local_array(mem, sizeof(T)));
  }
};

}  // namespace toprope
