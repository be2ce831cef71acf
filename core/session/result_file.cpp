#include "session/result_file.h"

#include <array>
#include <cstring>
#include <fstream>

#include "base/sigbus_guard.h"
#include "dump/atomic_file.h"
#include "dump/file_bytes.h"
#include "report/version.h"
#include "session/result/check.h"
#include "session/result/container.h"
#include "session/result/decode.h"
#include "session/result/reload.h"

namespace divdet {
namespace {

std::filesystem::path wherever(const std::filesystem::path& path) {
    std::error_code failure;
    auto out = path.empty() ? path : std::filesystem::absolute(path, failure);
    return failure ? path : out;
}

} // namespace

bool isResultFile(std::span<const std::byte> start) {
    return result::hasMagic(start);
}

bool isResultFile(const std::filesystem::path& path) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) return false;
    std::ifstream in(path, std::ios::binary);
    std::array<char, 8> start{};
    return in.read(start.data(), start.size()) && result::hasMagic(std::as_bytes(std::span(start)));
}

std::vector<std::byte> encodeResult(const CompareResult& r, const std::string& command) {
    CompareResult kept = r;
    kept.request.reference = wherever(r.request.reference);
    kept.request.candidate = wherever(r.request.candidate);
    kept.request.mask = wherever(r.request.mask);
    kept.request.fp64 = wherever(r.request.fp64);
    kept.request.knowledge.inputs = wherever(r.request.knowledge.inputs);
    for (auto& run : kept.request.knowledge.runs) run = wherever(run);
    kept.request.tolerancesFile = wherever(r.request.tolerancesFile);
    result::Node document;
    document["version"] = version();
    document["command"] = command;
    document["reference_bytes"] = result::encode(result::storedSize(kept.request.reference));
    document["candidate_bytes"] = result::encode(result::storedSize(kept.request.candidate));
    document["result"] = result::encode(kept);
    return result::pack(document);
}

Status writeResult(const std::filesystem::path& path, const CompareResult& r, const std::string& command) {
    AtomicFile file(path);
    Status s = file.open();
    if (s) s = file.write(encodeResult(r, command));
    if (s) s = file.commit();
    return s;
}

Result<SavedResult> decodeResult(std::span<const std::byte> bytes, const std::string& path) {
    auto document = result::unpack(bytes, path);
    if (!document) return document.error();
    SavedResult out;
    result::Decoder decoder;
    if (!document->is_object()) decoder.fail("not an object");
    decoder.readField(*document, "version", out.toolVersion);
    decoder.readField(*document, "command", out.command);
    decoder.readField(*document, "reference_bytes", out.referenceBytes);
    decoder.readField(*document, "candidate_bytes", out.candidateBytes);
    decoder.readField(*document, "result", out.result);
    auto wrong = decoder.error();
    if (!wrong) wrong = result::contradiction(out.result);
    if (wrong)
        return Error{ErrorCode::malformed, "the result file contradicts itself: " + *wrong, path,
                     "save the comparison again"};
    auto comparison = std::make_shared<Comparison>(*out.result.comparison);
    result::attachDumps(*comparison, out);
    out.result.comparison = std::move(comparison);
    return out;
}

Result<SavedResult> readResult(const std::filesystem::path& path) {
    auto file = FileBytes::open(path);
    if (!file) return file.error();
    // A mapped file may shrink while it is read; a result file is small enough to be taken whole.
    const auto all = (*file)->bytes();
    std::vector<std::byte> copy(all.size());
    if (!guardMappedRead([&] { std::memcpy(copy.data(), all.data(), all.size()); }))
        return Error{ErrorCode::truncated, "the file was cut short while it was read", path.string(),
                     "open it again"};
    return decodeResult(copy, path.string());
}

} // namespace divdet
