#include "session/result/reload.h"

#include <fmt/format.h>
#include <mutex>

#include "dump/open.h"
#include "session/side_tensors.h"

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
        auto r =
            tensor(m_reference, m_request.reference, m_referenceBytes, reference, m_request.referenceLoad);
        if (!r) return r.error();
        auto c =
            tensor(m_candidate, m_request.candidate, m_candidateBytes, candidate, m_request.candidateLoad);
        if (!c) return c.error();
        PairData data{withoutOnes(*r), withoutOnes(*c), {}, {}};
        for (const auto& [path, side] :
             {std::pair{&m_request.mask, &data.mask}, {&m_request.fp64, &data.fp64}}) {
            auto file = SideTensors::open(*path);
            if (!file) return file.error();
            auto t = file->find(reference);
            if (!t) return t.error();
            if (*t) *side = withoutOnes(**t);
        }
        if (elementCount(data.reference.shape()) != elementCount(shape) ||
            data.reference.shape() != data.candidate.shape())
            return changed(m_request.reference);
        return data;
    }

private:
    using DumpPtr = std::shared_ptr<const Dump>;

    static Error changed(const fs::path& path) {
        return {ErrorCode::mismatch, "the file is not the one that was compared", path.string(),
                "compare the files again"};
    }

    static Result<Tensor> tensor(DumpPtr& dump, const fs::path& path, std::optional<std::uint64_t> bytes,
                                 const std::string& tap, const LoadOptions& options) {
        if (!dump) {
            const auto size = storedSize(path);
            if (!size || path.empty())
                return Error{ErrorCode::notFound,
                             "the elements are not in a result file, and the dump is gone", path.string(),
                             "open the dumps themselves"};
            if (size != bytes) return changed(path);
            auto opened = openDump(path);
            if (!opened) return opened.error();
            dump = *opened;
        }
        const auto index = dump->find(tap);
        if (!index) return changed(path);
        return dump->load(*index, options);
    }

    Tensor withoutOnes(const Tensor& t) const {
        if (!m_request.squeeze) return t;
        TensorView v = t.view();
        Shape shape;
        std::vector<std::int64_t> strides;
        for (std::size_t d = 0; d < v.shape.size(); ++d) {
            if (v.shape[d] == 1) continue;
            shape.push_back(v.shape[d]);
            strides.push_back(v.strides[d]);
        }
        v.shape = std::move(shape);
        v.strides = std::move(strides);
        return Tensor(std::move(v), std::make_shared<const Tensor>(t));
    }

    std::mutex m_mutex;
    CompareRequest m_request;
    std::optional<std::uint64_t> m_referenceBytes, m_candidateBytes;
    DumpPtr m_reference, m_candidate;
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
