// Functions of the built-in instructions that move elements, fill, or gather by index.
#pragma once
#include "pto/builtin/kernels.h"

namespace pto::builtin {

void extract(const Call& call);
void insert(const Call& call);
void fill_pad(const Call& call);
void move(const Call& call);
void reshape(const Call& call);
void transpose(const Call& call);
void concat(const Call& call);
void interleave(const Call& call);
void deinterleave(const Call& call);
void pair_sum(const Call& call);
void gather(const Call& call);
void gather_bytes(const Call& call);
void scatter(const Call& call);
void gather_rows(const Call& call);
void scatter_rows(const Call& call);
void iota(const Call& call);
void triangle(const Call& call);

}  // namespace pto::builtin
