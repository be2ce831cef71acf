#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compare/comparison.h"
#include "judge/metric/answer.h"

namespace divdet {

/// A table of a report beside that of the pairs.
struct ReportTable {
    std::string title, text; ///< text: a paragraph before it; may be empty
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
};

/// Lines of code that a reader can paste, with what they are for.
struct ReportSnippet {
    std::string what;
    std::vector<std::string> lines;
};

/// One comparison of a report.
struct ReportSubject {
    std::shared_ptr<const Comparison> comparison;           ///< not null
    Judgement judgement;                                    ///< of that comparison
    std::vector<std::pair<std::string, std::string>> facts; ///< formats, device, block …
    std::string command;                                    ///< makes the same comparison
    std::vector<std::string> notes;                         ///< beside those of the comparison
    std::vector<ReportTable> tables;
    std::vector<ReportSnippet> snippets;
    MetricAnswer metric;
};

/// What `--report` writes; the same content in every format.
struct Report {
    std::vector<ReportSubject> subjects; ///< one per candidate
    std::string json;                    ///< the document of --json
};

/// GitHub Markdown.
std::string toMarkdown(const Report& report);
/// One self-contained page, also well-formed XML: no script, nothing from elsewhere, light and dark.
std::string toHtml(const Report& report);

} // namespace divdet
