#include "fuzz/target.h"
#include "logs/log_reader.h"

// Any bytes as a log: whole and in portions give the same counts, and every line is accounted for.

namespace divdet::fuzz {
namespace {

void logs(Input input) {
    const std::string_view text = asText(input);
    LogReader whole;
    whole.feed(text);
    const LogReport a = whole.finish();
    require(a.recordLines + a.unparsedLines + a.otherRank >= a.lines, "no line is lost");
    require(a.unparsedLines <= a.lines, "no more lines than there are");
    std::int64_t recompiles = 0, breaks = 0;
    for (const auto& f : a.recompiles) recompiles += f.count;
    for (const auto& b : a.breaks) breaks += b.count;
    require(recompiles == a.recompileHeaders, "each recompile belongs to a function");
    require(breaks == a.breakOccurrences, "each break has a place");

    LogReader parts;
    for (std::size_t i = 0; i < text.size(); i += 7) parts.feed(text.substr(i, 7));
    const LogReport b = parts.finish();
    require(a.lines == b.lines && a.unparsedLines == b.unparsedLines &&
                a.recompileHeaders == b.recompileHeaders && a.breakOccurrences == b.breakOccurrences &&
                a.storm == b.storm,
            "portions do not matter");
}

std::vector<std::string> seeds() {
    const std::string v = "V0101 10:00:00.000001 7 torch/_dynamo/guards.py:1] [0/1] [__recompiles] ";
    const std::string g = "V0101 10:00:00.000001 7 torch/_dynamo/s.py:1] [0/1_1] [__graph_breaks] ";
    return {
        v + "Recompiling function f in /w/a.py:3\n" + v +
            "    - 0/0: tensor 'L['x']' size mismatch at index 0. "
            "expected 3, actual 4\n",
        "[rank1]:" + g + "Graph break in user code at /w/a.py:9\n[rank1]:" + g +
            "Graph Break Reason: Unsupported\n",
        "[2023-01-01 10:00:00,001] [0/0] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit "
        "config.cache_size_limit (8)\n   function: 'f' (C:\\a b\\n.py:5)\n   reasons:  [\"tensor 'x' strides "
        "mismatch "
        "at index 0. expected 4, actual 5\"]\n",
        "V0101 10:00:00.000001 7 torch/x.py:1] {\"rank\": 0, \"frame_id\": 0, \"frame_compile_id\": 1, "
        "\"artifact\": "
        "{\"name\": \"recompile_reasons\"}, \"has_payload\": \"0\"}\n\t[\"0/0: L['n'] == 1\"]\n",
        "GraphCompileReason(reason='Unsupported: Tensor.item', user_stack=[<FrameSummary file /w/a.py, line "
        "5 in f>], "
        "graph_break=True)\nStats { ok: 1, other_rank: 2, fail_json: 1 }\n| 0/0 | x | reason | a.py:1 |\n"};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(logs, divdet::fuzz::logs, divdet::fuzz::seeds)
