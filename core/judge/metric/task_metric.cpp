#include "judge/metric/task_metric.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "base/sigbus_guard.h"
#include "judge/metric/token_sums.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

/// Logits of a chunk, in whole tokens. Fixed, so that sums are the same for any number of threads.
constexpr std::int64_t kChunkLogits = 1 << 15;
constexpr std::int64_t kWave = 32; ///< chunks in work at once

/// Rows of one worker: memory is a few rows per thread, whatever the length of the text.
struct Scratch {
    std::vector<double> reference, candidate, mask, weights;
};

struct Part {
    TokenSums sums;
    bool shrunk = false;
    std::optional<std::pair<std::int64_t, double>> badTarget; ///< the first: token and what stood there
};

bool real(DType t) {
    return kind(t) != DTypeKind::complex && kind(t) != DTypeKind::opaque;
}

Error mismatch(std::string what, std::string hint) {
    return {ErrorCode::mismatch, std::move(what), "", std::move(hint)};
}

Status check(const TaskTensors& t) {
    const Shape& shape = t.reference.shape;
    if (shape != t.candidate.shape)
        return mismatch(fmt::format("the logits are {} and {}", toString(shape), toString(t.candidate.shape)),
                        "both sides need the same tokens and vocabulary");
    if (shape.empty() || shape.back() < 2)
        return mismatch(fmt::format("logits of shape {} hold no choice between words", toString(shape)),
                        "logits are [.., vocabulary], with at least two words");
    if (t.reference.elements() == 0) return mismatch("the logits hold no token", "compare a longer text");
    if (!real(t.reference.dtype) || !real(t.candidate.dtype))
        return mismatch(fmt::format("logits of {} and {} have no largest", name(t.reference.dtype),
                                    name(t.candidate.dtype)),
                        "logits are real numbers");
    const std::int64_t tokens = t.reference.elements() / shape.back();
    if (t.targets && (t.targets->elements() != tokens || !real(t.targets->dtype)))
        return mismatch(fmt::format("targets {} of shape {} do not go with logits of shape {}",
                                    name(t.targets->dtype), toString(t.targets->shape), toString(shape)),
                        "targets are one whole number per token");
    if (t.mask && t.mask->shape != shape)
        return mismatch("the mask has another shape than the logits", "give a mask of the logits' shape");
    return Done{};
}

class Measurement {
public:
    explicit Measurement(const TaskTensors& t)
        : m_t(t)
        , m_vocabulary(t.reference.shape.back())
        , m_tokens(t.reference.elements() / m_vocabulary)
        , m_perChunk(std::max<std::int64_t>(1, kChunkLogits / m_vocabulary)) {}

    std::int64_t chunks() const { return (m_tokens + m_perChunk - 1) / m_perChunk; }
    std::int64_t tokens() const { return m_tokens; }

    Part chunk(std::int64_t index, Scratch& s, const Progress& progress) const {
        Part out;
        const auto width = static_cast<std::size_t>(m_vocabulary);
        s.reference.resize(width);
        s.candidate.resize(width);
        if (m_t.mask) s.mask.resize(width);
        const std::int64_t end = std::min(m_tokens, (index + 1) * m_perChunk);
        for (std::int64_t token = index * m_perChunk; token < end && !progress.cancelled(); ++token)
            if (!one(token, s, out)) break;
        return out;
    }

private:
    /// False when the chunk cannot go on.
    bool one(std::int64_t token, Scratch& s, Part& out) const {
        double target = -1;
        const bool read = guardMappedRead([&] {
            loadAsDouble(m_t.reference, token * m_vocabulary, s.reference);
            loadAsDouble(m_t.candidate, token * m_vocabulary, s.candidate);
            if (m_t.targets) loadAsDouble(*m_t.targets, token, {&target, 1});
            if (m_t.mask) loadAsDouble(*m_t.mask, token * m_vocabulary, s.mask);
        });
        if (!read) {
            out.shrunk = true;
            return false;
        }
        if (m_t.mask && std::all_of(s.mask.begin(), s.mask.end(), [](double x) { return x == 0; }))
            return true;
        if (!(target == std::floor(target) && target < static_cast<double>(m_vocabulary))) {
            out.badTarget = {token, target};
            return false;
        }
        const auto word = target < 0 ? -1 : static_cast<std::int64_t>(target);
        const TokenFacts facts = factsOf(s.reference, s.candidate, word, s.weights);
        const GuessFacts& guess = facts.reference;
        std::optional<ToleranceBound> needed;
        if (guess.defined && !facts.agrees()) needed = neededTolerance(s.reference, s.candidate);
        if (!facts.agrees() && out.sums.firstFlipOpen()) out.sums.setFirstFlip(flipOf(token, facts, s));
        out.sums.add(token, facts, m_t.targets.has_value(), word,
                     guess.defined ? safeTolerance(s.reference, guess.guess) : ToleranceBound{}, needed);
        return true;
    }

    static Flip flipOf(std::int64_t token, const TokenFacts& f, const Scratch& s) {
        const auto at = [&](std::int64_t word) {
            return word < 0 || !f.reference.defined ? Estimate{}.value
                                                    : s.reference[static_cast<std::size_t>(word)];
        };
        return {token,  f.reference.guess, f.candidate.guess, at(f.reference.guess), at(f.candidate.guess),
                f.error};
    }

    const TaskTensors& m_t;
    std::int64_t m_vocabulary, m_tokens, m_perChunk;
};

Error badTarget(std::int64_t token, double value, const TaskTensors& t) {
    Shape leading = t.reference.shape;
    leading.pop_back();
    return mismatch(fmt::format("the target of token {} is {}, not a word of the {} there are",
                                toString(unravel(token, leading)), value, t.reference.shape.back()),
                    "targets are whole numbers below the vocabulary; negative ones are left out");
}

} // namespace

Result<TaskMetric> measureTask(const TaskTensors& tensors, const Progress& progress) {
    if (auto s = check(tensors); !s) return s.error();
    const Measurement work(tensors);
    tbb::enumerable_thread_specific<Scratch> scratches;
    TokenSums whole;
    for (std::int64_t first = 0; first < work.chunks(); first += kWave) {
        const std::int64_t end = std::min(work.chunks(), first + kWave);
        std::vector<Part> wave(static_cast<std::size_t>(end - first));
        tbb::parallel_for(
            tbb::blocked_range<std::int64_t>(first, end, 1),
            [&](const auto& range) {
                for (std::int64_t i = range.begin(); i < range.end(); ++i)
                    wave[static_cast<std::size_t>(i - first)] = work.chunk(i, scratches.local(), progress);
            },
            tbb::simple_partitioner());
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "the task metric was cancelled"};
        for (const Part& part : wave) {
            if (part.shrunk)
                return Error{ErrorCode::truncated, "the file became shorter while it was read", "",
                             "let the program that writes it finish, then compare again"};
            if (part.badTarget) return badTarget(part.badTarget->first, part.badTarget->second, tensors);
            whole.merge(part.sums);
        }
        progress(static_cast<std::uint64_t>(end), static_cast<std::uint64_t>(work.chunks()), "task metric");
    }
    TaskMetric out = whole.finish();
    if (out.tokens == 0) return mismatch("the mask leaves no token", "compare at least one token");
    out.leading = tensors.reference.shape;
    out.vocabulary = out.leading.back();
    out.leading.pop_back();
    return out;
}

} // namespace divdet
