#include <zlib.h>

#include "compare/scan.h"
#include "fuzz/dump_walk.h"
#include "report/json_comparison.h"
#include "report/json_metric.h"
#include "report/report.h"
#include "session/metric_answer.h"
#include "session/result/container.h"
#include "session/result_file.h"

// A saved comparison: the file as it is; and any CBOR in a right container. What is read is judged and shown
// like a comparison just made.

namespace divdet::fuzz {
namespace {

constexpr std::size_t kHead = 24;

void judgeAndShow(std::span<const std::byte> file) {
    const auto saved = decodeResult(file, "fuzz.divdet");
    if (!saved) return checkError(saved.error(), file.size());
    const Comparison& c = *saved->result.comparison;
    for (const Tolerance& t : {saved->result.tolerance, Tolerance{Rule::allclose, 0, 0, true}}) {
        const Judgement j = judge(c, t);
        require(j.taps.size() == c.pairs.size(), "every pair is judged");
        if (!t.equalNan) continue; // once is enough for the text
        ReportSubject subject;
        subject.comparison = saved->result.comparison;
        subject.judgement = j;
        subject.command = saved->command;
        subject.metric = metricAnswer(saved->result);
        require(nlohmann::json::accept(text(toJson(subject.metric, j))), "a task metric becomes JSON");
        const std::string json = text(toJson(c, j, {"compare", "", 1, saved->result.seconds}));
        require(nlohmann::json::accept(json), "a comparison becomes JSON");
        const std::string html = toHtml({{subject}, json});
        require(html.find("<script") == std::string::npos, "names do not become markup");
        (void)toMarkdown({{subject}, json});
    }
    require(decodeResult(encodeResult(saved->result, saved->command)).ok(),
            "what was read can be saved again");
}

/// The container around a document, right in every length.
std::string packed(std::string_view document) {
    std::string out("\x89"
                    "DIVDET\n\1\0\0\0\0\0\0\0",
                    16);
    for (int i = 0; i < 8; ++i) out += static_cast<char>(document.size() >> (8 * i) & 0xff);
    uLongf size = compressBound(static_cast<uLong>(document.size()));
    out.resize(kHead + size);
    compress2(reinterpret_cast<Bytef*>(out.data()) + kHead, &size,
              reinterpret_cast<const Bytef*>(document.data()), static_cast<uLong>(document.size()), 1);
    out.resize(kHead + size);
    return out;
}

void result(Input input) {
    judgeAndShow(input);
    const std::string file = packed(asText(input));
    judgeAndShow(asInput(file));
}

CompareResult sample() {
    const auto tensors = sampleTensors();
    Comparison c;
    for (const std::size_t i : {0u, 1u, 3u}) {
        TapPair p;
        const Tensor& t = tensors[i].tensor;
        p.name = p.candidateName = tensors[i].name;
        p.referenceDType = p.candidateDType = t.dtype();
        p.referenceShape = p.candidateShape = t.shape();
        if (auto summary = scan(t.view(), t.view(), {{}, true}, {}))
            p.summary = std::make_shared<const Summary>(std::move(*summary));
        c.pairs.push_back(std::move(p));
    }
    CompareResult out;
    out.comparison = std::make_shared<const Comparison>(std::move(c));
    out.referenceFormat = out.candidateFormat = "npz";
    out.complete = true;
    return out;
}

std::vector<std::string> seeds() {
    const std::vector<std::byte> file = encodeResult(sample(), "divdet compare r c");
    std::string whole(reinterpret_cast<const char*>(file.data()), file.size());
    std::uint64_t size = 0;
    for (int i = 8; i-- > 0;)
        size = size << 8 | static_cast<unsigned char>(whole[16 + static_cast<std::size_t>(i)]);
    std::string document(size, '\0');
    uLongf got = static_cast<uLongf>(size);
    uncompress(reinterpret_cast<Bytef*>(document.data()), &got,
               reinterpret_cast<const Bytef*>(file.data()) + kHead, static_cast<uLong>(file.size() - kHead));
    return {std::move(whole), std::move(document),
            "\xa1"
            "aA\xf6"};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(result, divdet::fuzz::result, divdet::fuzz::seeds)
