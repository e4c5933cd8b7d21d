/*
 * The C API of the PTO instruction registry (libpto).
 *
 * An instruction works on whole tensors: load it by name, bind a tensor to each of its operands, execute.
 *
 *     pto_insn *add;
 *     pto_init();
 *     pto_insn_load("add", &add);
 *     pto_insn_bind(add, 0, a); pto_insn_bind(add, 1, b); pto_insn_bind(add, 2, c);
 *     if (pto_insn_execute(add) != PTO_OK) puts(pto_last_error());
 *
 * Every function that returns pto_status answers PTO_OK or says more in pto_last_error(). Nothing is thrown.
 * Threads: any function may be called from any thread; a pto_insn and the tensors bound to it serve one
 * thread at a time, so each thread loads its own. Strings returned live as long as the object they belong to;
 * instructions once registered live as long as the process.
 */
#ifndef PTO_PTO_H_
#define PTO_PTO_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PTO_API __attribute__((visibility("default")))

/* The version of this interface. A greater minor version only adds. */
#define PTO_VERSION_MAJOR 1
#define PTO_VERSION_MINOR 0

/* The version that the library was built with: major * 1000 + minor. */
PTO_API int pto_version(void);

/* Any int may be passed as an enumeration, as in C; what is unknown is refused. */
#ifdef __cplusplus
#define PTO_INT : int
#else
#define PTO_INT
#endif

typedef enum pto_status PTO_INT {
  PTO_OK = 0,
  PTO_NOT_INITIALIZED = 1,  /* pto_init has not been called, or pto_finalize since */
  PTO_NOT_FOUND = 2,        /* no instruction, operand, attribute or device of that name or number */
  PTO_INVALID_ARGUMENT = 3, /* a null pointer, a negative size, an unknown element type */
  PTO_TYPE_MISMATCH = 4,    /* an operand's element type is not one that the instruction takes */
  PTO_SHAPE_MISMATCH = 5,   /* an operand's rank or shape does not fit the others */
  PTO_UNSET = 6,            /* an operand or an attribute without default has not been set */
  PTO_READ_ONLY = 7,        /* a read-only tensor as output */
  PTO_OVERLAP = 8,          /* two outputs share memory */
  PTO_WRONG_DEVICE = 9,     /* operands lie on different devices */
  PTO_OUT_OF_MEMORY = 10,
  PTO_LIBRARY_ERROR = 11,   /* a custom library is missing, cannot be loaded, or is of another version */
  PTO_EXECUTION_FAILED = 12 /* the instruction itself refused its operands' values */
} pto_status;

/* Why the calling thread's last failed call failed; "" when none has. Valid until its next failed call. */
PTO_API const char *pto_last_error(void);

/* Element types. */
typedef enum pto_dtype PTO_INT {
  PTO_BOOL = 0, /* a byte, 0 or 1 */
  PTO_INT8 = 1,
  PTO_UINT8 = 2,
  PTO_INT16 = 3,
  PTO_UINT16 = 4,
  PTO_INT32 = 5,
  PTO_UINT32 = 6,
  PTO_INT64 = 7,
  PTO_UINT64 = 8,
  PTO_FLOAT16 = 9,
  PTO_BFLOAT16 = 10,
  PTO_FLOAT32 = 11
} pto_dtype;
#define PTO_DTYPE_COUNT 12

/* A set of element types has bit (1 << dtype) for each. */
typedef uint32_t pto_dtype_set;

PTO_API const char *pto_dtype_name(pto_dtype dtype); /* "float32", …; "?" for an unknown number */
PTO_API size_t pto_dtype_size(pto_dtype dtype);      /* bytes; 0 for an unknown number */

/* --- The context. --- */

/* Makes instructions loadable. Calling it again does nothing. */
PTO_API pto_status pto_init(void);
/* Undoes pto_init: nothing can be loaded or executed until the next one. Handles and tensors stay valid. */
PTO_API pto_status pto_finalize(void);
PTO_API int pto_is_initialized(void);

PTO_API pto_status pto_device_count(int *count);
/* The device on which the calling thread creates tensors; 0 at first. */
PTO_API pto_status pto_set_device(int device);
PTO_API pto_status pto_get_device(int *device);

/* --- Which instructions there are. --- */

/* Registered instructions, in the order of their ids; custom ones come last. */
PTO_API size_t pto_insn_count(void);
/* The name of the index-th one; NULL beyond the end. */
PTO_API const char *pto_insn_name_at(size_t index);

/* Registers the instructions of a shared library made with pto/insn.hpp (or by pto.codegen); allowed before
 * pto_init. Loading the same file again does nothing. A name that is taken is an error, and nothing of that
 * library is registered. `count`, if not NULL, becomes how many instructions the library has. */
PTO_API pto_status pto_library_load(const char *path, int *count);

/* --- Tensors: contiguous, row-major. --- */

#define PTO_MAX_RANK 8

typedef struct pto_tensor pto_tensor;

/* A new tensor of zeros on the calling thread's device. `shape` has `rank` sizes; rank 0 is one element.
 * Memory is 64-byte aligned. */
PTO_API pto_status pto_tensor_create(pto_dtype dtype, int rank, const int64_t *shape, pto_tensor **tensor);
/* A tensor over memory of the caller, who keeps it alive. */
PTO_API pto_status pto_tensor_wrap(pto_dtype dtype, int rank, const int64_t *shape, void *data, int read_only,
                                   pto_tensor **tensor);
/* Frees the tensor; NULL is allowed. An instruction that it is bound to keeps it alive until another tensor
 * is bound there or the instruction is freed. */
PTO_API void pto_tensor_free(pto_tensor *tensor);

/* Copies exactly the tensor's bytes from or to host memory; `bytes` must be their number. */
PTO_API pto_status pto_tensor_write(pto_tensor *tensor, const void *source, size_t bytes);
PTO_API pto_status pto_tensor_read(const pto_tensor *tensor, void *destination, size_t bytes);
/* Copies between tensors of equal element type and shape, across devices too. */
PTO_API pto_status pto_tensor_copy(pto_tensor *destination, const pto_tensor *source);

PTO_API pto_dtype pto_tensor_dtype(const pto_tensor *tensor);
PTO_API int pto_tensor_rank(const pto_tensor *tensor);
PTO_API const int64_t *pto_tensor_shape(const pto_tensor *tensor);
PTO_API size_t pto_tensor_bytes(const pto_tensor *tensor);
#define PTO_HOST (-1) /* where wrapped memory lies; it goes with tensors of any device */
PTO_API int pto_tensor_device(const pto_tensor *tensor);
/* The memory itself, which the host may read and write between executions. */
PTO_API void *pto_tensor_data(const pto_tensor *tensor);

/* --- Instructions. --- */

typedef struct pto_insn pto_insn;

typedef enum pto_direction PTO_INT { PTO_IN = 0, PTO_OUT = 1, PTO_INOUT = 2 } pto_direction;

typedef struct pto_operand_info {
  const char *name;
  pto_direction direction;
  pto_dtype_set dtypes;
  const char *dtype_symbol; /* operands with the same symbol have the same element type; "" has no partner */
  int rank;                 /* -1 when any rank is taken */
  const char *shape;        /* "[M, K]", "[M, 2*N]", "[...]" (any, but the same), "[*]" (any), "[..., N]" */
} pto_operand_info;

typedef enum pto_attribute_kind PTO_INT {
  PTO_ATTRIBUTE_INT = 0,
  PTO_ATTRIBUTE_FLOAT = 1,
  PTO_ATTRIBUTE_BOOL = 2,
  PTO_ATTRIBUTE_SCALAR = 3, /* a number of the element type that `dtype_symbol` stands for */
  PTO_ATTRIBUTE_CHOICE = 4  /* one of the words in `choices`; its value is the word's place */
} pto_attribute_kind;

typedef struct pto_attribute_info {
  const char *name;
  pto_attribute_kind kind;
  const char *choices; /* "eq ne lt", separated by blanks; "" for other kinds */
  int has_default;
  double default_value;
} pto_attribute_info;

/* A new handle on the instruction, all of its operands unset. */
PTO_API pto_status pto_insn_load(const char *name, pto_insn **insn);
PTO_API void pto_insn_free(pto_insn *insn); /* NULL is allowed */

PTO_API const char *pto_insn_name(const pto_insn *insn);
PTO_API uint32_t pto_insn_id(const pto_insn *insn);
PTO_API const char *pto_insn_summary(const pto_insn *insn); /* one line: what it computes */
PTO_API int pto_insn_operand_count(const pto_insn *insn);
PTO_API pto_status pto_insn_operand(const pto_insn *insn, int index, pto_operand_info *info);
PTO_API int pto_insn_attribute_count(const pto_insn *insn);
PTO_API pto_status pto_insn_attribute(const pto_insn *insn, int index, pto_attribute_info *info);

/* Binds a tensor to operand `index`. Its element type, rank and access are checked here; what concerns
 * several operands is checked by pto_insn_execute. */
PTO_API pto_status pto_insn_bind(pto_insn *insn, int index, pto_tensor *tensor);
/* Sets an attribute; a whole number may be given to any kind, a fraction to FLOAT and SCALAR. */
PTO_API pto_status pto_insn_set_float(pto_insn *insn, const char *attribute, double value);
PTO_API pto_status pto_insn_set_int(pto_insn *insn, const char *attribute, int64_t value);
PTO_API pto_status pto_insn_set_choice(pto_insn *insn, const char *attribute, const char *word);

/* What operand `index`, an output, must be: from the operands that are bound, with the first input's element
 * type where the output takes several. `shape` has room for PTO_MAX_RANK sizes. PTO_SHAPE_MISMATCH when those
 * do not tell. */
PTO_API pto_status pto_insn_infer(const pto_insn *insn, int index, pto_dtype *dtype, int *rank,
                                  int64_t *shape);

/* Runs the instruction and returns when the outputs are written. Results are those of reading every input
 * before any output is written, also where an output shares memory with an input. Binding stays. */
PTO_API pto_status pto_insn_execute(pto_insn *insn);

#undef PTO_INT

#ifdef __cplusplus
}
#endif

#endif /* PTO_PTO_H_ */
