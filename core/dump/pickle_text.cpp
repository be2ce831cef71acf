#include "dump/pickle_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "dump/text_encoding.h"

namespace divdet {
namespace {

using Kind = PickleValue::Kind;

/// Decimal digits of a little-endian two's complement integer.
std::string decimal(std::string_view bytes) {
    std::vector<std::uint32_t> limbs; // little-endian bytes, one a limb
    const bool negative = !bytes.empty() && (bytes.back() & 0x80);
    std::uint32_t carry = negative;
    for (const char c : bytes) {
        const std::uint32_t b = static_cast<unsigned char>(c);
        const std::uint32_t v = (negative ? b ^ 0xffu : b) + carry;
        limbs.push_back(v & 0xff);
        carry = v >> 8;
    }
    std::string digits;
    while (!limbs.empty()) {
        std::uint32_t rest = 0;
        for (std::size_t i = limbs.size(); i-- > 0;) {
            const std::uint32_t v = (rest << 8) | limbs[i];
            limbs[i] = v / 10;
            rest = v % 10;
        }
        digits.push_back(static_cast<char>('0' + rest));
        while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
    }
    if (digits.empty()) digits = "0";
    if (negative) digits.push_back('-');
    return {digits.rbegin(), digits.rend()};
}

std::string realText(double x) {
    std::string s = fmt::format("{}", x);
    if (s.find_first_not_of("-0123456789") == std::string::npos) s += ".0";
    return s;
}

class Printer {
public:
    Printer(const Pickle& pickle, std::size_t most)
        : m_pickle(pickle)
        , m_most(most) {}
    std::string out;

    void print(std::uint32_t index, bool quoted, int depth) {
        if (full()) return;
        const PickleValue& v = m_pickle.at(index);
        switch (v.kind) {
        case Kind::none:
            out += "None";
            return;
        case Kind::boolean:
            out += v.integer ? "True" : "False";
            return;
        case Kind::integer:
            out += std::to_string(v.integer);
            return;
        case Kind::bigInteger:
            out += decimal(v.text);
            return;
        case Kind::real:
            out += realText(v.real);
            return;
        case Kind::text: {
            const std::string_view part = v.text.substr(0, m_most);
            const std::string text = isUtf8(v.text) ? std::string(part) : latin1ToUtf8(part);
            out += quoted ? inQuotes(text) : text;
            return;
        }
        case Kind::bytes:
            out += fmt::format("{} bytes", v.text.size());
            return;
        case Kind::global:
            out += v.text;
            return;
        case Kind::persistent:
            out += "a storage";
            return;
        case Kind::tuple:
            return group(v, "(", v.items.size() == 1 ? ",)" : ")", depth);
        case Kind::list:
            return group(v, "[", "]", depth);
        case Kind::set:
            return group(v, "{", "}", depth);
        case Kind::dict:
            return pairs(v, depth);
        case Kind::call:
            return call(v, depth);
        }
    }

private:
    bool full() const { return out.size() >= m_most; }

    void group(const PickleValue& v, std::string_view open, std::string_view close, int depth) {
        out += open;
        for (std::size_t i = 0; i < v.items.size() && !full(); ++i) {
            if (i) out += ", ";
            if (depth > kDepth) {
                out += "…";
                break;
            }
            print(v.items[i], true, depth + 1);
        }
        out += close;
    }

    void pairs(const PickleValue& v, int depth) {
        out += '{';
        for (std::size_t i = 0; i + 1 < v.items.size() && !full() && depth <= kDepth; i += 2) {
            if (i) out += ", ";
            print(v.items[i], true, depth + 1);
            out += ": ";
            print(v.items[i + 1], true, depth + 1);
        }
        out += '}';
    }

    void call(const PickleValue& v, int depth) {
        print(v.items[0], false, depth);
        const PickleValue& arguments = m_pickle.at(v.items[1]);
        if (m_pickle.at(v.items[0]).text == "torch.Size" && arguments.items.size() == 1) {
            out += '(';
            group(m_pickle.at(arguments.items[0]), "[", "]", depth + 1);
            out += ')';
            return;
        }
        group(arguments, "(", ")", depth + 1);
    }

    static constexpr int kDepth = 8;
    const Pickle& m_pickle;
    std::size_t m_most;
};

} // namespace

std::string pickleText(const Pickle& pickle, std::uint32_t value, std::size_t most, bool quoted) {
    Printer p(pickle, most);
    p.print(value, quoted, 0);
    if (p.out.size() > most) {
        p.out.resize(most);
        while (!p.out.empty() && !isUtf8(p.out)) p.out.pop_back(); // not inside a character
        p.out += "…";
    }
    return std::move(p.out);
}

} // namespace divdet
