"""Writes core/run/golden/cases.inc: small ops and the bits that a device must answer.

    /usr/bin/python3 device_check.py > ../../core/run/golden/cases.inc

Nothing here is taken from the program's own arithmetic. Every value is an exact fraction, rounded where the published
definition says so; functions are computed to 60 digits; the tensor-core step follows the integer algorithm of Khattak
and Mikaitis (arXiv 2512.07004) with the widths known per architecture, and is held to the micro-cases that they and
others measured on GPUs. A result too near the middle between two floats to be decided is refused.
"""
import decimal
import statistics
import struct
from fractions import Fraction as F
from math import floor

decimal.getcontext().prec = 60
ARCHITECTURES = [75, 80, 86, 87, 89, 90, 100, 120]


# Numbers ------------------------------------------------------------------------------------------------------------

def exponent(x):
    """floor(log2 |x|) of a fraction other than 0."""
    x = abs(x)
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if F(2) ** e <= x else e - 1


def nearest(x, precision=24, lowest=-126):
    """x to `precision` significant bits, ties to even, subnormals kept."""
    if x == 0:
        return F(0)
    unit = F(2) ** (max(exponent(x), lowest) - precision + 1)
    return round(x / unit) * unit  # Fraction rounds halves to even


def fp16(x): return nearest(x, 11, -14)
def bf16(x): return nearest(x, 8)
def tf32(x): return nearest(x, 11)
def e4m3(x): return nearest(x, 4, -6)


def bits(x):
    return struct.unpack("<I", struct.pack("<f", float(x)))[0]


def value(word):
    return F(struct.unpack("<f", struct.pack("<I", word))[0])


def decided(x, tolerance=F(1, 10**9)):
    """A real number known to `tolerance` (relative) as the one float that it can only be."""
    x = F(x)
    low, high = nearest(x * (1 - tolerance)), nearest(x * (1 + tolerance))
    assert low == high, f"{float(x)} is too near a tie"
    return low


def drawn(seed, count):
    """The inputs of golden_cases.cpp: fp32 in [-1, 1) from a linear congruential generator."""
    out = []
    for _ in range(count):
        seed = (1664525 * seed + 1013904223) % 2**32
        out.append(F((seed >> 8) - 2**23, 2**23))
    return out


# Sums and products in fp32 ------------------------------------------------------------------------------------------

class Chain:
    """The terms of a sum: `add(k, acc)` is one rounded step of a chain, `leaf(k)` the rounded term itself."""
    def __init__(self, add, leaf):
        self.add, self.leaf = add, leaf

    def run(self, ks, acc=F(0)):
        for k in ks:
            acc = self.add(k, acc)
        return acc


def dot(a, b):
    return Chain(lambda k, acc: nearest(a[k] * b[k] + acc), lambda k: nearest(a[k] * b[k]))


def plain(x):
    return Chain(lambda k, acc: nearest(acc + x[k]), lambda k: x[k])


def sequential(terms, n):
    return terms.run(range(n))


def pairwise(terms, n):
    def tree(low, high):
        if high - low == 1:
            return terms.add(0, F(0)) if low == 0 else terms.leaf(low)
        half = 1
        while 2 * half < high - low:
            half *= 2
        return nearest(tree(low, low + half) + tree(low + half, high))
    return tree(0, n)


def strided(terms, n):
    lane = [terms.run(range(t, n, 256)) for t in range(256)]
    o = 128
    while o:
        for t in range(o):
            lane[t] = nearest(lane[t] + lane[t + o])
        o //= 2
    return lane[0]


def split_k(parts):
    def order(terms, n):
        length = -(-n // parts)
        sums = [terms.run(range(first, min(n, first + length))) for first in range(0, n, length)]
        total = sums[0]
        for s in sums[1:]:
            total = nearest(total + s)
        return total
    return order


def rounded_sum(to):
    def order(terms, n):
        acc = F(0)
        for k in range(n):
            acc = to(terms.add(k, acc))
        return acc
    return order


# The tensor core ----------------------------------------------------------------------------------------------------

FORMATS = {"f16": (10, -14), "bf16": (7, -126), "tf32": (10, -126), "e4m3": (3, -6), "f32": (23, -126)}


def spec(sm, form, f16_accumulator=False):
    """(products per step, fraction bits of the grid, output, operand format), or None."""
    if form == "e4m3" and (sm < 89 or sm in (90, 100)):
        form = "f16"  # converted exactly; mma.sync has no fp8 instruction there
    if form == "e4m3":
        return (16, 13, "keep13", "e4m3") if sm == 89 else (32, 25, "f32", "e4m3")
    if sm == 75 and form != "f16":
        return None
    n, grid = (8, 24) if sm < 90 else (16, 25)
    return (n // 2 if form == "tf32" else n, grid, "f16" if f16_accumulator else "f32", form)


def step(a, b, c, s):
    n, grid, output, form = s
    p, lowest = FORMATS[form]
    cp, clowest = FORMATS["f16" if output == "f16" else "f32"]
    terms = []  # (significand, fraction bits, exponent)
    for x, y in zip(a, b):
        if x and y:
            ex, ey = max(exponent(x), lowest), max(exponent(y), lowest)
            m = x / F(2) ** (ex - p) * (y / F(2) ** (ey - p))
            assert m.denominator == 1
            terms.append((int(m), 2 * p, ex + ey))
    if c:
        e = max(exponent(c), clowest)
        m = c / F(2) ** (e - cp)
        assert m.denominator == 1
        terms.append((int(m), cp, e))
    if not terms:
        return F(0)
    eta = max(e for _, _, e in terms)
    total = 0
    for m, f, e in terms:
        shift = f + (eta - e) - grid
        v = abs(m) >> shift if shift >= 0 else abs(m) << -shift
        total += v if m > 0 else -v
    exact = total * F(2) ** (eta - grid)
    if exact == 0 or output == "f16":
        return fp16(exact)
    kept = 13 if output == "keep13" else 23
    unit = F(2) ** (max(exponent(exact), -126) - kept)
    return (1 if exact > 0 else -1) * floor(abs(exact) / unit) * unit


def tensor_dot(a, b, s):
    c = F(0)
    for k in range(0, len(a), s[0]):
        c = step(a[k:k + s[0]], b[k:k + s[0]], c, s)
    return c


def published():
    """Measured on GPUs by the papers named above and by others; the model has to give them all."""
    two = F(2)
    a100, h100, v100 = (8, 24, "f32", "f16"), (16, 25, "f32", "f16"), (4, 23, "f32", "f16")
    for small, answers in (((two**-24, 0), (1, 1 + 2 * two**-23, 1 + 2 * two**-23)),
                           ((two**-25, 0), (1, 1, 1 + two**-23))):
        for s, answer in zip((v100, a100, h100), answers):
            tiny = small[0] * two**12  # as a product of two f16 numbers
            assert tensor_step_with_one(tiny, two**-12, 4, s) == answer
    t80 = spec(80, "tf32")
    ones = [F(1), two**-11, two**-12, two**-12]
    assert step([F(3, 2)] + ones[1:], [F(3, 2), two**-12, two**-12, two**-12], F(0), t80) == F(9, 4) + two**-22
    assert step([F(9, 4)] + ones[1:], [F(1), two**-12, two**-12, two**-12], F(0), t80) == F(9, 4)
    tiny = bf16(F("1e-7"))
    assert bits(step([F(1)] + 7 * [tiny], 8 * [F(1)], F(0), spec(80, "bf16"))) == 0x3F800003


def tensor_step_with_one(x, y, count, s):
    """1 in the accumulator and `count` equal products."""
    return step(count * [x], count * [y], F(1), s)


# Functions ----------------------------------------------------------------------------------------------------------

def dec(x):
    return decimal.Decimal(x.numerator) / decimal.Decimal(x.denominator)


def exp(x): return F(dec(x).exp())


def tanh(x):
    e = exp(2 * x)
    return (e - 1) / (e + 1)


def erf(x):
    """Taylor's series; |x| below 5 loses at most 22 of the 60 digits."""
    x, total, n = dec(x), decimal.Decimal(0), 0
    term = x
    while abs(term) > decimal.Decimal("1e-70"):
        total += term / (2 * n + 1)
        n += 1
        term = -term * x * x / n
    return F(2 * total / PI.sqrt())


def pi():
    """Machin's formula."""
    def arctan_inverse(q):
        total, power, n = decimal.Decimal(0), decimal.Decimal(1) / q, 0
        while power > decimal.Decimal("1e-70"):
            total += (-1) ** n * power / (2 * n + 1)
            power /= q * q
            n += 1
        return total
    return 4 * (4 * arctan_inverse(5) - arctan_inverse(239))


PI = pi()


def root(x): return F(dec(x).sqrt())
def silu(x): return x / (1 + exp(-x))
def gelu(x): return x / 2 * (1 + erf(x / root(F(2))))
def gelu_tanh(x): return x / 2 * (1 + tanh(root(F(2 / PI)) * (x + F(44715, 10**6) * x**3)))
def rsqrt(x): return decided(1 / root(x), F(1, 10**15))


# Ops ----------------------------------------------------------------------------------------------------------------

def product(a, b, shape, cell):
    """[m, k] by [k, n], each output from its row and column."""
    m, k, n = shape
    return [cell(a[i * k:(i + 1) * k], b[j::n]) for i in range(m) for j in range(n)]


def int8(a, b, shape):
    def scale(xs):
        s = nearest(max(map(abs, xs)) / 127)
        return s if s else F(1)

    def code(x, s):
        return max(-127, min(127, round(nearest(x / s))))

    def cell(row, column):
        sa, sb = scale(row), scale(column)
        total = sum(code(x, sa) * code(y, sb) for x, y in zip(row, column))
        return nearest(nearest(F(total)) * nearest(sa * sb))
    return product(a, b, shape, cell)


def fp8(a, b, shape, s):
    sa, sb = (nearest(max(map(abs, x)) / 448) for x in (a, b))
    a, b = [e4m3(nearest(x / sa)) for x in a], [e4m3(nearest(x / sb)) for x in b]
    return product(a, b, shape, lambda r, c: nearest(tensor_dot(r, c, s) * nearest(sa * sb)))


def rms_scale(squares, n, eps):
    return rsqrt(nearest(nearest(squares / n) + eps))


def rmsnorm(x, gain, eps):
    r = rms_scale(strided(dot(x, x), len(x)), len(x), eps)
    return [nearest(nearest(v * r) * g) for v, g in zip(x, gain)]


def layernorm(x, gain, bias, eps):
    mean = nearest(strided(plain(x), len(x)) / len(x))
    centred = [nearest(v - mean) for v in x]
    r = rms_scale(strided(dot(centred, centred), len(x)), len(x), eps)
    return [nearest(nearest(c * r) * g + b) for c, g, b in zip(centred, gain, bias)]


def softmax(x):
    e = [decided(exp(nearest(v - max(x))), F(1, 10**15)) for v in x]
    total = strided(plain(e), len(e))
    return [nearest(v / total) for v in e]


# Random numbers -----------------------------------------------------------------------------------------------------

def philox(counter, key):
    x, key = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [p1 >> 32 ^ x[1] ^ key[0], p1 % 2**32, p0 >> 32 ^ x[3] ^ key[1], p0 % 2**32]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return x


def normal(seed, stream, index):
    """The quantile of element `index`; NormalDist is good to some 1e-15."""
    r = philox([(index >> 1) % 2**32, index >> 33, stream, 0], [seed % 2**32, seed >> 32])
    word = r[index % 2 * 2 + 1] << 32 | r[index % 2 * 2]
    return decided(F(statistics.NormalDist().inv_cdf(float(F(2 * (word >> 12) + 1, 2**53)))))


# Known answers of the authors' own test vectors (Random123, kat_vectors).
assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
assert philox([2**32 - 1] * 4, [2**32 - 1] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


# The file -----------------------------------------------------------------------------------------------------------

def words(xs):
    return "{" + ", ".join(f"0x{bits(x):08X}" for x in xs) + "}"


def shape_text(shape):
    return "{" + ", ".join(map(str, shape)) + "}"


def given(shape, xs):
    return f"{{{shape_text(shape)}, 0, {words(xs)}}}"


def from_seed(shape, seed):
    return f"{{{shape_text(shape)}, {seed}, {{}}}}"


def case(arithmetic, what, kind, slots, inputs, answers, eps=None):
    """`answers`: {architecture: values}, or values that every architecture gives."""
    if not isinstance(answers, dict):
        answers = {0: answers}
    alike = {}
    for sm, xs in answers.items():
        alike.setdefault(words(xs), []).append(sm)
    expected = ", ".join(f"{{{shape_text(sms)}, {w}}}" for w, sms in alike.items())
    eps_text = "0.0" if eps is None else float(eps).hex()
    print(f'{{"{arithmetic}", "{what}", block::OpKind::{kind}, "{slots}", {eps_text}f,\n'
          f' {{{", ".join(inputs)}}},\n {{{expected}}}}},')


def fp32_orders():
    shape = (2, 617, 3)
    a, b = drawn(1, 2 * 617), drawn(2, 617 * 3)
    inputs = [from_seed(shape[:2], 1), from_seed(shape[1:], 2)]
    orders = {"": ("fp32-sequential", sequential), "pairwise": ("fp32-pairwise", pairwise),
              "strided": ("fp32-strided", strided), "splitk:8": ("fp32-split-k", split_k(8)),
              "bf16-sum": ("bf16-running-sum", rounded_sum(bf16)),
              "fp16-sum": ("fp16-running-sum", rounded_sum(fp16))}
    for slots, (name, order) in orders.items():
        case(name, "2x617 by 617x3", "matmul", slots, inputs,
             product(a, b, shape, lambda r, c: order(dot(r, c), len(r))))
    # 1 + 2^-24 stays 1 in a chain; the fma keeps what a product rounded first would lose.
    e = F(2) ** -12
    tie = [F(1), F(2) ** -24, F(2) ** -24], [F(1)] * 3
    case("fp32-sequential", "1 + 2^-24 + 2^-24 stays 1", "matmul", "", [given((1, 3), tie[0]), given((3, 1), tie[1])],
         [F(1)])
    one = [F(-1), 1 + e], [1 + 2 * e, 1 + e]
    case("fp32-sequential", "(1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 by fma", "matmul", "",
         [given((1, 2), one[0]), given((2, 1), one[1])], [sequential(dot(*one), 2)])
    x = drawn(3, 700)
    for slots, (name, order) in orders.items():
        if not slots.endswith("sum"):
            case(name, "a sum of 700", "reduce_sum", slots, [from_seed((1, 700), 3)], [order(plain(x), 700)])


def tensor_cores():
    two = F(2)
    shape = (2, 83, 3)
    a, b = drawn(4, 2 * 83), drawn(5, 83 * 3)
    inputs = [from_seed(shape[:2], 4), from_seed(shape[1:], 5)]
    for form, name, to in (("tf32", "tf32", tf32), ("f16", "fp16", fp16), ("bf16", "bf16", bf16)):
        answers = {sm: product([to(x) for x in a], [to(x) for x in b], shape,
                               lambda r, c: tensor_dot(r, c, spec(sm, form)))
                   for sm in ARCHITECTURES if spec(sm, form)}
        case(name, "2x83 by 83x3", "matmul", name, inputs, answers)
    case("fp16-accumulator", "2x83 by 83x3", "matmul", "fp16-instruction", inputs,
         {sm: product([fp16(x) for x in a], [fp16(x) for x in b], shape,
                      lambda r, c: tensor_dot(r, c, spec(sm, "f16", True))) for sm in ARCHITECTURES})
    case("fp8", "2x83 by 83x3, e4m3", "matmul", "fp8", inputs,
         {sm: fp8(a, b, shape, spec(sm, "e4m3")) for sm in ARCHITECTURES})
    big = [F(448)] + 16 * [two**-4], [F(448)] + 16 * [two**-5]  # both scales are 1
    case("fp8", "448*448 + 16*2^-9", "matmul", "fp8", [given((1, 17), big[0]), given((17, 1), big[1])],
         {sm: fp8(*big, (1, 17, 1), spec(sm, "e4m3")) for sm in ARCHITECTURES})
    case("int8", "2x83 by 83x3", "matmul", "int8", inputs, int8(a, b, shape))
    # The published micro-cases, as products that every format holds.
    tiny = [F(3, 2), two**-11, two**-12, two**-12], [F(3, 2), two**-12, two**-12, two**-12]
    grid = [F(9, 4)] + tiny[0][1:], [F(1)] + tiny[1][1:]
    for what, (x, y) in (("1.5*1.5 + 2^-23 + 2*2^-24", tiny), ("2.25*1 + 2^-23 + 2*2^-24", grid)):
        case("tf32", what, "matmul", "tf32", [given((1, 4), x), given((4, 1), y)],
             {sm: [tensor_dot(x, y, spec(sm, "tf32"))] for sm in ARCHITECTURES if spec(sm, "tf32")})
    x, y = [F(1)] + 7 * [bf16(F("1e-7"))], 8 * [F(1)]
    case("bf16", "1 + 7*1e-7", "matmul", "bf16", [given((1, 8), x), given((8, 1), y)],
         {sm: [tensor_dot(x, y, spec(sm, "bf16"))] for sm in ARCHITECTURES if spec(sm, "bf16")})
    for power in 24, 25:
        x, y = [F(1)] + 4 * [two**-12], [F(1)] + 4 * [two ** (12 - power)]
        case("fp16", f"1 + 4*2^-{power}", "matmul", "fp16", [given((1, 5), x), given((5, 1), y)],
             {sm: [tensor_dot(x, y, spec(sm, "f16"))] for sm in ARCHITECTURES})


def functions():
    x = [nearest(12 * v) for v in drawn(6, 12)] + [nearest(v) for v in drawn(7, 8)] + [F(2) ** -20, F(-7, 2)]
    for name, kind, slots, f in (("exp", "silu", "", silu), ("tanh", "gelu", "gelu-tanh", gelu_tanh),
                                 ("erf", "gelu", "", gelu)):
        xs = [v for v in x if abs(v) < 4] if name == "erf" else [v for v in x if abs(v) < 8]
        case(name, f"{kind} of {len(xs)} numbers", kind, slots, [given((len(xs),), xs)],
             [decided(f(v), F(1, 10**13)) for v in xs])
    for eps in (F(1, 8), F(5, 4), F(3), F(100)):
        case("rsqrt", f"rmsnorm of 1 with eps {float(eps)}", "rmsnorm", "", [given((1, 1), [F(1)]),
             given((1,), [F(1)])], rmsnorm([F(1)], [F(1)], eps), eps)


def rows():
    n, eps = 300, nearest(F(1, 10**6))
    x, gain, bias = drawn(8, n), drawn(9, n), drawn(10, n)
    case("rmsnorm", "a row of 300", "rmsnorm", "", [from_seed((1, n), 8), from_seed((n,), 9)],
         rmsnorm(x, gain, eps), eps)
    case("layernorm", "a row of 300", "layernorm", "",
         [from_seed((1, n), 8), from_seed((n,), 9), from_seed((n,), 10)], layernorm(x, gain, bias, eps), eps)
    case("softmax", "a row of 300", "softmax", "", [from_seed((1, n), 8)], softmax(x))
    case("softmax", "0 and -3", "softmax", "", [given((1, 2), [F(0), F(-3)])], softmax([F(0), F(-3)]))


published()
print("// Written by tests/golden/device_check.py; change that, not this.")
fp32_orders()
tensor_cores()
functions()
rows()
numbers = [normal(0x0123456789ABCDEF, 5, i) for i in range(16)]
drawn_text = f'{{{{{{0}}, {words(numbers)}}}}}'
print(f'{{"philox", "16 normal numbers", block::OpKind::add, "fill-normal", 0.0f, {{}}, {drawn_text}}},')
