#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/cli.h"
#include "cli/terminal.h"
#include "run/golden/golden_cases.h"
#include "session/check_devices.h"
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

/// A row per arithmetic, a column per device; below it, what differs.
std::string checkText(const std::vector<DeviceCheck>& checks) {
    std::vector<Table::Column> columns{{"arithmetic"}};
    for (const DeviceCheck& c : checks) columns.push_back({c.device.id});
    Table t(columns);
    std::string details;
    for (const std::string_view arithmetic : run::golden::arithmetics()) {
        std::vector<std::string> row{std::string(arithmetic)};
        for (const DeviceCheck& c : checks) {
            row.emplace_back(c.device.available ? "" : "not here");
            for (const run::ArithmeticCheck& a : c.arithmetics) {
                if (a.arithmetic != arithmetic) continue;
                row.back() = name(a.agreement);
                if (a.agreement == run::Agreement::differ)
                    details += fmt::format("{}: {}: {}\n", c.device.id, a.arithmetic, shown(a.detail));
            }
        }
        t.row(row);
    }
    for (const DeviceCheck& c : checks)
        if (!c.device.available) details += fmt::format("{} is not here: {}\n", c.device.id, c.device.whyNot);
    return t.text() + (details.empty() ? "" : "\n" + details);
}

int checkAll(const Common& common) {
    const auto session = makeSession();
    const auto checks = checkDevices(*session, terminalProgress());
    endProgress();
    if (!checks) return fail(checks.error());
    if (!writeJson(common, devicesJson(*session, *checks))) return 2;
    if (!common.jsonOnStdout()) std::cout << checkText(*checks);
    return allAgree(*checks) ? 0 : 1;
}

int listAll(const Common& common) {
    const auto session = makeSession();
    if (!writeJson(common, devicesJson(*session))) return 2;
    if (!common.jsonOnStdout()) std::cout << devicesText(*session);
    return 0;
}

void addDevices(CLI::App& app, int& exitCode) {
    auto common = std::make_shared<Common>();
    auto check = std::make_shared<bool>(false);
    CLI::App* verb = app.add_subcommand("devices", "The devices a block can run on");
    verb->footer("Exit code with --check: 0 all agree, 1 a device breaks its promise.\n"
                 "other-bits: a device that promises no bits (cuBLAS) gives numbers near those due.");
    verb->add_flag("--check", *check,
                   "Run small cases with known bits on every device: agree or differ per arithmetic");
    addCommon(*verb, *common);
    verb->callback([=, &exitCode] { exitCode = *check ? checkAll(*common) : listAll(*common); });
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
    addDevices(app, exitCode);
}

} // namespace divdet::cli
