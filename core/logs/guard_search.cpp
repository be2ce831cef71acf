#include "logs/guard_search.h"

#include <algorithm>

namespace divdet {
namespace {

char folded(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool has(const std::string& text, const std::string& part) {
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [](char a, char b) { return folded(a) == folded(b); }) != text.end();
}

bool hit(const Guard& g, const GuardSearch& search) {
    if (search.failing && g.failures == 0) return false;
    if (search.text.empty()) return true;
    for (const std::string* part : {&g.text, &g.kind, &g.access, &g.code, &g.place})
        if (has(*part, search.text)) return true;
    return false;
}

} // namespace

GuardHits searchGuards(const GuardTree& tree, const GuardSearch& search) {
    GuardHits out;
    out.shown.assign(tree.guards.size(), false);
    int below = -1; // the depth of a line that leads to a hit which was met already
    for (std::size_t i = tree.guards.size(); i-- > 0;) {
        const Guard& g = tree.guards[i];
        const bool own = hit(g, search);
        out.hits += own;
        const bool leads = below >= 0 && g.depth <= below;
        if (!own && !leads) continue;
        out.shown[i] = true;
        below = g.depth - 1;
    }
    return out;
}

} // namespace divdet
