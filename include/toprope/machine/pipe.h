// The pipes of a core: instructions of one pipe run in order, pipes run beside each other.
// Source: Ascend C API, synchronisation inside a core, table 1.
#pragma once
#include <cstdint>

namespace toprope {

enum class Pipe : uint8_t { S, V, M, MTE1, MTE2, MTE3, FIX, ALL };

/// Data that one pipe writes and another reads.
struct Flow {
  Pipe from, to;
};

}  // namespace toprope
