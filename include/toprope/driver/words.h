// The words that the device compiler knows without a header: where a function runs and where a pointer
// points. The driver reads the kernel words before this file makes them vanish; host and device are one CPU
// and one address space, so for the host compiler nothing is left of them (the vendor's own CPU mode does the
// same). Lines here are directives and comments only: the driver also copies them in front of preprocessed
// text.
#pragma once

// The driver's wish when macros are expanded before it reads the text.
#ifndef TOPROPE_KEEP_WORDS

#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __ssbuf__
#define __biasbuf__

#define __global__
#define __aicore__
#define __host__
#define __aicpu__
#define __sk__
#define __vector__
#define __cube__
#define __mix__(cubes, vectors)
#define __schedmode__(mode)

#define __callee__
#define __simd_vf__
#define __simd_callee__
#define __simt_vf__
#define __simt_callee__
#define __launch_bounds__(threads)
#define __maxnreg__(registers)

#define __inout_pipe__(pipe)
#define __in_pipe__(pipe)
#define __out_pipe__(pipe)

// A statement at the head of a kernel's body; the driver has read the type when the host compiler comes here.
#define KERNEL_TASK_TYPE_DEFAULT(type) static_assert(true, "")

#endif

// A launch's callee as text, macros in it expanded.
#define TOPROPE_TEXT_OF(...) TOPROPE_TEXT_OF_EXPANDED(__VA_ARGS__)
#define TOPROPE_TEXT_OF_EXPANDED(...) #__VA_ARGS__
