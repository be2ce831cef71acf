#include "session/advise/draw.h"

#include <cmath>
#include <limits>

#include "block/ops/support.h"
#include "judge/envelope/envelope.h"
#include "judge/envelope/rules.h"
#include "judge/local/allowed.h"
#include "numerics/rounding.h"
#include "run/reference.h"
#include "run/replay.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// The numbers a test would hand over: in the dtype of the operands.
Status roundInputs(const AdvisedBlock& b, run::Inputs& inputs) {
    for (std::size_t i = 0; i < inputs.tensors.size(); ++i) {
        Tensor& t = inputs.tensors[i];
        if (b.block.graph.values[i].role == block::Role::intermediate) continue;
        if (b.block.graph.values[i].filling.kind == block::FillKind::indices) continue;
        if (b.operands == "tf32") {
            TensorBuilder out(DType::f32, t.shape());
            const auto from = t.as<float>();
            const auto to = out.as<float>();
            for (std::size_t e = 0; e < to.size(); ++e)
                to[e] = numerics::roundToTf32(from[e], numerics::Tf32Rounding::nearestEven);
            t = std::move(out).finish();
        }
        if (b.operands != "bf16" && b.operands != "fp16") continue;
        auto narrow = converted(t, b.operands == "bf16" ? DType::bf16 : DType::f16);
        if (!narrow) return narrow.error();
        auto wide = converted(*narrow, DType::f32);
        if (!wide) return wide.error();
        t = std::move(*wide);
    }
    return Done{};
}

/// What the one op of a block reads, in the dtypes it is stored in.
Result<std::vector<Tensor>> readBy(const lower::LoweredGraph& program, const run::Inputs& inputs) {
    std::vector<Tensor> out;
    for (const auto i : program.ops[0].inputs) {
        auto t = converted(inputs.tensors[i], program.storage[i]);
        if (!t) return t.error();
        out.push_back(std::move(*t));
    }
    return out;
}

/// What one op gives exactly, and the hard bound of its arithmetic, in whichever order it adds.
Result<local::Allowed> allowedOf(const AdvisedBlock& b, const Draw& draw, const AdviseTarget& target,
                                 const Progress& progress) {
    const auto program = advisedProgram(b, {}, 0);
    if (!program) return program.error();
    const auto read = readBy(*program, draw.inputs);
    if (!read) return read.error();
    return local::allowedBy(program->ops[0], *read, target.arch, local::Order::any, progress);
}

/// A narrow accumulator rounds the same partial sums as fp32 does, in steps so many times coarser.
double accumulatorSteps(const AdvisedBlock& b) {
    return b.accumulator == "bf16" ? 0x1p16 : b.accumulator == "fp16" ? 0x1p13 : 1;
}

/// The program whose roundings have the variance sought, but for those steps.
Result<lower::LoweredGraph> programOfSpread(const AdvisedBlock& b) {
    if (b.accumulator == "f32") return advisedProgram(b, {}, 0);
    AdvisedBlock plain = b; // the inputs are rounded already, so that fp32 operands are the same numbers
    plain.declared.clear();
    plain.output = DType::f32;
    return advisedProgram(plain, {}, 0);
}

} // namespace

std::string referenceText(const AdvisedBlock& b) {
    if (b.operands == "f32") return "fp64 of the same inputs";
    if (b.quantised())
        return b.single ? "fp64 of the operands' codes, scaled back"
                        : "fp64 of the inputs before they are quantised";
    return "fp64 of the inputs rounded to " + b.operands;
}

Result<Draw> drawData(const AdvisedBlock& b, std::uint64_t seed, const AdviseTarget& target,
                      const Progress& progress) {
    auto inputs = run::makeInputs(b.block, seed, nullptr, progress, &target.backend);
    if (!inputs) return inputs.error();
    Draw out{seed, std::move(*inputs), {}};
    if (auto s = roundInputs(b, out.inputs); !s) return s.error();
    if (b.single && b.quantised()) {
        auto allowed = allowedOf(b, out, target, progress);
        if (!allowed) return allowed.error();
        out.reference = std::move(allowed->exact);
        return out;
    }
    const auto taps = run::reference64(b.block, out.inputs, nullptr, progress);
    if (!taps) return taps.error();
    for (const auto& name : b.block.graph.outputs()) {
        const auto values = block::ops::doubles(taps->find(name)->tensor);
        out.reference.insert(out.reference.end(), values.begin(), values.end());
    }
    return out;
}

Result<std::vector<honest::ExpectedElement>>
expectedOf(const AdvisedBlock& b, const Draw& draw, const AdviseTarget& target, const Progress& progress) {
    const auto program = programOfSpread(b);
    if (!program) return program.error();
    const auto fields = envelope::envelopeOf(*program, draw.inputs.tensors, target.arch, progress);
    if (!fields) return fields.error();
    std::vector<double> reach(draw.reference.size(), kInf);
    if (b.single && b.accumulator == "f32") {
        const auto allowed = allowedOf(b, draw, target, progress);
        if (allowed && allowed->exact.size() == reach.size())
            for (std::size_t i = 0; i < reach.size(); ++i)
                reach[i] = std::abs(allowed->exact[i] - draw.reference[i]) + allowed->bound[i];
    }
    std::vector<honest::ExpectedElement> out;
    for (const auto& name : b.block.graph.outputs()) {
        const auto at = *b.block.graph.find(name);
        const envelope::Field& f = (*fields)[at];
        if (!f.known)
            return Error{ErrorCode::unsupported, "theory has no envelope for an op of this block", name,
                         "choose a block of products, sums, norms and activations"};
        const DType stored = program->storage[at];
        for (std::size_t i = 0; i < f.mean.size(); ++i) {
            const std::size_t to = out.size();
            const double step = f.varianceAt(i) > 0 ? envelope::ulpOf(f.mean[i], stored) : 0;
            const double sigma =
                std::sqrt(std::max(0.0, f.varianceAt(i) - step * step / 12)) * accumulatorSteps(b);
            out.push_back({draw.reference[to], f.mean[i] - draw.reference[to], sigma, reach[to]});
        }
    }
    return out;
}

Result<std::vector<double>> outputsOf(const AdvisedBlock& b, const Draw& draw,
                                      const std::vector<lower::PassChoice>& faults,
                                      const AdviseTarget& target, const Progress& progress) {
    const auto program = advisedProgram(b, faults, draw.seed);
    if (!program) return program.error();
    const auto taps =
        run::runProgram(*program, draw.inputs, draw.seed, {target.backend, target.device, nullptr}, progress);
    if (!taps) return taps.error();
    std::vector<double> out;
    for (const auto& name : b.block.graph.outputs()) {
        const run::Tap* tap = taps->find(name);
        if (!tap) return Error{ErrorCode::internal, "a run has no output", name, ""};
        const auto values = block::ops::doubles(tap->tensor);
        out.insert(out.end(), values.begin(), values.end());
    }
    return out;
}

} // namespace divdet
