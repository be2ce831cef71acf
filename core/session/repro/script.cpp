#include "session/repro/script.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/split.h"
#include "session/repro/numpy_ops.h"
#include "session/repro/python_text.h"
#include "session/repro/repro_folder.h"

namespace divdet {
namespace {

using block::ValueIndex;

/// Names from a file may hold anything: the script gets letters, digits and underscores, nothing else.
std::string identifier(const std::string& name, std::set<std::string>& taken) {
    std::string out;
    for (const char c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        out += plain ? c : '_';
    }
    if (out.empty() || !((out[0] >= 'a' && out[0] <= 'z') || (out[0] >= 'A' && out[0] <= 'Z')))
        out = "v" + out;
    while (!taken.insert(out).second) out += '_';
    return out;
}

/// Words of Python and of the script.
std::set<std::string> reserved() {
    const auto words = split(
        "and as assert async await break class continue def del elif else except finally for "
        "from global if import in is lambda nonlocal not or pass raise return try while with "
        "yield False None True np math rng GUILTY int bf16 fp16 codes gelu gelu_tanh tf32 softmax rmsnorm "
        "layernorm crash causal_mask split_k coarse_matmul int8_matmul racy_matmul "
        "masked_softmax stale_buffer range print data float AssertionError "
        "NotImplementedError",
        ' ');
    return {words.begin(), words.end()};
}

class Writer {
public:
    Writer(const Repro& repro, const ReproRun& run, const std::string& inputs)
        : m_repro(repro)
        , m_run(run)
        , m_inputs(inputs) {
        std::vector<std::string> passes;
        for (const auto& p : repro.theCase.passes) passes.push_back(toString(p));
        m_guilty = fmt::format("{}", fmt::join(passes, ", "));
    }

    Result<std::string> text() {
        const auto bound = block::bind(m_repro.theCase.graph);
        if (!bound) return bound.error();
        auto program = lower::lower(*bound, m_repro.theCase.passes, m_repro.request.runNumber);
        if (!program) return program.error();
        m_bound = &*bound;
        std::set<std::string> taken = reserved();
        for (const block::Value& v : bound->graph.values) m_names.push_back(identifier(v.name, taken));
        m_faulty = m_names;
        writeInputs();
        if (auto s = writeReference(); !s) return s.error();
        if (auto s = writeFaulty(*program, taken); !s) return s.error();
        writeAssertions();
        return head() + numpy::helperText(m_helpers) + "\n" + m_body;
    }

private:
    std::string head() const {
        std::string out =
            fmt::format("# {}: reference and faulty result, by numpy alone (python3 repro.py).\n"
                        "# {} {}.\n",
                        shownLine(m_guilty), kReproMark, shownLine(m_repro.toolVersion));
        if (m_helpers.contains("gelu") || m_helpers.contains("gelu_tanh")) out += "import math\n\n";
        out += "import numpy as np\n\n";
        out += fmt::format("GUILTY = {}\n", pythonText(m_guilty));
        if (m_helpers.contains("racy_matmul")) out += "rng = np.random.default_rng(0)\n";
        return out;
    }

    static std::string shownLine(const std::string& text) {
        std::string out = pythonText(text);
        return out.substr(1, out.size() - 2);
    }

    void writeInputs() {
        if (!m_inputs.empty()) m_body += fmt::format("data = np.load({})\n", pythonText(m_inputs));
        for (ValueIndex i = 0; i < m_names.size(); ++i) {
            const block::Value& v = m_bound->graph.values[i];
            if (v.role == block::Role::intermediate) continue;
            if (!m_inputs.empty()) {
                m_body += fmt::format("{} = data[{}].astype(float)\n", m_names[i], pythonText(v.name));
                continue;
            }
            const auto numbers = v.data->as<float>();
            std::vector<std::string> texts;
            for (const float x : numbers) texts.push_back(numpy::literal(x));
            const bool same =
                std::adjacent_find(texts.begin(), texts.end(), std::not_equal_to<>()) == texts.end();
            const std::string shape = fmt::format("({}{})", fmt::join(m_bound->shapes[i], ", "),
                                                  m_bound->shapes[i].size() == 1 ? "," : "");
            m_body +=
                same && !texts.empty()
                    ? fmt::format("{} = np.full({}, {}, 'f4').astype(float)\n", m_names[i], shape, texts[0])
                    : fmt::format("{} = np.array([{}], 'f4').astype(float).reshape({})\n", m_names[i],
                                  fmt::join(texts, ", "), shape);
        }
    }

    numpy::Operands operands(const std::vector<ValueIndex>& inputs,
                             const std::vector<std::string>& names) const {
        numpy::Operands out;
        for (const ValueIndex i : inputs) {
            out.names.push_back(names[i]);
            out.shapes.push_back(m_bound->shapes[i]);
        }
        return out;
    }

    void add(const std::string& line, const numpy::Expression& e) {
        m_body += line;
        m_helpers.insert(e.helpers.begin(), e.helpers.end());
    }

    Status writeReference() {
        for (const block::Op& op : m_bound->graph.ops) {
            const auto e = numpy::plain(op.kind, operands(op.inputs, m_names), op.attributes);
            if (!e) return e.error();
            add(fmt::format("{} = {}\n", m_names[op.output], e->text), *e);
        }
        return Done{};
    }

    /// What the previous launch left: the block's inputs were others, in reverse order where they are given.
    Result<numpy::Expression> staleValue(const lower::LoweredOp& op) const {
        if (m_bound->graph.ops.size() != 1)
            return Error{ErrorCode::unsupported, "repro.py has no words for a stale buffer among other ops",
                         op.name, "run the repro with divdet repro"};
        auto e = numpy::plain(op.kind, operands(op.inputs, m_names), op.attributes);
        if (!e) return e;
        std::vector<std::string> names, first;
        for (const ValueIndex i : op.inputs) {
            const std::string& name = m_names[i];
            if (std::count(names.begin(), names.end(), name)) continue;
            names.push_back(name);
            first.push_back(m_bound->graph.values[i].role == block::Role::input
                                ? fmt::format("{0}.ravel()[::-1].reshape({0}.shape)", name)
                                : name);
        }
        e->text = fmt::format("stale_buffer(lambda {0}: {1}, ({2},), ({0},))", fmt::join(names, ", "),
                              e->text, fmt::join(first, ", "));
        e->helpers.insert("stale_buffer");
        return e;
    }

    Status writeFaulty(const lower::LoweredGraph& program, std::set<std::string>& taken) {
        m_body += "\n";
        for (std::size_t at = 0; at < program.ops.size(); ++at) {
            const lower::LoweredOp& op = program.ops[at];
            if (auto s = writeFaultyOp(op, taken); !s) return s;
        }
        return Done{};
    }

    Status writeFaultyOp(const lower::LoweredOp& op, std::set<std::string>& taken) {
        const block::Op* written = m_bound->graph.producer(op.output);
        const bool asWritten = op.slots == lower::Slots{} && op.fused.empty() && written &&
                               written->inputs == op.inputs && written->attributes == op.attributes;
        const bool sameInputs = std::all_of(op.inputs.begin(), op.inputs.end(),
                                            [&](ValueIndex i) { return m_faulty[i] == m_names[i]; });
        if (asWritten && sameInputs) return Done{};
        auto e = op.slots.buffer == lower::Buffer::stale ? staleValue(op)
                                                         : numpy::lowered(op, operands(op.inputs, m_faulty));
        if (!e) return e.error();
        const std::string& plain = m_names[op.output];
        m_faulty[op.output] = identifier(plain + "_faulty", taken);
        add(fmt::format("{} = {}{}\n", m_faulty[op.output], e->text,
                        asWritten ? "" : "  # guilty: " + shownLine(m_guilty)),
            *e);
        return Done{};
    }

    void writeAssertions() {
        const Tolerance& t = m_repro.request.tolerance;
        const bool own = m_run.verdict == toString(Verdict::outside) && t.rule == Rule::allclose &&
                         !m_repro.request.derived;
        const std::string rtol = fmt::format("{}", own ? t.rtol : 0),
                          atol = fmt::format("{}", own ? t.atol : m_run.largestError / 2);
        m_body += '\n';
        if (!own && !m_run.verdict.empty())
            m_body += "# Half of the error that divdet measured: its verdict does not rest on a tolerance.\n";
        for (ValueIndex i = 0; i < m_names.size(); ++i) {
            if (!m_bound->graph.values[i].output) continue;
            m_body +=
                fmt::format("print('reference', {0}.ravel()[:8], 'faulty', {1}.ravel()[:8])\n"
                            "assert np.allclose({1}, {0}, rtol={2}, atol={3}{4}), 'guilty pass: ' + GUILTY\n",
                            m_names[i], m_faulty[i], rtol, atol, t.equalNan ? ", equal_nan=True" : "");
        }
    }

    const Repro& m_repro;
    const ReproRun& m_run;
    const std::string& m_inputs;
    const block::BoundGraph* m_bound = nullptr;
    std::string m_guilty, m_body;
    std::vector<std::string> m_names, m_faulty;
    std::set<std::string> m_helpers;
};

} // namespace

Result<std::string> reproScript(const Repro& repro, const ReproRun& run, const std::string& inputs) {
    return Writer(repro, run, inputs).text();
}

} // namespace divdet
