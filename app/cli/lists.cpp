#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/cli.h"
#include "cli/terminal.h"
#include "session/lists_json.h"

namespace divdet::cli {
namespace {

std::string passesText() {
    std::string out;
    for (const auto kind : {lower::PassKind::drift, lower::PassKind::bug}) {
        out += kind == lower::PassKind::drift ? "Drift: on purpose, and small\n"
                                              : "\nBugs: real faults, to be found\n";
        for (const auto& p : listPasses()) {
            if (p.kind != kind) continue;
            out += fmt::format("  {:<20}{}\n", p.id, p.title);
            out += fmt::format("  {:<20}{}\n", "", p.text);
            std::vector<std::string> variants = p.variants;
            if (!p.otherVariants.empty()) variants.push_back(p.otherVariants);
            if (!variants.empty())
                out += fmt::format("  {:<20}variants: {}\n", "", fmt::join(variants, ", "));
        }
    }
    return out;
}

std::string blocksText() {
    std::string out;
    for (const auto& b : listBlocks()) {
        out += fmt::format("{:<12}{}\n{:<12}{}\n{:<12}sizes:", b.id, b.title, "", b.text, "");
        for (const auto& d : b.dims) out += fmt::format(" {} {}", d.name, d.value);
        out += fmt::format("\n{:<12}taps: {}; judged: {}\n", "", fmt::join(b.taps, ", "),
                           fmt::join(b.outputs, ", "));
    }
    return out + fmt::format("\ninputs: {}\n", fmt::join(listInputKinds(), ", "));
}

std::string presetsText() {
    Table t({{"preset"}, {"rule"}, {"rtol", true}, {"atol", true}, {"whose"}});
    for (const auto& p : tolerancePresets())
        t.row({std::string(p.id), std::string(toString(p.rule)), toleranceText(p.rtol), toleranceText(p.atol),
               std::string(p.title)});
    return t.text();
}

std::string devicesText(const Session& session) {
    Table t({{"device"}, {"what"}, {"promise"}, {"available"}});
    for (const auto& d : listDevices(session))
        t.row({d.id, d.title, std::string(name(d.promise)), d.available ? "yes" : "no: " + d.whyNot});
    return t.text();
}

void addList(CLI::App& app, int& exitCode, const char* verbName, const char* what, std::string (*asText)(),
             Json (*asJson)()) {
    auto common = std::make_shared<Common>();
    CLI::App* verb = app.add_subcommand(verbName, what);
    addCommon(*verb, *common);
    verb->callback([=, &exitCode] {
        if (!writeJson(*common, asJson())) {
            exitCode = 2;
            return;
        }
        if (!common->jsonOnStdout()) std::cout << asText();
    });
}

} // namespace

void addLists(CLI::App& app, int& exitCode) {
    addList(app, exitCode, "passes", "The passes a block can be run with, drift and bugs", passesText,
            passesJson);
    addList(app, exitCode, "blocks", "The blocks there are, with their sizes and taps", blocksText,
            blocksJson);
    addList(app, exitCode, "presets", "The named tolerances", presetsText, presetsJson);
    addList(
        app, exitCode, "devices", "The devices a block can run on",
        +[] { return devicesText(*makeSession()); }, +[] { return devicesJson(*makeSession()); });
}

} // namespace divdet::cli
