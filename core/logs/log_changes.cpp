#include "logs/log_changes.h"

#include <algorithm>
#include <array>
#include <map>

#include "logs/guard_reason.h"
#include "logs/text_scan.h"

namespace divdet {
namespace {

struct Item {
    LogChange change; ///< `before` holds the count
    // What it is compared by: place and wording; file, function and wording; place and kind. Other versions
    // of torch word the same break in another way.
    std::string here, anywhere, reworded;
    bool matched = false;
};

std::string fileOf(const std::string& site) {
    return site.substr(0, site.rfind(':'));
}

Item itemOf(LogChange change, std::string_view wording) {
    Item item{std::move(change), {}, {}, {}, false};
    const std::string kind = std::to_string(static_cast<int>(item.change.kind)) + '|';
    const std::string said = '|' + item.change.function + '|' + withoutNumbers(wording);
    item.here = kind + item.change.site + said;
    item.anywhere = kind + fileOf(item.change.site) + said;
    item.reworded = kind + item.change.site + '|' + item.change.function + '|' +
                    item.change.what.substr(0, item.change.what.find(": "));
    return item;
}

std::vector<Item> itemsOf(const LogReport& r) {
    std::vector<Item> out;
    for (const auto& f : r.recompiles) {
        if (f.limitHit)
            out.push_back(itemOf({LogChange::Kind::limit, f.name, f.site,
                                  "hits the limit of " + std::to_string(f.limit), 1, 0},
                                 "limit"));
        for (const auto& c : f.causes) {
            std::string what = std::string(info(c.cause).name) + " of " + userName(c.source);
            // The dim is no number that may differ: it is spelled out of reach of withoutNumbers.
            std::string wording = what;
            if (c.dim) {
                what += ", dim " + std::to_string(*c.dim);
                wording.append(static_cast<std::size_t>(std::clamp(*c.dim, 0, 64)) + 1, '#');
            }
            out.push_back(itemOf({LogChange::Kind::recompile, f.name, f.site, what, c.count, 0}, wording));
        }
    }
    for (const auto& b : r.breaks)
        out.push_back(itemOf({LogChange::Kind::graphBreak, b.function, b.site,
                              std::string(b.kind) + ": " + b.reason, b.count, 0},
                             b.reason));
    return out;
}

void match(std::vector<Item>& before, std::vector<Item>& after, std::string Item::*key, LogChanges& out) {
    std::map<std::string_view, std::vector<Item*>> open; // the first one of a key is at the back
    for (auto item = before.rbegin(); item != before.rend(); ++item)
        if (!item->matched) open[(*item).*key].push_back(&*item);
    for (Item& item : after) {
        const auto same = item.matched ? open.end() : open.find(item.*key);
        if (same == open.end() || same->second.empty()) continue;
        Item& old = *same->second.back();
        same->second.pop_back();
        old.matched = item.matched = true;
        LogChange change = item.change;
        change.after = change.before;
        change.before = old.change.before;
        out.stayed.push_back(std::move(change));
    }
}

} // namespace

std::string_view toString(LogChange::Kind kind) {
    constexpr std::array<std::string_view, 3> names{"recompile", "graph-break", "limit"};
    return names[static_cast<std::size_t>(kind)];
}

LogChanges changesBetween(const LogReport& before, const LogReport& after) {
    std::vector<Item> old = itemsOf(before), now = itemsOf(after);
    LogChanges out;
    match(old, now, &Item::here, out);
    match(old, now, &Item::anywhere, out);
    match(old, now, &Item::reworded, out);
    for (const Item& item : old)
        if (!item.matched) out.gone.push_back(item.change);
    for (Item& item : now)
        if (!item.matched) {
            std::swap(item.change.before, item.change.after);
            out.fresh.push_back(item.change);
        }
    return out;
}

} // namespace divdet
