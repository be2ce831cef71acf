#include "session/advise/advise.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "base/rounded_up.h"
#include "judge/honest/recommend.h"
#include "run/architecture.h"
#include "session/advise/fault_runs.h"
#include "session/advise/honest_runs.h"

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kCatches = 0.9;               ///< of the runs: a tolerance finds the fault
constexpr double kMisses = 0.5;                ///< it passes in more runs than not
constexpr std::int64_t kLeastElements = 16384; ///< expected elements behind a rate
constexpr int kLeastDraws = 6, kMostDraws = 32;
constexpr double kMargin = 0.02;
constexpr int kMixedRuns = 400;                               ///< of a fault that is caught in some runs only
constexpr std::int64_t kMostProducts = std::int64_t{1} << 31; ///< of all draws together
constexpr std::int64_t kLongest = std::int64_t{1} << 26;      ///< products of one run at another length
constexpr std::int64_t kMostTimes = 16;                       ///< as long as the given length
constexpr std::int64_t kShortestSum = 16;

Status checkRequest(const AdviseRequest& r) {
    if (!(r.p > 0 && r.p < 1))
        return Error{ErrorCode::usage, fmt::format("p is {}", r.p), "--p",
                     "give the share of honest runs that may fail, such as 1e-6"};
    if (r.elements < 0)
        return Error{ErrorCode::usage, "elements are negative", "--elements", "give how many a run compares"};
    if (r.rtol || r.atol) return validate({Rule::allclose, r.rtol.value_or(0), r.atol.value_or(0)});
    return Done{};
}

int drawsFor(const AdvisedBlock& b) {
    const std::int64_t elements = std::max<std::int64_t>(1, b.outputElements());
    const std::int64_t wanted = (kLeastElements + elements - 1) / elements;
    const std::int64_t affordable = kMostProducts / std::max<std::int64_t>(1, b.products());
    return static_cast<int>(std::clamp<std::int64_t>(std::min(wanted, affordable), kLeastDraws, kMostDraws));
}

/// The given tolerance and the recommended one decide whether a fault is caught in some runs only.
bool mixed(const FaultRuns& fault, const std::vector<Tolerance>& tolerances) {
    return std::any_of(tolerances.begin(), tolerances.end(), [&](const Tolerance& t) {
        const double share = fault.caught(t);
        return share > 0 && share < 1;
    });
}

class Adviser {
public:
    Adviser(Session& session, const AdviseRequest& request, const Progress& progress)
        : m_session(session)
        , m_request(request)
        , m_progress(progress) {}

    Result<std::shared_ptr<const Advice>> run() {
        const auto start = Clock::now();
        if (auto s = checkRequest(m_request); !s) return s.error();
        auto block = advisedBlock(m_request);
        if (!block) return block.error();
        auto device = m_session.backends().find(m_request.device);
        if (!device) return device.error();
        const auto arch = run::parseArchitecture(device->device.architecture);
        if (!arch)
            return Error{ErrorCode::unsupported, "the arithmetic of this device is not modelled",
                         device->device.id, "choose a device that divdet devices lists with an architecture"};
        const AdviseTarget target{*device->backend, device->device.id, *arch};
        describe(*block, device->device.id);
        auto honest = honestRuns(*block, m_request.seed, drawsFor(*block), target, m_progress);
        if (!honest) return honest.error();
        const double elements = static_cast<double>(m_out.elements);
        const auto recommended = honest::recommend(honest->errors, m_request.p, elements);
        m_out.recommended = recommended.sharpest, m_out.linked = recommended.linked;
        m_out.falseAlarm = recommended.sharpestAlarm, m_out.linkedAlarm = recommended.linkedAlarm;
        m_out.draws = static_cast<int>(honest->draws.size());
        m_out.widening = honest->widening;
        if (honest->widening > 1)
            m_out.notes.push_back(
                fmt::format("honest runs are {:.1f} times as far off as theory expects of these "
                            "data; the spread is widened to theirs",
                            honest->widening));
        if (auto s = measurePower(*block, *honest, target); !s) return s.error();
        if (m_request.rtol || m_request.atol) judgeGiven(honest->errors, elements);
        findLoosest();
        if (auto s = explainMisses(*block, target); !s) return s.error();
        m_out.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return std::make_shared<const Advice>(std::move(m_out));
    }

private:
    void describe(const AdvisedBlock& b, const std::string& device) {
        m_out.request = m_request;
        m_out.request.device = device;
        for (const auto& [name, value] : b.block.dims) m_out.request.sizes[name] = value;
        for (auto it = m_out.request.sizes.begin(); it != m_out.request.sizes.end();)
            it = b.block.dims.count(it->first) ? std::next(it) : m_out.request.sizes.erase(it);
        m_out.request.output = b.output == DType::bf16 ? "bf16" : b.output == DType::f16 ? "fp16" : "f32";
        m_out.what = m_request.op;
        for (const auto& d : b.block.graph.dims)
            m_out.what += fmt::format("  {} {}", d.name, b.block.dims.at(d.name));
        m_out.what += fmt::format("  operands {}  accumulator {}  output {}  inputs {}", b.operands,
                                  b.quantised() && b.operands == "int8" ? "int32" : b.accumulator,
                                  m_out.request.output, m_request.inputs);
        m_out.reference = referenceText(b);
        m_out.elements = m_request.elements > 0 ? m_request.elements : b.outputElements();
        if (m_out.elements != b.outputElements())
            m_out.notes.push_back(fmt::format("power is measured on runs of {} elements; rates are for {}",
                                              countText(b.outputElements()), countText(m_out.elements)));
    }

    std::vector<Tolerance> tolerances() const {
        std::vector<Tolerance> out{m_out.recommended};
        if (m_request.rtol || m_request.atol) out.push_back(given());
        return out;
    }
    Tolerance given() const {
        return {Rule::allclose, m_request.rtol.value_or(0), m_request.atol.value_or(0)};
    }

    Status measurePower(const AdvisedBlock& b, const HonestRuns& honest, const AdviseTarget& target) {
        m_faults = fittingFaults(b);
        std::uint64_t done = 0;
        for (FaultRuns& fault : m_faults) {
            m_progress(done++, m_faults.size(), lower::toString(fault.choice));
            for (std::size_t i = 0; i < honest.draws.size(); ++i)
                if (auto s = addRun(fault, b, honest.draws[i], honest.outputs[i], target, m_progress); !s)
                    return s;
        }
        if (auto s = runMixedAgain(b, target); !s) return s;
        for (const FaultRuns& fault : m_faults) {
            FaultPower power;
            power.fault = lower::toString(fault.choice);
            power.title = fault.title;
            power.runs = static_cast<int>(fault.runs.size());
            power.acts = fault.acts();
            power.acting = fault.acting();
            power.recommended = fault.caught(m_out.recommended);
            if (m_request.rtol || m_request.atol) power.given = fault.caught(given());
            m_out.power.push_back(std::move(power));
        }
        return Done{};
    }

    /// Where some runs are caught and others not, a share needs many.
    Status runMixedAgain(const AdvisedBlock& b, const AdviseTarget& target) {
        std::vector<FaultRuns*> again;
        for (FaultRuns& fault : m_faults)
            if (mixed(fault, tolerances())) again.push_back(&fault);
        if (again.empty()) return Done{};
        const auto runs = static_cast<int>(std::clamp<std::int64_t>(
            4 * kMostProducts / std::max<std::int64_t>(1, b.products()), m_out.draws, kMixedRuns));
        for (int i = m_out.draws; i < runs; ++i) {
            m_progress(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(runs),
                       "faults that are sometimes caught");
            const auto draw = drawData(b, m_request.seed + static_cast<std::uint64_t>(i), target, m_progress);
            if (!draw) return draw.error();
            const auto honest = outputsOf(b, *draw, {}, target, m_progress);
            if (!honest) return honest.error();
            for (FaultRuns* fault : again)
                if (auto s = addRun(*fault, b, *draw, *honest, target, m_progress); !s) return s;
        }
        return Done{};
    }

    void judgeGiven(const honest::HonestErrors& errors, double elements) {
        GivenTolerance out;
        out.tolerance = given();
        out.falseAlarm = errors.falseAlarm(out.tolerance.rtol, out.tolerance.atol, elements);
        for (const FaultPower& power : m_out.power)
            if (power.recommended >= kCatches && *power.given < kMisses) out.blindTo.push_back(power.fault);
        // Rounded numbers of a recommendation may lie a hair above p.
        if (out.falseAlarm > m_request.p * 1.0001)
            out.verdict = ToleranceVerdict::flaky;
        else if (!out.blindTo.empty())
            out.verdict = ToleranceVerdict::blind;
        m_out.given = std::move(out);
    }

    Tolerance times(double factor) const {
        return {Rule::allclose, m_out.recommended.rtol * factor, m_out.recommended.atol * factor};
    }
    /// Down to two digits, so that it still catches.
    Tolerance roundedDown(Tolerance t) const {
        const auto down = [](double x) { return x > 0 ? roundedUp(x * 0.9, 2) : 0; };
        return {Rule::allclose, std::max(down(t.rtol), m_out.recommended.rtol),
                std::max(down(t.atol), m_out.recommended.atol)};
    }

    /// Multiples of the recommended pair that nine of ten runs of a fault exceed: the largest of any fault,
    /// and the largest that loses no fault.
    void findLoosest() {
        double most = 0, least = 0;
        for (const FaultRuns& fault : m_faults) {
            const bool spoilt =
                std::any_of(fault.runs.begin(), fault.runs.end(), [](const auto& r) { return r.spoilt; });
            if (spoilt || fault.caught(m_out.recommended) < kCatches) continue;
            double low = 1, high = 1e30;
            for (int i = 0; i < 80; ++i) {
                const double middle = std::sqrt(low * high);
                (fault.caught(times(middle)) >= kCatches ? low : high) = middle;
            }
            if (low > most) most = low, m_out.loosestCatches = lower::toString(fault.choice);
            if (least == 0 || low < least) least = low, m_out.firstLost = lower::toString(fault.choice);
        }
        if (most == 0) return;
        m_out.loosest = roundedDown(times(most));
        m_out.lossless = roundedDown(times(least));
    }

    Status explainMisses(const AdvisedBlock& b, const AdviseTarget& target) {
        for (std::size_t i = 0; i < m_faults.size(); ++i) {
            FaultPower& power = m_out.power[i];
            if (!power.acts) {
                power.text = "changes no bit at these sizes";
                continue;
            }
            const auto length = lengthWhereCaught(b, m_faults[i].choice, power.recommended, target);
            if (!length) return length.error();
            const double acting = m_faults[i].acting();
            if (acting < 1 && power.recommended >= acting - kMargin)
                power.text = fmt::format("acts in {:.0f} % of the runs only", 100 * acting);
            else if (power.recommended < kMisses && *length == 0)
                power.text = "passes: its error is within honest rounding of these dtypes";
            else if (power.recommended < kMisses)
                power.text = fmt::format("passes below k ≈ {}: raise k to find it", countText(*length));
            else if (*length > kShortestSum)
                power.text = fmt::format("passes below k ≈ {}", countText(*length));
        }
        return Done{};
    }

    /// The k from which a fault of the sums is caught in most runs, each k at its own recommended tolerance;
    /// a power of two times the given one. 0: at none that is affordable, or the fault does not depend on k.
    Result<std::int64_t> lengthWhereCaught(const AdvisedBlock& b, const lower::PassChoice& fault, double here,
                                           const AdviseTarget& target) {
        const bool ofSums =
            fault.id == "wrong-accumulator" || fault.id == "split-k-bf16" || fault.id == "fp16-overflow";
        const auto k = b.block.dims.find("k");
        if (!ofSums || !b.single || k == b.block.dims.end()) return std::int64_t{0};
        std::int64_t length = k->second, found = here >= kMisses ? length : 0;
        while (true) {
            length = here >= kMisses ? length / 2 : length * 2;
            if (length < kShortestSum || length > kMostTimes * k->second ||
                b.products() / k->second * length > kLongest)
                return found;
            m_progress(0, 1, fmt::format("{} at k {}", lower::toString(fault), length));
            const auto share = caughtAt(length, fault, target);
            if (!share) return share.error();
            if (here < kMisses && *share >= kMisses) return length;
            if (here >= kMisses && *share < kMisses) return found;
            if (here >= kMisses) found = length;
        }
    }

    /// The op at another length, with honest runs and its own recommended tolerance.
    struct OtherLength {
        AdvisedBlock block;
        HonestRuns honest;
        Tolerance tolerance;
    };
    Result<const OtherLength*> atLength(std::int64_t k, const AdviseTarget& target) {
        if (const auto known = m_lengths.find(k); known != m_lengths.end()) return &known->second;
        constexpr int kDraws = 4;
        AdviseRequest other = m_out.request;
        other.sizes["k"] = k;
        auto block = advisedBlock(other);
        if (!block) return block.error();
        auto honest = honestRuns(*block, other.seed, kDraws, target, m_progress);
        if (!honest) return honest.error();
        const auto best = honest::recommend(honest->errors, other.p, static_cast<double>(m_out.elements));
        return &m_lengths.emplace(k, OtherLength{std::move(*block), std::move(*honest), best.sharpest})
                    .first->second;
    }

    Result<double> caughtAt(std::int64_t k, const lower::PassChoice& choice, const AdviseTarget& target) {
        const auto at = atLength(k, target);
        if (!at) return at.error();
        const OtherLength& other = **at;
        if (!lower::checkFit(other.block.block, choice)) return 0.0;
        FaultRuns fault{choice, "", {}};
        for (std::size_t i = 0; i < other.honest.draws.size(); ++i)
            if (auto s = addRun(fault, other.block, other.honest.draws[i], other.honest.outputs[i], target,
                                m_progress);
                !s)
                return s.error();
        return fault.caught(other.tolerance);
    }

    Session& m_session;
    const AdviseRequest& m_request;
    const Progress& m_progress;
    std::vector<FaultRuns> m_faults;
    std::map<std::int64_t, OtherLength> m_lengths; ///< by k
    Advice m_out;
};

} // namespace

std::string_view toString(ToleranceVerdict verdict) {
    switch (verdict) {
    case ToleranceVerdict::flaky:
        return "flaky";
    case ToleranceVerdict::blind:
        return "blind";
    default:
        return "fine";
    }
}

Result<std::shared_ptr<const Advice>> advise(Session& session, const AdviseRequest& request,
                                             const Progress& progress) {
    return Adviser(session, request, progress).run();
}

} // namespace divdet
