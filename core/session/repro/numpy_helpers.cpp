#include <cmath>

#include <fmt/format.h>

#include "session/repro/numpy_ops.h"

namespace divdet::numpy {
namespace {

struct Helper {
    const char *name, *text;
};

// In the order in which they may call each other.
constexpr Helper kHelpers[] = {
    {"bf16", R"(def bf16(x):  # to nearest even
    u = np.asarray(x, np.float32).view(np.uint32)
    return ((u + 0x7FFF + ((u >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
)"},
    {"fp16", R"(def fp16(x):
    with np.errstate(over="ignore"):
        return np.asarray(x).astype('f2').astype('f4')
)"},
    {"tf32", R"(def tf32(x, mode):  # 10 fraction bits: to nearest even, nearest away, or towards zero
    u = np.asarray(x, np.float32).view(np.uint32)
    half = {'rne': 0xFFF + ((u >> 13) & 1), 'rna': 0x1000, 'rz': 0}[mode]
    return ((u + half) & 0xFFFFE000).astype(np.uint32).view(np.float32)
)"},
    {"coarse_matmul", R"(def coarse_matmul(a, b, to, step=1):  # the running sum is rounded at every step
    c = np.zeros((a[..., :1] @ b[..., :1, :]).shape, np.float32)
    for k in range(0, a.shape[-1], step):
        c = to(c + a[..., k:k + step].astype(float) @ b[..., k:k + step, :].astype(float))
    return c
)"},
    {"split_k", R"(def split_k(a, b, to, chunk):  # partial sums are rounded, and so are their sums
    c = None
    for k in range(0, a.shape[-1], chunk):
        part = to(a[..., k:k + chunk].astype(float) @ b[..., k:k + chunk, :].astype(float))
        c = part if c is None else to(c + part)
    return c
)"},
    {"codes", R"(def codes(x, axis, clip_at=None, clip=1):  # int8 numbers and their scales
    s = np.array(np.abs(x).max(axis=axis, keepdims=True) / 127, np.float32)
    if clip_at is not None:
        s.flat[clip_at % s.size] *= clip
    s[s == 0] = 1
    return np.clip(np.rint(x / s), -127, 127), s
)"},
    {"int8_matmul",
     R"(def int8_matmul(a, b, one_scale=False, clip_row=None, clip_column=None, clip=1, wrong_column=None):
    qa, sa = codes(a, None if one_scale else -1, clip_row, clip)
    qb, sb = codes(b, 0, clip_column, clip)
    if wrong_column is not None:
        n = sb.size
        sb.flat[wrong_column % n] = sb.flat[(wrong_column + 1) % n]
    return (qa @ qb) * sa * sb
)"},
    {"racy_matmul",
     R"(def racy_matmul(a, b):  # one of eight times half of a step of 16 rows of b is not written yet
    in_time = a @ b
    for run in range(1000):  # until a run differs from the one whose reads were in time
        early = np.array(b)
        if rng.integers(8) == 0:
            k = 16 * int(rng.integers((b.shape[-2] + 15) // 16)) + 8
            before = b[..., k - 16:k - 8, :] if k >= 16 else np.zeros_like(b[..., k:k + 8, :])
            early[..., k:k + 8, :] = before[..., :early[..., k:k + 8, :].shape[-2], :]
        if not np.allclose(a @ early, in_time):
            return a @ early
    return in_time
)"},
    {"stale_buffer", R"(def stale_buffer(op, first, second):  # two calls of one captured program
    buffer = op(*first)  # the first call writes it; the second, on its own inputs, does not again
    return buffer
)"},
    {"softmax", R"(def softmax(x):
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isinf(top), 0, top))
    return e / np.maximum(e.sum(axis=-1, keepdims=True), np.finfo(float).tiny)
)"},
    {"masked_softmax", R"(def masked_softmax(x):  # the first row counts as fully masked: 0/0
    y = softmax(x)
    y[..., 0, :] = np.nan
    return y
)"},
    {"causal_mask", R"(def causal_mask(x, offset):
    ahead = np.arange(x.shape[-1]) - np.arange(x.shape[-2])[:, None]
    return np.where(ahead > offset, -np.inf, x)
)"},
    {"gelu", R"(def gelu(x):
    return x * np.vectorize(lambda v: math.erfc(-v / math.sqrt(2)))(x) / 2
)"},
    {"gelu_tanh", R"(def gelu_tanh(x):
    return x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))) / 2
)"},
    {"rmsnorm", R"(def rmsnorm(x, gain, eps):
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps) * gain
)"},
    {"layernorm", R"(def layernorm(x, gain, bias=0, eps=0):
    d = x - x.mean(axis=-1, keepdims=True)
    return d / np.sqrt(np.mean(d * d, axis=-1, keepdims=True) + eps) * gain + bias
)"},
    {"crash", R"(def crash(kind, text):
    raise kind(text + ' (guilty pass: ' + GUILTY + ')')
)"},
};

} // namespace

std::string helperText(const std::set<std::string>& names) {
    std::string out;
    for (const Helper& h : kHelpers)
        if (names.contains(h.name)) out += std::string("\n") + h.text;
    return out;
}

std::string literal(float x) {
    if (std::isnan(x)) return "np.nan";
    if (std::isinf(x)) return x > 0 ? "np.inf" : "-np.inf";
    return fmt::format("{}", x); // the shortest text that gives the float again
}

} // namespace divdet::numpy
