#include <algorithm>

#include <fmt/format.h>

#include "block/graph_json.h"
#include "block/json/fields.h"
#include "dump/file_bytes.h"
#include "dump/text_encoding.h"
#include "report/json_number.h"
#include "session/block_inputs.h"
#include "session/repro/repro.h"

namespace divdet {
namespace {

using block::json::Field;

std::string line(const Json& j) {
    return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json toJson(const Tolerance& t) {
    Json out{{"rule", toString(t.rule)}, {"rtol", t.rtol}, {"atol", t.atol}, {"equal_nan", t.equalNan}};
    const RuleOptions plain, &o = t.options;
    if (o.infinitiesEqual) out["infinities_equal"] = true;
    if (o.errorQuantile != plain.errorQuantile) out["error_quantile"] = o.errorQuantile;
    if (o.rmseTol != plain.rmseTol) out["rmse_tol"] = o.rmseTol;
    if (o.rmseK) out["rmse_k"] = *o.rmseK;
    if (o.maxMismatchFraction > 0) out["max_mismatch_fraction"] = o.maxMismatchFraction;
    return out;
}

/// Reads fields that may be absent; the first error stays.
class Reader {
public:
    explicit Reader(Field field)
        : m_field(std::move(field)) {}

    void read(const char* key, std::string& out) {
        with(key, [&](const Field& f) { return take(f.text(), out); });
    }
    void read(const char* key, double& out) {
        with(key, [&](const Field& f) { return take(f.number(), out); });
    }
    void read(const char* key, bool& out) {
        with(key, [&](const Field& f) { return take(f.truth(), out); });
    }
    void read(const char* key, std::uint64_t& out) {
        with(key, [&](const Field& f) -> Status {
            const auto n = f.whole();
            if (!n) return n.error();
            if (*n < 0) return f.wrong("the number is negative");
            out = static_cast<std::uint64_t>(*n);
            return Done{};
        });
    }
    template <class F>
    void with(const char* key, const F& f) {
        if (!m_status || !m_field.has(key) || m_field.json()[key].is_null()) return;
        const auto at = m_field.at(key);
        m_status = at ? f(*at) : Status(at.error());
    }
    template <class F>
    void each(const char* key, const F& f) {
        with(key, [&](const Field& list) -> Status {
            if (auto s = list.array(); !s) return s;
            for (std::size_t i = 0; i < list.size(); ++i)
                if (auto s = f(list[i]); !s) return s;
            return Done{};
        });
    }
    Status status() const { return m_status; }

private:
    template <class T>
    static Status take(Result<T> from, T& to) {
        if (!from) return from.error();
        to = std::move(*from);
        return Done{};
    }
    Field m_field;
    Status m_status = Done{};
};

Result<Tolerance> toleranceFrom(const Field& f) {
    if (auto s = f.object({"rule", "rtol", "atol", "equal_nan", "infinities_equal", "error_quantile",
                           "rmse_tol", "rmse_k", "max_mismatch_fraction"});
        !s)
        return s.error();
    Tolerance t;
    std::string rule = "allclose";
    double rmseK = 0;
    Reader r(f);
    r.read("rule", rule), r.read("rtol", t.rtol), r.read("atol", t.atol), r.read("equal_nan", t.equalNan);
    r.read("infinities_equal", t.options.infinitiesEqual);
    r.read("error_quantile", t.options.errorQuantile), r.read("rmse_tol", t.options.rmseTol);
    r.read("rmse_k", rmseK), r.read("max_mismatch_fraction", t.options.maxMismatchFraction);
    if (auto s = r.status(); !s) return s.error();
    if (f.has("rmse_k")) t.options.rmseK = rmseK;
    const auto known = parseRule(rule);
    if (!known) return f.wrong(fmt::format("there is no rule {}", rule), "rules are " + ruleNames());
    t.rule = *known;
    if (auto s = validate(t); !s) return f.wrong(s.error().message, s.error().hint);
    return t;
}

Status readExpected(const Field& f, Repro& out) {
    if (auto s = f.object({"bad_when", "explained_by", "failure", "verdict", "class", "seen"}); !s) return s;
    for (const char* key : {"bad_when", "failure"}) { // without them nothing could be reproduced
        const auto at = f.at(key);
        if (!at) return at.error();
        if (const auto text = at->text(); !text) return text.error();
    }
    Reader r(f);
    r.with("bad_when", [&](const Field& at) -> Status {
        const auto text = at.text();
        if (!text) return text.error();
        auto bad = parseBadWhen(*text);
        if (!bad) return at.wrong(bad.error().message, bad.error().hint);
        if (bad->kind == BadWhen::Kind::automatic || bad->kind == BadWhen::Kind::metric)
            return at.wrong(fmt::format("a repro is not bad by '{}'", *text),
                            "it says verdict, bug, finding:ID or crash");
        out.symptom.bad = std::move(*bad);
        return Done{};
    });
    r.read("explained_by", out.symptom.explainedBy), r.read("failure", out.failure);
    r.read("verdict", out.verdict), r.read("class", out.pairClass);
    r.with("seen", [&](const Field& at) -> Status { // a sentence may be longer than a name
        if (!at.json().is_string()) return at.wrong("a text is due here");
        out.seen = at.json().get<std::string>();
        return Done{};
    });
    return r.status();
}

/// Only a name of a file beside the repro: a repro from elsewhere cannot reach for other files.
Status readInputs(const Field& f, const std::filesystem::path& folder, block::Graph& graph) {
    const auto name = f.text();
    if (!name) return name.error();
    if (name->find_first_of("/\\") != std::string::npos || *name == "." || *name == "..")
        return f.wrong("inputs lie in a file beside the repro", "give its name without a folder");
    const auto filled = fillFromFile(graph, folder / *name);
    return filled ? Status(Done{}) : Status(filled.error());
}

Status checkCase(const Field& root, const hunt::Case& c) {
    const auto bound = block::bind(c.graph);
    if (!bound) return bound.error();
    for (const block::Value& v : c.graph.values)
        if (v.role != block::Role::intermediate && !v.data)
            return root.wrong(fmt::format("{} has no numbers", v.name), "give data, or a file of inputs");
    for (const auto& pass : c.passes)
        if (auto s = lower::checkFit(*bound, pass); !s) return s.error();
    return Done{};
}

/// Named taps are results of ops.
Status checkJudge(const Field& root, const block::Graph& graph, const JudgeSelection& judge) {
    if (judge.kind != JudgeSelection::Kind::named) return Done{};
    std::vector<std::string> taps;
    for (const block::Op& op : graph.ops) taps.push_back(graph.values[op.output].name);
    const std::string hint = "it is outputs, all, or names of " + someOf(taps);
    if (judge.names.empty()) return root.at("judge")->wrong("no tap is named", hint);
    for (const std::string& name : judge.names)
        if (std::find(taps.begin(), taps.end(), name) == taps.end())
            return root.at("judge")->wrong(fmt::format("no tap is named {}", inQuotes(name)), hint);
    return Done{};
}

Status readPasses(const Field& f, Repro& out) {
    const auto text = f.text();
    if (!text) return text.error();
    auto pass = lower::parsePass(*text);
    if (!pass) return f.wrong(pass.error().message, pass.error().hint);
    out.theCase.passes.push_back(std::move(*pass));
    return Done{};
}

Status readConditions(Reader& r, BlockRequest& out) {
    std::string reference = "fp32", judge;
    r.read("device", out.device), r.read("reference", reference), r.read("judge", judge);
    r.read("seed", out.seed), r.read("run_number", out.runNumber);
    r.with("p", [&](const Field& f) -> Status {
        const auto p = f.number();
        if (!p) return p.error();
        if (!(*p > 0 && *p < 1))
            return f.wrong(fmt::format("p is {}", *p),
                           "it is a share of honest runs between 0 and 1, such as 1e-6");
        out.derived = *p;
        return Done{};
    });
    r.with("tolerance", [&](const Field& f) -> Status {
        auto t = toleranceFrom(f);
        if (!t) return t.error();
        out.tolerance = std::move(*t);
        return Done{};
    });
    r.each("declared", [&](const Field& f) -> Status {
        auto id = f.text();
        if (!id) return id.error();
        out.declared.push_back(std::move(*id));
        return Done{};
    });
    r.with("reference", [&](const Field& f) -> Status {
        if (reference == "fp32" || reference == "fp64") return Done{};
        return f.wrong(fmt::format("there is no reference {}", reference), "it is fp32 or fp64");
    });
    out.reference = reference == "fp64" ? ReferenceKind::fp64 : ReferenceKind::fp32;
    out.judge = parseJudgeSelection(judge);
    return r.status();
}

} // namespace

std::string reproText(const Repro& r, const std::string& inputs) {
    block::Graph graph = r.theCase.graph;
    if (!inputs.empty())
        for (block::Value& v : graph.values) v.data.reset();
    Json passes = Json::array();
    for (const auto& p : r.theCase.passes) passes.push_back(toString(p));
    const auto orNull = [](const std::string& s) { return s.empty() ? Json(nullptr) : Json(s); };
    const Json expected{
        {"bad_when", toString(r.symptom.bad)}, {"explained_by", orNull(r.symptom.explainedBy)},
        {"failure", orNull(r.failure)},        {"verdict", orNull(r.verdict)},
        {"class", orNull(r.pairClass)},        {"seen", r.seen}};
    std::string out = fmt::format("{{\"divdet_repro\": {},\n", kReproVersion);
    const auto add = [&out](const char* key, const Json& value) {
        out += fmt::format("\"{}\": {},\n", key, line(value));
    };
    add("versions", {{"divdet", r.toolVersion}});
    add("block", r.request.block);
    add("passes", passes);
    add("tolerance", toJson(r.request.tolerance));
    if (r.request.derived) add("p", *r.request.derived);
    if (const std::string judge = toString(r.request.judge); !judge.empty()) add("judge", judge);
    if (!r.request.declared.empty()) add("declared", r.request.declared);
    add("expected", expected);
    add("device", r.request.device);
    add("reference", r.request.reference == ReferenceKind::fp64 ? "fp64" : "fp32");
    add("seed", r.request.seed);
    add("run_number", r.request.runNumber);
    if (!inputs.empty()) add("inputs", inputs);
    std::string text = block::graphText(graph);
    text.pop_back(); // its line feed
    return out + "\"graph\": " + text + "}\n";
}

Result<Repro> parseRepro(std::string_view text, const std::filesystem::path& folder) {
    const auto document = block::json::parseDocument(text, block::kMaxGraphText);
    if (!document) return document.error();
    const Field root(*document, "");
    if (!document->is_object() || !root.has("divdet_repro"))
        return Error{ErrorCode::malformed, "this is no repro", "", "divdet minify writes them"};
    const auto version = root.at("divdet_repro")->whole();
    if (!version) return version.error();
    if (*version != kReproVersion)
        return Error{ErrorCode::unsupported, fmt::format("this is a repro of version {}", *version), "",
                     fmt::format("this program reads version {}", kReproVersion)};
    if (auto s =
            root.object({"divdet_repro", "versions", "block", "passes", "tolerance", "p", "judge", "declared",
                         "expected", "device", "reference", "seed", "run_number", "inputs", "graph"});
        !s)
        return s.error();
    for (const char* key : {"passes", "tolerance", "expected", "graph"})
        if (const auto at = root.at(key); !at) return at.error();
    auto graph = block::parseGraph(line(root.at("graph")->json()));
    if (!graph) {
        Error e = graph.error();
        e.path = e.path.empty() ? "graph" : "graph." + e.path;
        return e;
    }
    Repro out;
    out.theCase.graph = std::move(*graph);
    Reader r(root);
    r.each("passes", [&](const Field& f) { return readPasses(f, out); });
    if (r.status() && out.theCase.passes.empty())
        return root.at("passes")->wrong("no pass is on, so nothing can fail", "name at least one");
    r.with("expected", [&](const Field& f) { return readExpected(f, out); });
    r.with("inputs", [&](const Field& f) { return readInputs(f, folder, out.theCase.graph); });
    r.with("versions", [&](const Field& f) -> Status {
        if (auto s = f.object({"divdet"}); !s) return s;
        Reader versions(f);
        versions.read("divdet", out.toolVersion);
        return versions.status();
    });
    r.read("block", out.request.block);
    if (auto s = readConditions(r, out.request); !s) return s.error();
    out.request.passes = out.theCase.passes;
    if (auto s = checkCase(root, out.theCase); !s) return s.error();
    if (auto s = checkJudge(root, out.theCase.graph, out.request.judge); !s) return s.error();
    return out;
}

Result<Repro> readRepro(const std::filesystem::path& path) {
    const auto file = FileBytes::open(path);
    if (!file) return file.error();
    const auto bytes = (*file)->bytes();
    auto repro = parseRepro({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.parent_path());
    if (repro) return repro;
    Error e = repro.error();
    e.path = e.path.empty() ? path.string() : path.string() + ": " + e.path;
    return e;
}

} // namespace divdet
