// How fast logs are read, beside what any reader must do: find the line feeds of the same bytes. In memory,
// in portions as a file is read; the best of five, interleaved.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "logs/log_reader.h"

namespace divdet {
namespace {

constexpr std::size_t kBytes = std::size_t{128} << 20, kPortion = std::size_t{1} << 20;

std::string prefix(int frame, int compile, const char* artifact) {
    return "V0101 10:00:00.000001 77 torch/_dynamo/guards.py:2791] [" + std::to_string(frame) + '/' +
           std::to_string(compile) + "] [__" + artifact + "] ";
}

/// What a training loop prints between compiles.
std::string plain(int i) {
    return "step " + std::to_string(i) + " loss 0.693147 lr 0.0003 tokens/s 51200 memory 12.3 GB\n";
}

std::string records(int i) {
    const int frame = i % 500, compile = i % 8 + 1;
    std::string out;
    const auto add = [&](const char* artifact, const std::string& text) {
        out += prefix(frame, compile, artifact) + text + '\n';
    };
    add("recompiles",
        "Recompiling function layer_" + std::to_string(frame) + " in /w/model.py:" + std::to_string(frame));
    add("recompiles", "    triggered by the following guard failure(s):");
    for (int k = 0; k < compile; ++k)
        add("recompiles", "    - " + std::to_string(frame) + '/' + std::to_string(k) +
                              ": tensor 'L['hidden']' size mismatch at index 1. expected " +
                              std::to_string(i % 97 + k) + ", actual " + std::to_string(i % 97 + 9));
    add("graph_breaks", "Graph break in user code at /w/model.py:" + std::to_string(i % 300));
    add("graph_breaks", "Graph Break Reason: Data-dependent branching");
    add("graph_breaks", "User code traceback:");
    add("graph_breaks", "  File \"/w/model.py\", line " + std::to_string(i % 300) + ", in forward");
    add("graph_breaks", "    if x.sum() > 0:");
    add("guards", "GUARDS:");
    for (int k = 0; k < 20; ++k)
        add("guards",
            "| | +- TENSOR_MATCH: check_tensor(L['x" + std::to_string(k) +
                "'], Tensor, DispatchKeySet(CPU, BackendSelect), torch.float32, device=None, size=[3, 3])");
    return out;
}

/// As torch 2.15 writes them: most of a trace is the configuration that metrics repeat.
std::string trace(int i) {
    const std::string head = "V0101 10:00:00.000001 77 torch/_dynamo/utils.py:2132] {";
    const std::string id =
        ", \"frame_id\": " + std::to_string(i % 500) + ", \"frame_compile_id\": 0, \"attempt\": 0";
    std::string config;
    for (int k = 0; k < 400; ++k)
        config += "\\\"some_option_of_dynamo_" + std::to_string(k) + "\\\": false, ";
    std::string out = head +
                      "\"compilation_metrics\": {\"co_name\": \"f\", \"guard_count\": 9, "
                      "\"entire_frame_compile_time_s\": 0.06, \"dynamo_config\": \"{" +
                      config + "}\"}" + id + "}\n";
    for (int k = 0; k < 10; ++k)
        out += head + "\"chromium_event\": {}" + id +
               ", \"has_payload\": \"0\"}\n\t{\"name\": \"backend_compile\", "
               "\"ph\": \"B\", \"ts\": 1795988106544465}\n";
    return out;
}

double secondsOf(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void measure(const char* name, std::string (*part)(int)) {
    std::string text;
    for (int i = 0; text.size() < kBytes; ++i) text += part(i);
    double feeds = std::numeric_limits<double>::infinity(), reading = feeds;
    std::int64_t lines = 0;
    LogReport report;
    for (int round = 0; round < 5; ++round) {
        feeds = std::min(feeds, secondsOf([&] {
                             lines = 0;
                             const char* at = text.data();
                             const char* end = at + text.size();
                             while ((at = static_cast<const char*>(
                                         std::memchr(at, '\n', static_cast<std::size_t>(end - at)))))
                                 ++at, ++lines;
                         }));
        reading = std::min(reading, secondsOf([&] {
                               LogReader reader;
                               for (std::size_t i = 0; i < text.size(); i += kPortion)
                                   reader.feed(std::string_view(text).substr(i, kPortion));
                               report = reader.finish();
                           }));
    }
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    std::printf("%-8s %5.0f MB  line feeds %6.0f MB/s  reading %5.0f MB/s  ratio %5.1f  lines %lld of %lld\n",
                name, megabytes, megabytes / feeds, megabytes / reading, reading / feeds,
                static_cast<long long>(report.lines), static_cast<long long>(lines));
}

} // namespace
} // namespace divdet

int main() {
    divdet::measure("plain", divdet::plain);
    divdet::measure("records", divdet::records);
    divdet::measure("trace", divdet::trace);
}
