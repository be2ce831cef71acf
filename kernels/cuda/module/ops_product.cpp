#include <optional>

#include "cuda/module/failure.h"
#include "cuda/module/launches.h"
#include "cuda/module/multiply.h"
#include "cuda/module/op_call.h"

/// Matrix products and convolutions with bias, and the steps fused behind them (host: twin_product.cpp).
namespace divdet::cuda {
namespace {

constexpr std::size_t kOwnBias = 3; ///< inputs of a product with a bias

Convolution geometryOf(const OpCall& call) {
    const auto g = call.attributes.integers("geometry");
    if (g.size() != 16) invalid("a convolution needs 16 numbers of geometry");
    const Convolution c{g[0], g[1], g[2],  g[3],  g[4],  g[5],  g[6],  g[7],
                        g[8], g[9], g[10], g[11], g[12], g[13], g[14], g[15]};
    const bool positive = c.n >= 0 && c.c > 0 && c.h > 0 && c.w > 0 && c.o > 0 && c.kh > 0 && c.kw > 0 &&
                          c.outH > 0 && c.outW > 0 && c.groups > 0 && c.c % c.groups == 0 &&
                          c.o % c.groups == 0;
    if (!positive) invalid("the geometry of a convolution contradicts itself");
    return c;
}

std::size_t size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

/// A product op as `batch` plain products, one behind the other in memory.
struct Batch {
    GemmShape shape{};
    std::size_t count = 1;
    std::optional<Convolution> convolution;

    static Batch of(const OpCall& call) {
        Batch b;
        if (call.kind == "conv2d") {
            const Convolution g = geometryOf(call);
            b.convolution = g;
            b.count = size(g.groups);
            b.shape = {size(g.n * g.places()), size(g.o / g.groups), size(g.terms())};
            return b;
        }
        const auto p = call.attributes.integers("product");
        if (p.size() != 4 || p[0] < 0 || p[1] < 0 || p[2] < 0 || p[3] < 0)
            invalid("a product needs batch, m, n and k");
        b.count = size(p[0]);
        b.shape = {size(p[1]), size(p[2]), size(p[3])};
        return b;
    }
    std::size_t aSize() const { return shape.m * shape.k; }
    std::size_t bSize() const { return shape.k * shape.n; }
    std::size_t cSize() const { return shape.m * shape.n; }
    std::size_t biasStep() const { return convolution ? shape.n : 0; }
};

class ProductOp {
public:
    explicit ProductOp(const OpCall& call)
        : m_call(call)
        , m_stream(call.queue.stream())
        , m_batch(Batch::of(call))
        , m_own(size(call.attributes.integer("inputs.own", 2)))
        , m_steps(size(call.attributes.integer("fused.count", 0)))
        , m_x(call.queue, call.input(0))
        , m_y(call.queue, call.input(1)) {
        if (m_own >= kOwnBias) m_bias.emplace(call.queue, call.input(2));
        checkSizes();
        if (m_batch.convolution) unfold();
        if (call.slots.fused) takeStart();
    }

    Floats run() {
        const std::size_t n = m_batch.count * m_batch.cSize();
        Floats c(m_call.queue, n);
        const ProductContext on{m_call.queue, m_call.slots, m_call.arch, m_call.library};
        for (std::size_t i = 0; i < m_batch.count; ++i)
            multiply(on, m_batch.shape, a() + i * m_batch.aSize(), b() + i * m_batch.bSize(), start(i),
                     c.get() + i * m_batch.cSize());
        if (!m_call.slots.fused && m_bias) addStoredBias(c.get());
        if (m_batch.convolution) {
            Floats out(m_call.queue, n);
            productsToOutput(m_stream, c.get(), *m_batch.convolution, n, out.get());
            c = std::move(out);
        }
        for (std::size_t i = m_stepsTaken; i < m_steps; ++i) {
            if (contracts(i))
                multiplyAdd(i++, c.get(), n);
            else
                finish(i, c.get(), n);
        }
        return c;
    }

private:
    void checkSizes() const {
        const Batch& b = m_batch;
        std::size_t x = b.count * b.aSize(), y = b.count * b.bSize();
        if (b.convolution) {
            const Convolution& g = *b.convolution;
            x = size(g.n * g.c * g.h * g.w);
            y = size(g.o * g.terms());
        }
        const std::size_t bias = b.convolution ? b.count * b.shape.n : b.shape.n;
        const bool fits = m_x.size() == x && m_y.size() == y && m_call.outputs() == b.count * b.cSize() &&
                          (!m_bias || m_bias->size() == bias);
        if (!fits) invalid(m_call.kind + " is given tensors of other sizes than its shape says");
    }

    void unfold() {
        const Convolution& g = *m_batch.convolution;
        m_windows = Floats(m_call.queue, m_batch.count * m_batch.aSize());
        m_columns = Floats(m_call.queue, m_batch.count * m_batch.bSize());
        unfoldWindows(m_stream, m_x.get(), g, m_batch.count * m_batch.aSize(), m_windows.get());
        unfoldWeights(m_stream, m_y.get(), g, m_batch.count * m_batch.bSize(), m_columns.get());
    }

    const float* a() const { return m_windows ? m_windows.get() : m_x.get(); }
    const float* b() const { return m_columns ? m_columns.get() : m_y.get(); }

    std::string key(std::size_t step, const char* what) const {
        return "fused." + std::to_string(step) + "." + what;
    }
    std::optional<InputFloats> operandOf(std::size_t step) const {
        const std::int64_t at = m_call.attributes.integer(key(step, "operand"), -1);
        if (at < 0) return std::nullopt;
        return InputFloats(m_call.queue, m_call.input(size(at)));
    }

    /// What the accumulators of a fused kernel begin with: bias, residual, or their sum rounded once. A
    /// residual has an element per output; what repeats stays a step of its own.
    void takeStart() {
        if (m_steps == 0 || m_call.attributes.text(key(0, "kind"), "") != "add") return;
        const auto operand = operandOf(0);
        const std::size_t n = m_batch.count * m_batch.cSize();
        if (!operand || operand->size() != n) return;
        m_residual = Floats(m_call.queue, n);
        if (m_batch.convolution)
            outputToProducts(m_stream, operand->get(), *m_batch.convolution, n, m_residual.get());
        else
            scaleElements(m_stream, operand->get(), 1.0f, n, m_residual.get());
        if (m_bias)
            addBiasTo(m_stream, m_bias->get(), m_batch.biasStep(), m_batch.cSize(), m_batch.shape.n, n,
                      m_residual.get());
        m_stepsTaken = 1;
    }

    StartValues start(std::size_t i) const {
        if (m_residual) return {m_residual.get() + i * m_batch.cSize(), false};
        if (m_call.slots.fused && m_bias) return {m_bias->get() + i * m_batch.biasStep(), true};
        return {};
    }

    /// An unfused bias is added to the result as it was stored.
    void addStoredBias(float* c) const {
        const std::size_t each = m_batch.cSize();
        if (m_call.output.dtype == DIVDET_F16) roundInPlace(m_stream, Kept::f16, c, m_batch.count * each);
        if (m_call.output.dtype == DIVDET_BF16) roundInPlace(m_stream, Kept::bf16, c, m_batch.count * each);
        for (std::size_t i = 0; i < m_batch.count; ++i)
            addElements(m_stream, c + i * each, m_bias->get() + i * m_batch.biasStep(), each, m_batch.shape.n,
                        c + i * each);
    }

    /// A multiplication (by a tensor or a constant) whose product is added to: one fma.
    bool contracts(std::size_t step) const {
        if (step + 1 >= m_steps) return false;
        const auto kindOf = [&](std::size_t i) { return m_call.attributes.text(key(i, "kind"), ""); };
        const auto hasOperand = [&](std::size_t i) {
            return m_call.attributes.integer(key(i, "operand"), -1) >= 0;
        };
        const bool multiplies = (kindOf(step) == "mul" && hasOperand(step)) || kindOf(step) == "scale";
        return multiplies && kindOf(step + 1) == "add" && hasOperand(step + 1);
    }

    void multiplyAdd(std::size_t step, float* c, std::size_t n) const {
        const auto factors = operandOf(step), addend = operandOf(step + 1);
        const float constant = m_call.attributes.number(key(step, "factor"), 1.0f);
        if (n && (addend->size() == 0 || (factors && factors->size() == 0)))
            invalid("a fused step has an empty operand");
        multiplyAndAdd(m_stream, factors ? factors->get() : nullptr, factors ? factors->size() : 1, constant,
                       addend->get(), addend->size(), n, c);
    }

    void finish(std::size_t step, float* c, std::size_t n) const {
        const auto operand = operandOf(step);
        applyPointwise(m_call, m_call.attributes.text(key(step, "kind"), ""), key(step, ""),
                       operand ? &*operand : nullptr, c, n);
    }

    const OpCall& m_call;
    cudaStream_t m_stream;
    Batch m_batch;
    std::size_t m_own, m_steps, m_stepsTaken = 0;
    InputFloats m_x, m_y;
    std::optional<InputFloats> m_bias;
    Floats m_windows, m_columns, m_residual;
};

} // namespace

Floats product(const OpCall& call) {
    return ProductOp(call).run();
}

} // namespace divdet::cuda
