#pragma once
#include "report/report.h"
#include "session/compare_dumps.h"
#include "session/metric_answer.h"
#include "session/run_block.h"
#include "session/tolerance_report.h"

namespace divdet {

/// What a report says of a comparison of dumps, or of a live run; at the tolerance of the judgement.
ReportSubject reportSubject(const CompareResult& result, const Judgement& judgement);
ReportSubject reportSubject(const LiveResult& result, const Judgement& judgement);

/// Adds the answers of the verb `tolerance`: what is needed, presets, and the sensible pairs.
void addToleranceTables(ReportSubject& subject, const ToleranceReport& tolerances);

/// A report of one comparison with its JSON document, as the window saves it.
Report reportOf(ReportSubject subject, const std::string& command, const std::string& device, double seconds);

} // namespace divdet
