// Functions of the remaining built-in instructions: partly valid sources, sorting, quantisation, histograms.
#pragma once
#include "pto/builtin/kernels.h"

namespace pto::builtin {

/// dst = op where both sources reach, and the one that reaches elsewhere.
void part(const Call& call, array::Binary op);

template <array::Binary op>
void part_of(const Call& call) {
  part(call, op);
}

void part_greatest(const Call& call);
void part_least(const Call& call);
void sort_blocks(const Call& call);
void merge_blocks(const Call& call);
void merge_lists(const Call& call);
void quantise(const Call& call);
void dequantise(const Call& call);
void histogram(const Call& call);

}  // namespace pto::builtin
