#include "hunt/find_culprits.h"

#include <algorithm>

#include <fmt/format.h>

#include "hunt/ddmin.h"
#include "hunt/narrow.h"

namespace divdet::hunt {
namespace {

using Items = std::vector<std::size_t>;

ItemSet setOf(const Items& items, std::size_t size) {
    ItemSet out = noneOf(size);
    for (const std::size_t i : items) out[i] = true;
    return out;
}

/// `required`, and of `pool` all from place `from` on.
Items withTail(const Items& required, const Items& pool, std::size_t from) {
    Items out = required;
    out.insert(out.end(), pool.begin() + static_cast<std::ptrdiff_t>(from), pool.end());
    std::sort(out.begin(), out.end());
    return out;
}

/// Once one culprit alone is good, either it takes several together, or an answer was wrong: the answers that
/// led here are repeated before the long search is begun.
Status doubt(Asker& asker, const Border& border) {
    asker.beThorough();
    for (const ItemSet& set : border.seenGood)
        if (const auto a = asker.ask(set); !a) return a.error();
    const bool wasSteady = !asker.unsteady();
    if (auto s = asker.run(asker.top(), asker.repeat() + asker.inDoubt()); !s) return s;
    if (wasSteady && asker.tally(asker.top()).good > 0) return asker.becomeUnsteady();
    return Done{};
}

/// Splits items into those that are needed for sure and those of which that cannot be told: a set without one
/// of them was unresolved.
struct Needed {
    Items sure, open;
};

Result<Needed> neededOf(Asker& asker, const Items& items) {
    Needed needed;
    for (std::size_t i = 0; i < items.size(); ++i) {
        Items rest = items;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        const auto answer = asker.ask(setOf(rest, asker.options().items.size()));
        if (!answer) return answer.error();
        (*answer == Answer::good ? needed.sure : needed.open).push_back(items[i]);
    }
    return needed;
}

/// 1-minimal by delta debugging. An item that cannot be left out of the small set because that cannot run may
/// be left out of everything: where that is still bad, the item is not needed.
Result<Found> minimal(Asker& asker, const Items& bad) {
    const std::size_t size = asker.options().items.size();
    auto items = ddmin(bad, [&](const Items& on) { return asker.ask(setOf(on, size)); });
    if (!items) return items.error();
    if (items->size() == 1) return Found{*items, true};
    const auto needed = neededOf(asker, *items);
    if (!needed) return needed.error();
    Items left = needed->sure;
    bool resolved = true;
    for (const std::size_t i : needed->open) {
        ItemSet rest = asker.top();
        rest[i] = false;
        const auto answer = asker.ask(rest);
        if (!answer) return answer.error();
        if (*answer == Answer::bad) continue;
        left.push_back(i);
        resolved = false;
    }
    std::sort(left.begin(), left.end());
    if (!left.empty() && resolved) {
        const auto together = asker.ask(setOf(left, size));
        if (!together) return together.error();
        resolved = *together != Answer::good;
    }
    if (left.empty() || !resolved) return Found{*items, false};
    return Found{left, true};
}

} // namespace

Result<Found> findCulprits(Asker& asker) {
    const std::size_t size = asker.options().items.size();
    const Items pool = onItems(asker.top());
    Items required;
    // Invariant: required with the pool from `from` on is bad, required alone is good.
    for (std::size_t from = 0; from < pool.size();) {
        const auto setAt = [&](std::size_t place) { return setOf(withTail(required, pool, place), size); };
        const auto border = narrow(asker, from, pool.size(), setAt);
        if (!border) return border.error();
        if (!border->exact()) {
            asker.tell("what lies between is unresolved: items are left out one group at a time");
            return minimal(asker, withTail(required, pool, border->bad));
        }
        required.push_back(pool[border->bad]);
        from = border->bad + 1;
        const auto alone = asker.confirm(setOf(required, size));
        if (!alone) return alone.error();
        if (*alone == Answer::bad) break;
        if (*alone == Answer::unresolved && from < pool.size()) // no invariant to search with
            return minimal(asker, withTail(required, pool, from));
        if (required.size() == 1)
            if (auto s = doubt(asker, *border); !s) return s.error();
        if (from < pool.size())
            asker.tell(fmt::format("{} alone is good: it takes another one beside it",
                                   asker.options().items[required.back()]));
    }
    std::sort(required.begin(), required.end());
    if (required.size() == 1) return Found{required, true};
    return minimal(asker, required);
}

Result<Found> findInCounter(Asker& asker) {
    const std::size_t size = asker.options().items.size();
    const auto setAt = [&](std::size_t n) {
        ItemSet out = noneOf(size);
        std::fill(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(n), true);
        return out;
    };
    const auto border = narrow(asker, size, 0, setAt);
    if (!border) return border.error();
    Found found{{}, border->exact()};
    for (std::size_t i = border->good; i < border->bad; ++i) found.items.push_back(i);
    // No run without the culprit's forerunners can confirm it: the two answers that decide are repeated.
    asker.beThorough();
    for (const std::size_t place : {border->good, border->bad}) {
        if (place == 0 || place == size) continue;
        const auto answer = asker.ask(setAt(place));
        if (!answer) return answer.error();
        const bool wasSteady = !asker.unsteady();
        if (auto s = asker.run(setAt(place), asker.inDoubt()); !s) return s.error();
        const auto t = asker.tally(setAt(place));
        if (wasSteady && !asker.unsteady() && t.good > 0 && t.bad > 0)
            if (auto s = asker.becomeUnsteady(); !s) return s.error();
    }
    return found;
}

} // namespace divdet::hunt
