#include <iostream>

#include <fmt/format.h>

#include "cli/cli.h"
#include "cli/terminal.h"
#include "session/inspect_json.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    std::vector<std::string> files;
    std::string dtype, field;
    bool hash = false;
};

std::string fileText(const InspectedFile& f, bool hash, const Paint& paint) {
    std::string out = paint.strong(f.path.string());
    if (f.error) return out + "\nunreadable: " + f.error->text() + "\n";
    const bool saved = f.format == "divdet";
    out += fmt::format("  {}, {} {}\n", saved ? "a saved comparison" : f.format, f.taps.size(),
                       f.taps.size() == 1 ? "tap" : "taps");
    std::vector<Table::Column> columns{{"tap"},         {"dtype"},      {"shape"},     {"min", true},
                                       {"max", true},   {"mean", true}, {"nan", true}, {"inf", true},
                                       {"zeros", true}, {"first"}};
    if (hash) columns.push_back({"sha256"});
    Table t(columns);
    for (const auto& tap : f.taps) {
        std::vector<std::string> cells{tap.name, std::string(name(tap.dtype)), toString(tap.shape)};
        if (tap.error) {
            cells.resize(9);
            cells.push_back("unreadable: " + tap.error->text());
        } else if (tap.numeric) {
            for (double x : {tap.min, tap.max, tap.mean}) cells.push_back(shortNumber(x));
            for (auto n : {tap.nan, tap.inf, tap.zeros}) cells.push_back(countText(n));
            std::string first;
            for (std::size_t i = 0; i < std::min<std::size_t>(3, tap.first.size()); ++i)
                first += (i ? " " : "") + shortNumber(tap.first[i]);
            cells.push_back(first + (tap.elements > 3 ? " …" : ""));
        } else {
            for (int i = 0; i < 6; ++i) cells.push_back("-");
            cells.push_back("");
        }
        if (hash) cells.resize(10), cells.push_back(tap.sha256);
        t.row(std::move(cells));
    }
    out += t.text();
    for (const auto& [key, value] : f.other)
        if (key != "tap_order")
            out += fmt::format("{}: {}\n", key, value.size() > 200 ? value.substr(0, 200) + "…" : value);
    for (const auto& c : f.cautions) out += "caution: " + c + '\n';
    return out;
}

int run(const Options& o) {
    InspectRequest request;
    request.hash = o.hash;
    request.load.field = o.field;
    if (!o.dtype.empty()) {
        request.load.opaqueAs = parseDType(o.dtype);
        if (!request.load.opaqueAs)
            return fail({ErrorCode::usage, fmt::format("'{}' is no dtype", o.dtype), "--dtype",
                         "such as bf16 or f8e4m3"});
    }
    std::vector<InspectedFile> files;
    bool allReadable = true;
    for (const auto& path : o.files) {
        request.path = path;
        files.push_back(inspectFile(request, terminalProgress()));
        endProgress();
        const auto& f = files.back();
        if (f.error) std::cerr << "divdet: " << f.error->text() << '\n';
        allReadable = allReadable && !f.error;
        for (const auto& t : f.taps) allReadable = allReadable && !t.error;
    }
    if (!writeJson(o.common, toJson(std::span<const InspectedFile>(files)))) return 2;
    if (!o.common.jsonOnStdout())
        for (std::size_t i = 0; i < files.size(); ++i)
            if (!files[i].error)
                std::cout << (i ? "\n" : "") << fileText(files[i], o.hash, Paint(o.common.noColour));
    return allReadable ? 0 : 2;
}

} // namespace

void addInspect(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("inspect", "List the tensors of files: type, shape, range, first values");
    verb->footer("min and max leave NaN out; sum and mean do not. Exit code: 0, or 2 when a file or tensor "
                 "is unreadable.");
    verb->add_option("file", o->files, "npy, npz, safetensors, ONNX, Polygraphy JSON or a folder")
        ->required();
    verb->add_flag("--hash", o->hash, "SHA-256 of each tensor's contiguous little-endian bytes");
    verb->add_option("--dtype", o->dtype, "What untyped (void) data is")->type_name("DTYPE");
    verb->add_option("--field", o->field, "Field of structured data")->type_name("NAME");
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
