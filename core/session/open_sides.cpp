#include "session/open_sides.h"

#include <fmt/format.h>

#include "dump/runner_choice.h"
#include "dump/tap_view.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

using DumpPtr = std::shared_ptr<const Dump>;
using Names = std::vector<std::string>;

Result<DumpPtr> openSide(const std::filesystem::path& path, const OpenOptions& options, const char* option) {
    auto dump = openDump(path, options);
    if (dump && (*dump)->manifest().runners.size() > 1) return severalRunners(**dump, option);
    return dump;
}

Result<std::vector<Shape>> shapesOf(const Dump& dump, const Names& names) {
    std::vector<Shape> out;
    for (const std::string& name : names) {
        const auto at = dump.find(name);
        if (!at)
            return Error{ErrorCode::usage, "there is no tap " + inQuotes(name), dump.path().string(),
                         "divdet inspect lists the taps of a file"};
        if (const auto& error = dump.taps()[*at].error) return *error;
        out.push_back(dump.taps()[*at].shape);
    }
    return out;
}

/// Splits `name` of `whole` into the shapes of `parts` of the other dump; the names of the windows.
Result<Names> split(DumpPtr& whole, const std::string& name, const Dump& other, const Names& parts) {
    auto shapes = shapesOf(other, parts);
    if (!shapes) return shapes.error();
    const auto at = whole->find(name);
    auto dump = withSplitTap(whole, name, *shapes);
    if (!dump) return dump.error();
    whole = std::move(*dump);
    Names out;
    for (std::size_t i = 0; i < parts.size(); ++i) out.push_back(whole->taps()[*at + i].name);
    return out;
}

Status applySplits(Sides& sides, const ShapeOptions& options) {
    for (const auto& [references, candidates] : options.splits) {
        if ((references.size() == 1) == (candidates.size() == 1))
            return Error{ErrorCode::usage, "one tap on one side and several on the other make a split",
                         "--split", "write it as --split qkv=q,k,v"};
        const bool wholeReference = references.size() == 1;
        auto windows = wholeReference ? split(sides.reference, references[0], *sides.candidate, candidates)
                                      : split(sides.candidate, candidates[0], *sides.reference, references);
        if (!windows) return windows.error();
        for (std::size_t i = 0; i < windows->size(); ++i)
            sides.pairing.explicitPairs.emplace_back(wholeReference ? (*windows)[i] : references[i],
                                                     wholeReference ? candidates[i] : (*windows)[i]);
    }
    return Done{};
}

/// `whole` left alone on one side against two or three neighbours left alone on the other.
void suggest(const Dump& wholes, const std::vector<std::size_t>& lone, const Dump& parts,
             const std::vector<std::size_t>& others, bool wholeIsReference, std::vector<std::string>& out) {
    constexpr std::size_t kMost = 1000; // beyond that the names do not belong together anyway
    if (lone.size() > kMost || others.size() > kMost) return;
    for (const std::size_t w : lone)
        for (std::size_t first = 0; first < others.size(); ++first)
            for (const std::size_t count : {std::size_t{3}, std::size_t{2}}) {
                if (first + count > others.size() || wholes.taps()[w].error) continue;
                std::vector<Shape> shapes;
                std::string names;
                for (std::size_t i = first; i < first + count; ++i) {
                    shapes.push_back(parts.taps()[others[i]].shape);
                    names += (names.empty() ? "" : ",") + parts.taps()[others[i]].name;
                }
                if (!joinAxis(wholes.taps()[w].shape, shapes)) continue;
                const std::string& whole = wholes.taps()[w].name;
                out.push_back(fmt::format("{} may be {} in one: --split {}", inQuotes(whole), inQuotes(names),
                                          wholeIsReference ? whole + "=" + names : names + "=" + whole));
                return; // one example tells how
            }
}

} // namespace

Result<Sides> openSides(const CompareRequest& request) {
    auto reference = openSide(request.reference, request.referenceOpen, "--reference-runner");
    if (!reference) return reference.error();
    auto candidate = openSide(request.candidate, request.candidateOpen, "--candidate-runner");
    if (!candidate) return candidate.error();
    Sides sides{std::move(*reference), std::move(*candidate), request.pairing};
    const bool ranksR = !sides.reference->manifest().ranks.empty(),
               ranksC = !sides.candidate->manifest().ranks.empty();
    if (request.candidateOpen.ranks.kind == RankJoin::Kind::replicas && ranksC && !ranksR)
        sides.reference = repeatedForRanks(sides.reference, *sides.candidate);
    if (request.referenceOpen.ranks.kind == RankJoin::Kind::replicas && ranksR && !ranksC)
        sides.candidate = repeatedForRanks(sides.candidate, *sides.reference);
    if (auto ok = applySplits(sides, request.shapes); !ok) return ok.error();
    for (const std::string& name : request.shapes.transpose) {
        auto dump = withTransposedTap(sides.candidate, name);
        if (!dump) return dump.error();
        sides.candidate = std::move(*dump);
    }
    return sides;
}

std::vector<std::string> splitSuggestions(const Dump& reference, const Dump& candidate,
                                          const Pairing& pairing) {
    std::vector<std::string> out;
    suggest(reference, pairing.onlyReference, candidate, pairing.onlyCandidate, true, out);
    suggest(candidate, pairing.onlyCandidate, reference, pairing.onlyReference, false, out);
    return out;
}

} // namespace divdet
