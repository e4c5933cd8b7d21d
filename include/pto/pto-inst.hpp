// Everything of PTO's tile language.
#pragma once
#ifdef __CPU_SIM
#include <algorithm>  // programs written for PTO's CPU mode take it for granted
#include <cmath>
#endif

#include "pto/cpu/NPUMemoryModel.hpp"
#include "pto/cpu/tile_offsets.hpp"
#include "pto/instr/compare.hpp"
#include "pto/instr/elementwise.hpp"
#include "pto/instr/expand.hpp"
#include "pto/instr/gather.hpp"
#include "pto/instr/matmul.hpp"
#include "pto/instr/memory.hpp"
#include "pto/instr/move.hpp"
#include "pto/instr/reduce.hpp"
