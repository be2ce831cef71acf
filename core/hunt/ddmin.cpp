#include "hunt/ddmin.h"

#include <algorithm>

namespace divdet::hunt {
namespace {

using Items = std::vector<std::size_t>;

/// `parts` parts of nearly equal size, in order.
std::vector<Items> partsOf(const Items& items, std::size_t parts) {
    std::vector<Items> out;
    for (std::size_t p = 0; p < parts; ++p) {
        const auto at = [&](std::size_t i) {
            return items.begin() + static_cast<std::ptrdiff_t>(items.size() * i / parts);
        };
        out.emplace_back(at(p), at(p + 1));
    }
    return out;
}

Items without(const Items& items, const Items& part) {
    Items out;
    std::set_difference(items.begin(), items.end(), part.begin(), part.end(), std::back_inserter(out));
    return out;
}

} // namespace

Result<std::vector<std::size_t>> ddmin(std::vector<std::size_t> bad, const AskItems& ask) {
    std::sort(bad.begin(), bad.end());
    std::size_t granularity = 2;
    while (bad.size() > 1) {
        granularity = std::min(granularity, bad.size());
        const auto parts = partsOf(bad, granularity);
        bool reduced = false;
        for (const Items& part : parts) {
            const auto answer = ask(part);
            if (!answer) return answer.error();
            if (*answer != Answer::bad) continue;
            bad = part;
            granularity = 2;
            reduced = true;
            break;
        }
        // With two parts the complements are the parts.
        for (std::size_t p = 0; !reduced && granularity > 2 && p < parts.size(); ++p) {
            const Items rest = without(bad, parts[p]);
            const auto answer = ask(rest);
            if (!answer) return answer.error();
            if (*answer != Answer::bad) continue;
            bad = rest;
            granularity = std::max<std::size_t>(granularity - 1, 2);
            reduced = true;
        }
        if (reduced) continue;
        if (granularity >= bad.size()) break;
        granularity = std::min(2 * granularity, bad.size());
    }
    return bad;
}

} // namespace divdet::hunt
