#include "session/result/reload.h"

#include <fmt/format.h>
#include <mutex>

#include "session/open_sides.h"

namespace divdet::result {
namespace {

namespace fs = std::filesystem;

/// Both dumps, opened at the first question.
class RecordedDumps {
public:
    explicit RecordedDumps(const SavedResult& saved)
        : m_request(saved.result.request)
        , m_referenceBytes(saved.referenceBytes)
        , m_candidateBytes(saved.candidateBytes) {}

    Result<PairData> load(const std::string& reference, const std::string& candidate, const Shape& shape) {
        const std::scoped_lock lock(m_mutex);
        if (auto ok = open(); !ok) return ok.error();
        auto r = tensor(*m_sides->reference, reference, m_request.referenceLoad);
        if (!r) return r.error();
        auto c = tensor(*m_sides->candidate, candidate, m_request.candidateLoad);
        if (!c) return c.error();
        PairData data = fitted(std::move(*r), std::move(*c), m_request.shapes);
        if (elementCount(data.reference.shape()) != elementCount(shape) ||
            data.reference.shape() != data.candidate.shape())
            return changed(m_request.reference);
        return data;
    }

private:
    static Error changed(const fs::path& path) {
        return {ErrorCode::mismatch, "the file is not the one that was compared", path.string(),
                "compare the files again"};
    }

    static Status unchanged(const fs::path& path, std::optional<std::uint64_t> bytes) {
        const auto size = storedSize(path);
        if (!size || path.empty())
            return Error{ErrorCode::notFound, "the elements are not in a result file, and the dump is gone",
                         path.string(), "open the dumps themselves"};
        if (size != bytes) return changed(path);
        return Done{};
    }

    Status open() {
        if (m_sides) return Done{};
        if (auto ok = unchanged(m_request.reference, m_referenceBytes); !ok) return ok;
        if (auto ok = unchanged(m_request.candidate, m_candidateBytes); !ok) return ok;
        auto sides = openSides(m_request);
        if (!sides) return sides.error();
        m_sides = std::move(*sides);
        return Done{};
    }

    static Result<Tensor> tensor(const Dump& dump, const std::string& tap, const LoadOptions& options) {
        const auto index = dump.find(tap);
        if (!index) return changed(dump.path());
        return dump.load(*index, options);
    }

    std::mutex m_mutex;
    CompareRequest m_request;
    std::optional<std::uint64_t> m_referenceBytes, m_candidateBytes;
    std::optional<Sides> m_sides;
};

} // namespace

std::optional<std::uint64_t> storedSize(const fs::path& path) {
    std::error_code failure;
    const auto status = fs::status(path, failure);
    if (failure) return std::nullopt;
    if (fs::is_regular_file(status)) {
        const auto size = fs::file_size(path, failure);
        return failure ? std::nullopt : std::optional<std::uint64_t>(size);
    }
    if (!fs::is_directory(status)) return std::nullopt;
    std::uint64_t sum = 0;
    for (fs::directory_iterator it(path, failure), end; !failure && it != end; it.increment(failure)) {
        std::error_code ignored;
        if (it->is_regular_file(ignored)) sum += it->file_size(ignored);
    }
    return failure ? std::nullopt : std::optional<std::uint64_t>(sum);
}

void attachDumps(Comparison& comparison, const SavedResult& saved) {
    if (saved.result.request.reference.empty()) return; // a live run has no dumps
    auto dumps = std::make_shared<RecordedDumps>(saved);
    for (auto& p : comparison.pairs)
        if (p.summary)
            p.load = [dumps, r = p.name, c = p.candidateName, shape = p.referenceShape] {
                return dumps->load(r, c, shape);
            };
}

} // namespace divdet::result
