#pragma once
#include "base/result.h"
#include "session/result/encode.h"

namespace divdet::result {

/// Reads values back; the first thing that is wrong is kept and everything after it is skipped.
class Decoder {
public:
    bool failed() const { return m_error.has_value(); }
    const std::optional<std::string>& error() const { return m_error; }
    void fail(const std::string& what) {
        if (!m_error) m_error = m_where.empty() ? what : m_where + ": " + what;
    }

    void read(const Node& n, bool& v);
    void read(const Node& n, std::int64_t& v);
    void read(const Node& n, std::uint64_t& v);
    void read(const Node& n, int& v);
    void read(const Node& n, double& v);
    void read(const Node& n, std::string& v);
    void read(const Node& n, std::filesystem::path& v);
    void read(const Node& n, std::vector<float>& v);
    void read(const Node& n, Frontier& v);
    void read(const Node& n, ErrorHistogram& v);
    void read(const Node& n, DType& v);
    void read(const Node& n, PairedBy& v);
    void read(const Node& n, Verdict& v);
    void read(const Node& n, Rule& v);
    void read(const Node& n, ErrorCode& v);
    void read(const Node& n, JudgeSelection::Kind& v);
    void read(const Node& n, RankJoin& v);
    void read(const Node& n, FailOn& v);
    void read(const Node& n, FindingClass& v);
    void read(const Node& n, PairClass& v);
    void read(const Node& n, Evidence& v);

    template <class T>
    void read(const Node& n, std::vector<T>& v) {
        if (!array(n)) return;
        v.reserve(n.size());
        for (const auto& x : n) read(x, v.emplace_back());
    }
    template <class T, std::size_t N>
    void read(const Node& n, std::array<T, N>& v) {
        if (!array(n)) return;
        if (n.size() != N) return fail("a row of numbers has another length");
        for (std::size_t i = 0; i < N; ++i) read(n[i], v[i]);
    }
    template <class A, class B>
    void read(const Node& n, std::pair<A, B>& v) {
        if (!array(n)) return;
        if (n.size() != 2) return fail("a pair has other than two parts");
        read(n[0], v.first);
        read(n[1], v.second);
    }
    template <class T>
    void read(const Node& n, std::optional<T>& v) {
        if (!n.is_null()) read(n, v.emplace());
    }
    template <class T>
    void read(const Node& n, std::shared_ptr<const T>& v) {
        if (n.is_null()) return;
        auto made = std::make_shared<T>();
        read(n, *made);
        v = std::move(made);
    }
    template <Fielded T>
    void read(const Node& n, T& v) {
        if (!n.is_object()) return fail("not an object");
        eachField(v, [&](const char* key, auto& x) { readField(n, key, x); });
    }
    template <class T>
    void readField(const Node& n, const char* key, T& v) {
        if (failed()) return;
        const std::size_t mark = m_where.size();
        m_where += (mark ? "." : "") + std::string(key);
        if (const auto it = n.find(key); it != n.end())
            read(*it, v);
        else
            fail("missing");
        m_where.resize(mark);
    }

private:
    bool array(const Node& n);
    template <class T>
    std::vector<T> numbers(const Node& n);
    std::vector<FrontierPoint> points(const Node& n, const char* key);

    std::optional<std::string> m_error;
    std::string m_where;
};

} // namespace divdet::result
