#include <algorithm>
#include <cmath>
#include <optional>

#include <tbb/parallel_for.h>

#include "judge/envelope/narrow_terms.h"
#include "judge/envelope/rules.h"
#include "judge/envelope/spread_panel.h"
#include "judge/local/operands.h"

namespace divdet::envelope {
namespace {

using block::OpKind;
using local::kWidth;
using local::panelOf;
using local::Product;
using local::Products;
using lower::Operand;

constexpr std::size_t kOwnBias = 3;

double square(double x) {
    return x * x;
}

/// What the multiplier makes of an operand that is not certain: its rounding spreads it, and truncation takes
/// from its mean.
class OperandSpread {
public:
    explicit OperandSpread(const lower::Slots& s)
        : m_truncates(s.operand == Operand::tf32 && s.tf32Mode == lower::Tf32Mode::towardZero)
        , m_int8(s.operand == Operand::int8) {
        const DType stored = s.storage; // which may hold exactly what the multiplier reads
        if (s.operand == Operand::tf32 && stored == DType::f32) m_format = {10, -126, 127};
        if (s.operand == Operand::bf16 && stored != DType::bf16) m_format = floatFormat(DType::bf16);
        if (s.operand == Operand::fp16 && stored != DType::f16) m_format = floatFormat(DType::f16);
        if (s.operand == Operand::fp8)
            m_format =
                s.fp8Format == lower::Fp8Format::e5m2 ? FloatFormat{2, -14, 15} : FloatFormat{3, -6, 8};
    }

    /// Both in units of `scale`.
    void take(double mean, double variance, double scale, double& toMean, double& toVariance) const {
        const double per = 1 / scale, x = mean * per;
        double step = 0;
        if (m_int8) step = 1;
        if (m_format.fraction) step = m_format.ulp(x);
        toVariance = variance * per * per + step * step / 12;
        toMean = m_truncates ? x - std::copysign(kHalfTf32 * ulpOf(x, DType::f32), x) : x;
    }

private:
    static constexpr double kHalfTf32 = 0x1p12; ///< fp32 ulps that truncation takes away in the mean

    FloatFormat m_format{0, 0, 0}; ///< fraction 0: nothing is rounded
    bool m_truncates, m_int8;
};

/// Products, their bias and residual, scales, and the steps fused behind them.
class ProductSpread {
public:
    explicit ProductSpread(const OpCall& call)
        : m_call(call) {}

    Result<Field> run() {
        const lower::LoweredOp& op = m_call.op;
        lower::LoweredOp plain = op;
        plain.slots.operand = Operand::f32;
        const auto rounded = Products::of(op, m_call.shapes, in(0).mean, in(1).mean, m_call.arch, false);
        if (!rounded) return rounded.error();
        const auto exact = Products::of(plain, m_call.shapes, in(0).mean, in(1).mean, m_call.arch, false);
        // A certain operand has no variance to gather; its mean stands in for the shape.
        const auto spread = Products::of(plain, m_call.shapes, in(0).certain() ? in(0).mean : in(0).variance,
                                         in(1).certain() ? in(1).mean : in(1).variance, m_call.arch, false);
        if (!exact || !spread) return exact ? spread.error() : exact.error();
        m_out = {std::vector<double>(exact->outputs()), std::vector<double>(exact->outputs()), true};
        const std::size_t taken = takeStart(*exact);
        for (std::size_t i = 0; i < exact->count(); ++i) {
            if (m_call.progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
            one(*exact, i, operandsOf(rounded->product(i), *exact, *spread, i));
        }
        if (!op.slots.fused && op.ownInputs == kOwnBias) addStoredBias(*exact);
        return finish(taken);
    }

private:
    struct Operands {
        Product product; ///< means, in the units of the codes where there are scales
        std::vector<double> aVariance, bVariance;
        bool aSpread, bSpread;
    };

    const Field& in(std::size_t i) const { return *m_call.inputs[i]; }

    /// What is certain is rounded as the multiplier rounds it; what is not keeps its mean, and the rounding
    /// spreads it.
    Operands operandsOf(Product rounded, const Products& exact, const Products& spread, std::size_t i) const {
        const OperandSpread operand(m_call.op.slots);
        Operands o{std::move(rounded), {}, {}, !in(0).certain(), !in(1).certain()};
        Product& p = o.product;
        if (o.aSpread) {
            const auto mean = exact.a(i), variance = spread.a(i);
            auto& to = p.writeA();
            o.aVariance.resize(mean.size());
            tbb::parallel_for(std::size_t{0}, p.m, [&](std::size_t row) {
                const double scale = p.rowScales.empty() ? 1 : p.rowScales[row];
                for (std::size_t at = row * p.k; at < (row + 1) * p.k; ++at)
                    operand.take(mean[at], variance[at], scale, to[at], o.aVariance[at]);
            });
        }
        if (o.bSpread) {
            const auto mean = exact.b(i), variance = spread.b(i);
            auto& to = p.writeB();
            o.bVariance.resize(mean.size());
            tbb::parallel_for(std::size_t{0}, p.k, [&](std::size_t k) {
                for (std::size_t j = 0; j < p.n; ++j) {
                    const std::size_t at = k * p.n + j;
                    const double scale = p.columnScales.empty() ? 1 : p.columnScales[j];
                    operand.take(mean[at], variance[at], scale, to[at], o.bVariance[at]);
                }
            });
        }
        return o;
    }

    std::size_t takeStart(const Products& products) {
        const lower::LoweredOp& op = m_call.op;
        if (!op.slots.fused) return 0;
        m_start.assign(products.outputs(), 0);
        if (op.ownInputs == kOwnBias)
            for (std::size_t i = 0; i < products.count(); ++i)
                eachOutput(products, i, [&](std::size_t to, std::size_t column) {
                    m_start[to] += in(2).mean[products.biasAt(i, column)];
                });
        if (op.fused.empty() || op.fused[0].kind != OpKind::add || !op.fused[0].operand) return 0;
        const Field& residual = in(*op.fused[0].operand);
        if (residual.mean.size() != products.outputs()) return 0;
        for (std::size_t at = 0; at < m_start.size(); ++at) {
            m_start[at] += residual.mean[at];
            m_out.variance[at] += residual.varianceAt(at);
        }
        return 1;
    }

    template <class F>
    static void eachOutput(const Products& products, std::size_t i, const F& f) {
        const std::size_t n = products.columns(), size = products.outputs() / products.count();
        for (std::size_t at = 0; at < size; ++at) f(products.outputAt(i, at / n, at % n), at % n);
    }

    void one(const Products& products, std::size_t i, const Operands& o) {
        const Product& p = o.product;
        const auto model = local::sumModel(m_call.op.slots, p.spec, p.integers, local::Order::known);
        const bool scaled = !p.rowScales.empty();
        const auto itself = [](double x) { return x; };
        NarrowRows a, aVariance, aSquares;
        if (p.spec.exists()) a = NarrowRows(p.m, p.k, [&](std::size_t at) { return p.a[at]; });
        if (o.aSpread) aVariance = NarrowRows(p.m, p.k, [&](std::size_t at) { return o.aVariance[at]; });
        if (o.bSpread)
            aSquares = NarrowRows(p.m, p.k, [&](std::size_t at) {
                return square(p.a[at]) + (o.aSpread ? o.aVariance[at] : 0);
            });
        tbb::parallel_for(std::size_t{0}, (p.n + kWidth - 1) / kWidth, [&](std::size_t number) {
            const std::size_t first = number * kWidth, width = std::min(kWidth, p.n - first);
            const auto panel = panelOf(p.b, p.k, p.n, first);
            std::optional<NarrowPanel> b, bSquares, bVariance;
            SpreadTerms terms;
            terms.panel = panel.get();
            if (p.spec.exists()) {
                b.emplace(p.k, panel.get(), itself);
                b->inOneUnit(p.k);
            }
            if (o.aSpread) bSquares.emplace(p.k, panel.get(), square);
            if (o.bSpread) bVariance.emplace(p.k, panelOf(o.bVariance, p.k, p.n, first).get(), itself);
            for (std::size_t row = 0; row < p.m; ++row) {
                SpreadSums x{};
                if (!scaled && !m_start.empty())
                    for (std::size_t j = 0; j < width; ++j)
                        x.s[j] = m_start[products.outputAt(i, row, first + j)];
                terms.a = &p.a[row * p.k];
                if (o.aSpread)
                    terms.uncertainA = {aVariance.row(row), bSquares->values.get(), aVariance.units[row],
                                        bSquares->units};
                if (o.bSpread)
                    terms.uncertainB = {aSquares.row(row), bVariance->values.get(), aSquares.units[row],
                                        bVariance->units};
                if (b) {
                    terms.narrowA = a.row(row);
                    terms.narrowPanel = b->values.get();
                    terms.unit = a.units[row] * b->units[0];
                }
                spreadPanel(model, terms, p.k, x);
                for (std::size_t j = 0; j < width; ++j) {
                    const std::size_t to = products.outputAt(i, row, first + j);
                    const double scale = scaled ? p.rowScales[row] * p.columnScales[first + j] : 1;
                    double y = (x.s[j] - x.lost[j]) * scale, v = x.variance[j] * square(scale);
                    if (scaled)
                        v += 2 * square(ulpOf(y, DType::f32)) / 12; // the sum as a float, and the scales
                    if (scaled && !m_start.empty()) y += m_start[to];
                    m_out.mean[to] = y;
                    m_out.variance[to] += v;
                }
            }
        });
    }

    void addStoredBias(const Products& products) {
        roundTo(m_call.op.slots.storage, m_out);
        for (std::size_t i = 0; i < products.count(); ++i)
            eachOutput(products, i, [&](std::size_t to, std::size_t column) {
                const std::size_t at = products.biasAt(i, column);
                m_out.mean[to] += in(2).mean[at];
                m_out.variance[to] += in(2).varianceAt(at) + square(ulpOf(m_out.mean[to], DType::f32)) / 12;
            });
    }

    Result<Field> finish(std::size_t taken) {
        const lower::LoweredOp& op = m_call.op;
        std::vector<Shape> shapes(m_call.shapes.begin(),
                                  m_call.shapes.begin() + static_cast<std::ptrdiff_t>(op.ownInputs));
        const auto shape = block::opDef(op.kind).shape(shapes, op.attributes);
        if (!shape) return shape.error();
        for (std::size_t at = taken; at < op.fused.size(); ++at) {
            const lower::FusedStep& step = op.fused[at];
            const Field* operand = step.operand ? m_call.inputs[*step.operand] : nullptr;
            if (!pointwiseField(step.kind, step.attributes, step.slots, *shape, operand, m_out)) {
                m_out.known = false;
                break;
            }
        }
        return std::move(m_out);
    }

    const OpCall& m_call;
    std::vector<double> m_start; ///< by output: what the accumulators hold first
    Field m_out;
};

} // namespace

Result<Field> productField(const OpCall& call) {
    return ProductSpread(call).run();
}

} // namespace divdet::envelope
