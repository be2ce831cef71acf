#include "cli/report_option.h"

#include "cli/cli.h"
#include "report/report_file.h"

namespace divdet::cli {

void addReport(CLI::App& verb, std::vector<std::string>& paths) {
    verb.add_option("--report", paths,
                    "Write a report: FILE.md, FILE.html, FILE.json or FILE.xml (JUnit; repeat)")
        ->type_name("FILE")
        ->allow_extra_args(false);
}

Status checkReports(const std::vector<std::string>& paths) {
    for (const auto& p : paths)
        if (auto format = reportFormat(p); !format) return format.error();
    return Done{};
}

bool writeReports(const std::vector<std::string>& paths, const Report& report) {
    for (const auto& p : paths)
        if (auto s = writeReport(p, report); !s) {
            fail(s.error());
            return false;
        }
    return true;
}

} // namespace divdet::cli
