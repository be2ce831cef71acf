#include "session/result/container.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

#include "dump/checked.h"
#include "dump/limits.h"
#include "session/result_file.h"

namespace divdet::result {
namespace {

constexpr std::array<unsigned char, 8> kMagic = {0x89, 'D', 'I', 'V', 'D', 'E', 'T', '\n'};
constexpr std::size_t kHead = 24;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30; ///< of the document
/// Values in the document. Each takes some 64 bytes in memory, so a file of few bytes may not unpack to many;
/// a real one has about one value per packed byte.
constexpr std::uint64_t kMostNodes = 40'000'000, kNodesFree = 1'000'000, kNodesPerByte = 64;
constexpr int kDeepest = 16; ///< nesting of the document

void putLittle(std::vector<std::byte>& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

/// Walks the document without making it: the library's own reader recurses as deep as a file asks.
class Measure : public nlohmann::json_sax<Node> {
public:
    explicit Measure(std::uint64_t packedBytes)
        : m_most(std::min(kMostNodes, kNodesFree + kNodesPerByte * packedBytes)) {}
    bool tooMany() const { return m_nodes > m_most; }

    bool null() override { return one(); }
    bool boolean(bool) override { return one(); }
    bool number_integer(number_integer_t) override { return one(); }
    bool number_unsigned(number_unsigned_t) override { return one(); }
    bool number_float(number_float_t, const string_t&) override { return one(); }
    bool string(string_t&) override { return one(); }
    bool binary(binary_t&) override { return one(); }
    bool key(string_t&) override { return one(); }
    bool start_object(std::size_t) override { return one() && ++m_depth <= kDeepest; }
    bool start_array(std::size_t) override { return one() && ++m_depth <= kDeepest; }
    bool end_object() override { return --m_depth >= 0; }
    bool end_array() override { return --m_depth >= 0; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

private:
    bool one() { return ++m_nodes <= m_most; }
    std::uint64_t m_most, m_nodes = 0;
    int m_depth = 0;
};

} // namespace

bool hasMagic(std::span<const std::byte> file) {
    return file.size() >= kMagic.size() && std::memcmp(file.data(), kMagic.data(), kMagic.size()) == 0;
}

std::vector<std::byte> pack(const Node& document) {
    const std::vector<std::uint8_t> plain = Node::to_cbor(document);
    std::vector<std::byte> out;
    for (auto b : kMagic) out.push_back(static_cast<std::byte>(b));
    putLittle(out, kResultSchema, 4);
    putLittle(out, 0, 4);
    putLittle(out, plain.size(), 8);
    uLongf size = compressBound(static_cast<uLong>(plain.size()));
    out.resize(kHead + size);
    compress2(reinterpret_cast<Bytef*>(out.data() + kHead), &size, plain.data(),
              static_cast<uLong>(plain.size()), Z_DEFAULT_COMPRESSION); // cannot fail: the bound is enough
    out.resize(kHead + size);
    return out;
}

Result<Node> unpack(std::span<const std::byte> file, const std::string& path) {
    if (!hasMagic(file))
        return Error{ErrorCode::malformed, "this is no result file", path, "divdet compare --save writes one",
                     0};
    if (file.size() < kHead)
        return Error{ErrorCode::truncated, "the result file ends in its head", path, "copy it again",
                     file.size()};
    const auto schema = littleAt<std::uint32_t>(file.data() + 8);
    if (schema > kResultSchema || schema == 0)
        return Error{
            ErrorCode::unsupported,
            fmt::format("the result file has schema {}, this program reads up to {}", schema, kResultSchema),
            path, "open it with a newer divdet, or save the comparison again", 8};
    const auto size = littleAt<std::uint64_t>(file.data() + 16);
    const auto packed = file.subspan(kHead);
    if (size > kMostBytes || size > limits::kZipRatioFree + limits::kZipRatio * packed.size())
        return Error{ErrorCode::refused, fmt::format("the result file claims to hold {} bytes", size), path,
                     "it is damaged, or beyond what is read (1 GiB)", 16};
    std::vector<std::uint8_t> plain(size);
    uLongf got = static_cast<uLongf>(size);
    const int status = uncompress(plain.data(), &got, reinterpret_cast<const Bytef*>(packed.data()),
                                  static_cast<uLong>(packed.size()));
    if (status != Z_OK || got != size)
        return Error{ErrorCode::malformed, "the result file is damaged: its content does not unpack", path,
                     "copy it again", kHead};
    Measure measure(packed.size());
    const bool read = Node::sax_parse(plain, &measure, Node::input_format_t::cbor);
    if (measure.tooMany())
        return Error{ErrorCode::refused,
                     fmt::format("the result file holds more than {} values for its {} bytes",
                                 std::min(kMostNodes, kNodesFree + kNodesPerByte * packed.size()),
                                 packed.size()),
                     path, "it is damaged, or beyond what is read"};
    if (!read)
        return Error{ErrorCode::malformed, "the result file is damaged: its document cannot be read", path,
                     "save the comparison again"};
    Node document = Node::from_cbor(plain, true, false); // measured above: discarded, never thrown
    if (document.is_discarded())
        return Error{ErrorCode::malformed, "the result file is damaged: its document cannot be read", path,
                     "save the comparison again"};
    return document;
}

} // namespace divdet::result
