#pragma once
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <zlib.h>

#include "dump_test_support.h"

/// PyTorch files put together byte by byte, with opcodes of the pickle format.
namespace divdet::testing::pt {

template <class T>
std::string little(T value) {
    std::string s;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        s.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i)));
    return s;
}

inline std::string text(const std::string& s) {
    return "X" + little(static_cast<std::uint32_t>(s.size())) + s;
}
inline std::string integer(std::int64_t n) {
    if (n >= 0 && n < 256) return std::string("K") + static_cast<char>(n);
    return std::string("\x8a\x08", 2) + little(n);
}
inline std::string global(const std::string& module, const std::string& name) {
    return "c" + module + "\n" + name + "\n";
}
inline std::string tuple(const std::vector<std::string>& items) {
    std::string s = "(";
    for (const auto& i : items) s += i;
    return s + "t";
}
inline std::string numbers(const std::vector<std::int64_t>& values) {
    std::vector<std::string> items;
    for (auto v : values) items.push_back(integer(v));
    return tuple(items);
}
inline std::string call(const std::string& module, const std::string& name,
                        const std::vector<std::string>& arguments) {
    return global(module, name) + tuple(arguments) + "R";
}
inline std::string storage(const std::string& type, const std::string& key, std::int64_t elements) {
    const std::string module = type == "UntypedStorage" ? "torch.storage" : "torch";
    return tuple({text("storage"), global(module, type), text(key), text("cpu"), integer(elements)}) + "Q";
}
/// _rebuild_tensor_v2 on a storage, with further arguments behind the hooks.
inline std::string tensor(const std::string& where, std::int64_t offset,
                          const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
                          const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{where,          integer(offset),
                                       numbers(shape), numbers(strides),
                                       "\x89",         call("collections", "OrderedDict", {})};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return call("torch._utils", "_rebuild_tensor_v2", arguments);
}
inline std::string dict(const std::vector<std::pair<std::string, std::string>>& items) {
    std::string s = "}(";
    for (const auto& [key, value] : items) s += text(key) + value;
    return s + "u";
}
inline std::string pickle(const std::string& body) {
    return "\x80\x02" + body + ".";
}

inline std::string floats(const std::vector<float>& values) {
    std::string s(values.size() * 4, '\0');
    std::memcpy(s.data(), values.data(), s.size());
    return s;
}

/// A zip archive of stored members.
inline std::vector<std::byte> zip(const std::vector<std::pair<std::string, std::string>>& members,
                                  bool checksums = true) {
    std::string out, directory;
    for (const auto& [name, data] : members) {
        const auto crc =
            checksums ? static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(data.data()),
                                                         static_cast<uInt>(data.size())))
                      : 0u;
        const auto size = little(static_cast<std::uint32_t>(data.size()));
        const std::string common = little<std::uint16_t>(10) + little<std::uint16_t>(0) +
                                   little<std::uint16_t>(0) + little<std::uint32_t>(0) + little(crc) + size +
                                   size + little(static_cast<std::uint16_t>(name.size())) +
                                   little<std::uint16_t>(0);
        directory += "PK\1\2" + little<std::uint16_t>(10) + common + std::string(10, '\0') +
                     little(static_cast<std::uint32_t>(out.size())) + name;
        out += "PK\3\4" + common + name + data;
    }
    const auto count = little(static_cast<std::uint16_t>(members.size()));
    const auto at = little(static_cast<std::uint32_t>(out.size()));
    out += directory + "PK\5\6" + std::string(4, '\0') + count + count +
           little(static_cast<std::uint32_t>(directory.size())) + at + std::string(2, '\0');
    const auto* first = reinterpret_cast<const std::byte*>(out.data());
    return {first, first + out.size()};
}

/// A file of torch.save: the pickled body and storages "0", "1", …
inline std::vector<std::byte> file(const std::string& body, const std::vector<std::string>& storages,
                                   bool checksums = true) {
    std::vector<std::pair<std::string, std::string>> members{{"a/data.pkl", pickle(body)},
                                                             {"a/byteorder", "little"}};
    for (std::size_t i = 0; i < storages.size(); ++i)
        members.emplace_back("a/data/" + std::to_string(i), storages[i]);
    return zip(members, checksums);
}

inline Result<std::shared_ptr<const Dump>> open(const std::string& body,
                                                const std::vector<std::string>& storages) {
    return openBytes("made.pt", file(body, storages));
}

/// Elements of a tap as doubles; empty when it does not load.
inline std::vector<double> values(const Dump& dump, std::size_t tap, const LoadOptions& options = {}) {
    const auto t = dump.load(tap, options);
    if (!t) return {};
    std::vector<double> out(static_cast<std::size_t>(t->elements()));
    loadAsDouble(t->view(), 0, out);
    return out;
}

} // namespace divdet::testing::pt
