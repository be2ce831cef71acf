#ifndef DIVDET_BACKEND_ABI_H
#define DIVDET_BACKEND_ABI_H

/*
 * What a compute module (the CUDA plugin) offers to the programs: a table of C functions, found by name after
 * the module is loaded on demand. Plain C11, so that module and program may come from different compilers and
 * no second copy of core lives in the module.
 *
 * Rules
 *   - Every struct that may grow starts with `struct_size`, set by its owner to its own sizeof; fields beyond
 *     the other side's size do not exist for it.
 *   - Functions that can fail return a divdet_status. On anything but DIVDET_OK the text in `error` says what
 *     is wrong (always terminated, cut to its capacity) and no handle is handed out. `error` may be null.
 *   - Handles belong to the module and are freed by its functions; freeing null is allowed. Handles of one
 *     session are used by one thread at a time; different sessions may run on different threads.
 *   - Strings are UTF-8 and stay valid as long as the object they were read from.
 *   - Tensors are dense and row-major. No function throws, prints, or keeps host pointers after it returns.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DIVDET_BACKEND_ABI_VERSION 1u
#define DIVDET_BACKEND_ENTRY_NAME "divdet_backend_v1_entry"
#define DIVDET_MAX_RANK 8

typedef enum divdet_status {
    DIVDET_OK = 0,
    DIVDET_NOT_FOUND = 1,     /* no such device, op or tap */
    DIVDET_UNSUPPORTED = 2,   /* a known op with slots or shapes that this device does not run */
    DIVDET_INVALID = 3,       /* the call contradicts this header */
    DIVDET_OUT_OF_MEMORY = 4, /* on the device */
    DIVDET_DEVICE_ERROR = 5,  /* the driver or a library failed; the session is to be closed */
    DIVDET_CANCELLED = 6,     /* `cancelled` of the run answered nonzero */
    DIVDET_ASSERTION = 7      /* a fault injected on request (pass `crash`) raised */
} divdet_status;

/* Numbering follows core's DType up to the 32-bit integers a backend can meet. */
typedef enum divdet_dtype {
    DIVDET_F64 = 0,
    DIVDET_F32 = 1,
    DIVDET_F16 = 2,
    DIVDET_BF16 = 3,
    DIVDET_F8E4M3 = 4,
    DIVDET_F8E5M2 = 5,
    DIVDET_I8 = 6,
    DIVDET_I32 = 8
} divdet_dtype;

/* What the numbers of a run are worth: equal to the CPU twin bit for bit, inside a hard bound, or neither. */
typedef enum divdet_promise { DIVDET_EXACT = 0, DIVDET_BOUNDED = 1, DIVDET_APPROXIMATE = 2 } divdet_promise;

typedef struct divdet_error {
    uint32_t struct_size;
    uint32_t capacity; /* bytes at `text`, at least 1 */
    char* text;        /* the caller's buffer */
} divdet_error;

typedef struct divdet_device_info {
    uint32_t struct_size;
    uint32_t compute_capability; /* major * 10 + minor of the running device: chooses the twin's arithmetic */
    uint32_t multiprocessors;
    uint64_t memory_bytes;
    char name[128];
    char driver_version[32];
    char runtime_version[32];
    char blas_version[32]; /* empty where no library GEMM is offered */
    /* Later than the first version: */
    char blas_lt_version[32]; /* empty where cuBLAS multiplies without cuBLASLt */
    char blas_lt_note[128];   /* then why */
} divdet_device_info;

/* Dense row-major shape. rank 0 is a scalar; extents beyond rank are ignored. */
typedef struct divdet_tensor_type {
    int32_t dtype; /* divdet_dtype */
    uint32_t rank;
    int64_t extent[DIVDET_MAX_RANK];
} divdet_tensor_type;

/* A value of a graph; ops name values by their index. */
typedef struct divdet_value {
    divdet_tensor_type type;
    const char* name; /* its tap */
    const void* data; /* host bytes of an input or weight, copied to the device; null for results */
    /* Nonzero: equal keys mean equal bytes, in every run of a session. What is uploaded or computed may then
     * be kept under its key, and is used in place of the next upload with that key and type. */
    uint64_t cache_key;
} divdet_value;

/* One slot or attribute of an op, as text: {"accumulator", "bf16"}, {"splits", "8"}, {"eps", "0x1p-17"}. */
typedef struct divdet_attribute {
    const char* key;
    const char* value;
} divdet_attribute;

/*
 * Attributes of ops. Those of slots (core/lower/slots.h) are left out where they have their first value:
 *   operand f32|tf32|bf16|fp16|int4|fp8|int8; tf32.rounding rne|rna|rz; int8.granularity
 * per-token|per-tensor; fp8.format e4m3|e5m2; int4.group N; accumulator native|bf16|fp16|instruction-fp16;
 * order published| pairwise|strided|splitk|atomics; order.splits N; order.seed N; partials f32|bf16|f16;
 * maths exact|fast; fused no|yes; formula as-written|gelu-tanh|one-pass-variance|
 *   masked-row-nan; atomics seeded|hardware (of scatter_add); subnormals kept|flushed;
 * scales calibrated| clipped-weight|clipped-activation|neighbour; scales.channel N; scales.clip X; tail.tile
 * N; barrier there| missing; barrier.seed N. A result is kept in the dtype of its value. Those of kinds:
 *   matmul: product "batch,m,n,k"; conv2d: geometry, 16 integers in the order of ConvGeometry
 *   (block/ops/conv2d/conv_geometry.h); both: inputs.own, the inputs before those of fused steps, and
 *   fused.count, fused.I.kind, .operand (position in the op's inputs), .maths, .formula and what the kind of
 *   the step needs. norms: eps. scale: factor. causal_mask: offset, queries, keys. transpose, split_heads,
 *   merge_heads: move.extents and move.strides, "2,3,4", of the output and into the input. quantize,
 *   dequantize: channel.inner, low, high. Row numbers of embedding and scatter_add are checked by the caller.
 * Numbers X are read as C's strtof does, so hexadecimal floats keep every bit.
 */

/* One lowered op: the kind's name in ops.def, the passes' slots as attributes. An attribute that the module
 * does not know makes it answer DIVDET_UNSUPPORTED; nothing is ignored in silence. */
typedef struct divdet_op {
    const char* kind;
    const uint32_t* inputs;
    const uint32_t* outputs;
    const divdet_attribute* attributes;
    uint32_t input_count;
    uint32_t output_count;
    uint32_t attribute_count;
} divdet_op;

/* Ops in topological order; a single op is a graph of one. */
typedef struct divdet_graph {
    uint32_t struct_size;
    uint32_t value_count;
    uint32_t op_count;
    uint32_t tap_count;
    const divdet_value* values;
    const divdet_op* ops;
    const uint32_t* taps; /* values to keep; others may live in reused buffers */
} divdet_graph;

typedef struct divdet_run_options {
    uint32_t struct_size;
    uint32_t use_library_gemm;       /* 0: own kernels (exact); 1: cuBLAS (bounded, int8 exact) */
    uint64_t run_number;             /* seeds what is meant to differ from run to run (atomics, race) */
    int (*cancelled)(void* context); /* asked between ops; may be null */
    void* context;
} divdet_run_options;

/* How a graph is replayed. */
typedef struct divdet_replay {
    uint32_t struct_size;
    uint32_t stale_count;
    const void* const* previous; /* by value: bytes of the first launch, where they are not the value's own */
    const uint32_t* stale;       /* ops that write their result in the first launch only; their readers, and a
                                    tap, get what lies in its memory */
    char* note; /* may be null; empty, or why the launches were not those of a captured graph */
    uint32_t note_capacity;
} divdet_replay;

typedef struct divdet_session divdet_session; /* one device, its stream, scratch and caches */
typedef struct divdet_run divdet_run;         /* the taps of one finished run, on the device */

typedef struct divdet_backend_v1 {
    uint32_t struct_size;
    uint32_t abi_version;       /* DIVDET_BACKEND_ABI_VERSION */
    const char* name;           /* "cuda" */
    const char* module_version; /* for reports */

    /* Number of usable devices; 0 with DIVDET_OK where there is none, DIVDET_DEVICE_ERROR and a text where
     * the driver is absent or too old. */
    divdet_status (*device_count)(uint32_t* count, divdet_error* error);
    divdet_status (*device_info)(uint32_t device, divdet_device_info* info, divdet_error* error);

    divdet_status (*open)(uint32_t device, divdet_session** session, divdet_error* error);
    void (*close)(divdet_session* session); /* frees its runs too */

    /* What running `op` (index into graph) would promise; DIVDET_UNSUPPORTED with the reason where it cannot.
     */
    divdet_status (*op_promise)(divdet_session* session, const divdet_graph* graph, uint32_t op,
                                const divdet_run_options* options, divdet_promise* promise,
                                divdet_error* error);

    /* Runs the graph and waits for it. On failure `failed_op` (may be null) is the op's index, or op_count.
     */
    divdet_status (*run)(divdet_session* session, const divdet_graph* graph,
                         const divdet_run_options* options, divdet_run** run, uint32_t* failed_op,
                         divdet_error* error);

    /* Tap number i (as in graph.taps): its type, and its bytes on the host. `bytes` is the buffer's size and
     * must be the tensor's exactly. */
    divdet_status (*tap_type)(const divdet_run* run, uint32_t tap, divdet_tensor_type* type,
                              divdet_error* error);
    divdet_status (*tap_copy)(const divdet_run* run, uint32_t tap, void* host, size_t bytes,
                              divdet_error* error);

    /* Device time of op i in milliseconds, measured on the stream; negative where it was not measured. */
    double (*op_milliseconds)(const divdet_run* run, uint32_t op);

    void (*release)(divdet_run* run);

    /* Later than the first version: there only where struct_size reaches it, and then not null. */

    /* Runs the graph as a captured graph is replayed: once on the previous bytes, which takes the memory;
     * then its launches are captured, and launched twice in that memory, on the previous bytes and, the
     * inputs rewritten in place, on the values' own. The taps are those of the second launch. Where the
     * driver refuses to capture, the same launches are made one by one, and `note` says so. No times are
     * measured. */
    divdet_status (*replay)(divdet_session* session, const divdet_graph* graph,
                            const divdet_run_options* options, const divdet_replay* how, divdet_run** run,
                            uint32_t* failed_op, divdet_error* error);
} divdet_backend_v1;

#define DIVDET_BACKEND_FIRST_SIZE offsetof(divdet_backend_v1, replay)

/* The module's one exported symbol. The table is static; null when the module cannot work at all. */
typedef const divdet_backend_v1* (*divdet_backend_v1_entry_fn)(void);
const divdet_backend_v1* divdet_backend_v1_entry(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* DIVDET_BACKEND_ABI_H */
