#include "run/check_device.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "run/golden/golden_cases.h"

namespace divdet::run {
namespace {

using Words = std::vector<std::uint32_t>;

Result<Words> answer(Backend& backend, const DeviceInfo& device, const golden::Case& c,
                     const Progress& progress) {
    std::vector<float> values;
    if (c.slots == "fill-normal") {
        values.resize(c.answers.front().bits.size());
        backend.fillNormal(golden::kNormalSeed, golden::kNormalStream, values);
    } else {
        const auto inputs = golden::inputsOf(c);
        const auto out = backend.runOp(device.id, golden::opOf(c), inputs, progress);
        if (!out) return out.error();
        const auto floats = out->as<float>();
        values.assign(floats.begin(), floats.end());
    }
    Words words;
    for (float x : values) words.push_back(std::bit_cast<std::uint32_t>(x));
    return words;
}

/// Empty when all bits are equal.
std::string difference(const golden::Case& c, const Words& due, const Words& got) {
    if (due.size() != got.size())
        return fmt::format("{}: {} numbers where {} are due", c.what, got.size(), due.size());
    for (std::size_t i = 0; i < due.size(); ++i)
        if (due[i] != got[i])
            return fmt::format("{}: number {} is {:g} (0x{:08X}) where {:g} (0x{:08X}) is due", c.what, i,
                               std::bit_cast<float>(got[i]), got[i], std::bit_cast<float>(due[i]), due[i]);
    return "";
}

/// Whose bits are its own affair must still give these numbers.
bool near(const Words& due, const Words& got) {
    if (due.size() != got.size()) return false;
    float largest = 0;
    for (std::uint32_t word : due) largest = std::max(largest, std::fabs(std::bit_cast<float>(word)));
    for (std::size_t i = 0; i < due.size(); ++i)
        if (!(std::fabs(std::bit_cast<float>(got[i]) - std::bit_cast<float>(due[i])) <= largest / 64))
            return false;
    return true;
}

Status check(Backend& backend, const DeviceInfo& device, const golden::Case& c, ArithmeticCheck& result,
             const Progress& progress) {
    const Words* due = golden::answerOf(c, device.architecture);
    if (!due) return Done{};
    ++result.cases;
    const auto got = answer(backend, device, c, progress);
    if (!got && got.error().code == ErrorCode::cancelled) return got.error();
    const std::string wrong =
        got ? difference(c, *due, *got) : fmt::format("{}: {}", c.what, got.error().message);
    Agreement agreement = wrong.empty() ? Agreement::agree : Agreement::differ;
    if (!wrong.empty() && got && device.promise != Promise::exact && near(*due, *got))
        agreement = Agreement::otherBits;
    if (agreement <= result.agreement) return Done{};
    result.agreement = agreement;
    result.detail = wrong;
    return Done{};
}

} // namespace

std::string_view name(Agreement agreement) {
    static constexpr std::string_view kNames[] = {"absent", "agree", "other-bits", "differ"};
    return kNames[static_cast<std::size_t>(agreement)];
}

Result<std::vector<ArithmeticCheck>> checkDevice(Backend& backend, const DeviceInfo& device,
                                                 const Progress& progress) {
    std::vector<ArithmeticCheck> all;
    for (const std::string_view arithmetic : golden::arithmetics()) {
        ArithmeticCheck result{std::string(arithmetic), Agreement::absent, 0, ""};
        for (const golden::Case& c : golden::cases()) {
            if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
            if (c.arithmetic != arithmetic) continue;
            if (auto s = check(backend, device, c, result, progress); !s) return s.error();
        }
        if (result.cases == 0) result.detail = fmt::format("no golden answer for {}", device.architecture);
        all.push_back(std::move(result));
    }
    return all;
}

} // namespace divdet::run
