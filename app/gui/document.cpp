#include "gui/document.h"

#include <QUndoStack>

#include "gui/settings_command.h"
#include "session/lists.h"

namespace divdet {

Document::Document(std::shared_ptr<Session> session, QObject* parent)
    : QObject(parent)
    , m_session(std::move(session))
    , m_undo(new QUndoStack(this))
    , m_live(m_session)
    , m_files(m_session)
    , m_advisor(m_session)
    , m_hunt(m_session)
    , m_determinism(m_session)
    , m_sane(m_session) {
    m_settings.run.passes = startPasses(m_settings.run.block);
    m_live.rejudge(m_settings.live.tolerance);
    m_files.rejudge(m_settings.compare.tolerance);
    m_rest.setSingleShot(true);
    m_rest.setInterval(restTime);
    connect(&m_rest, &QTimer::timeout, this, &Document::recount);
    connect(&m_recounter, &Recounter::counted, this, &Document::takeCounts);
    connect(&m_recounter, &Recounter::runningChanged, this, &Document::busyChanged);
    connect(&m_recounter, &Recounter::runningChanged, this, &Document::recountNext);
    m_recounter.setParent(this); // to be found by those who look for it
    connect(&m_recounter, &Recounter::failed, this, [this](const QString& message) {
        post({MessageKind::error, tr("Exact counts could not be made"), message, {}, {}});
    });

    connect(&m_live, &LiveSide::resultArrived, this, [this] {
        restFromNow();
        emit resultChanged(Side::live);
    });
    connect(&m_live, &LiveSide::runningChanged, this, &Document::busyChanged);
    connect(&m_live, &LiveSide::failed, this, [this] { emit resultChanged(Side::live); });

    connect(&m_files, &CompareSide::toleranceSuggested, this, &Document::takeSuggestion);
    connect(&m_files, &CompareSide::candidateChanged, this, [this](int index) {
        if (index == m_files.current()) restFromNow();
        emit resultChanged(Side::compare);
    });
    connect(&m_files, &CompareSide::currentChanged, this, [this] {
        restFromNow();
        emit resultChanged(Side::compare);
    });
    connect(&m_files, &CompareSide::filesChanged, this, [this] {
        if (m_files.isEmpty()) m_suggestion.reset();
        emit resultChanged(Side::compare);
    });
    connect(&m_files, &CompareSide::runningChanged, this, &Document::busyChanged);
    connect(&m_advisor, &AdvisorSide::runningChanged, this, &Document::busyChanged);
    connect(&m_hunt, &HuntSide::runningChanged, this, &Document::busyChanged);
    connect(&m_logs, &LogsSide::runningChanged, this, &Document::busyChanged);
    connect(&m_determinism, &DeterminismSide::runningChanged, this, &Document::busyChanged);
}

Document::~Document() = default;

void Document::setPage(Page page) {
    if (page == m_page) return;
    m_page = page;
    const Side side = !showsTaps(page) ? m_side : page == Page::live ? Side::live : Side::compare;
    if (std::exchange(m_side, side) != side) {
        m_recounter.cancel();
        restFromNow();
    }
    if (page == Page::advisor) m_advisor.wake();
    emit sideChanged();
}

const Judged& Document::judged(Side side) const {
    if (side == Side::live) return m_live.judged();
    const Candidate* candidate = m_files.currentCandidate();
    return candidate ? candidate->judged : m_none;
}

void Document::setRun(const RunSettings& run, const QString& what) {
    Settings next = m_settings;
    next.run = run;
    change(next, what);
}

void Document::setFileSettings(const FileSettings& files, const QString& what) {
    Settings next = m_settings;
    next.files = files;
    change(next, what);
}

void Document::setTolerance(Side side, const ToleranceSettings& tolerance, const QString& what) {
    Settings next = m_settings;
    next.tolerance(side) = tolerance;
    if (side == Side::compare) next.compareAutomatic = false;
    change(next, what);
}

void Document::beginGesture() {
    if (m_held++ > 0) return;
    ++m_gesture;
    m_rest.stop();
    m_recounter.cancel();
}

void Document::endGesture() {
    if (m_held == 0 || --m_held > 0) return;
    restFromNow();
}

void Document::change(const Settings& next, const QString& what) {
    if (next == m_settings) return;
    if (!m_started) return apply(next);
    m_undo->push(new SettingsCommand(what, m_settings, next, m_held > 0 ? m_gesture : 0,
                                     [this](const Settings& s) { apply(s); }));
}

void Document::apply(const Settings& wanted) {
    Settings next = wanted;
    // An automatic tolerance comes from the files, not from the step that undo goes back to.
    if (next.compareAutomatic && m_suggestion) next.compare.tolerance = *m_suggestion;
    const Settings before = std::exchange(m_settings, next);
    if (before == next) return;
    for (const Side side : {Side::live, Side::compare}) {
        if (before.tolerance(side) == next.tolerance(side)) continue;
        if (side == m_side) m_recounter.cancel();
        side == Side::live ? m_live.rejudge(next.live.tolerance) : m_files.rejudge(next.compare.tolerance);
        ++m_judgements;
        if (side == m_side) restFromNow();
        emit toleranceChanged(side);
    }
    if (!(before.run == next.run)) {
        requestRun();
        emit runSettingsChanged();
    }
    if (!(before.files == next.files)) {
        m_files.setFileSettings(next.files);
        emit fileSettingsChanged();
    }
}

void Document::requestRun() {
    m_sane.cancel(); // its runs are those of another request
    if (m_started) m_live.request(m_settings.run.request(m_settings.live.tolerance));
}

void Document::start() {
    if (std::exchange(m_started, true)) return;
    requestRun();
}

void Document::rerun() {
    if (m_page == Page::advisor) return m_advisor.rerun();
    const BlockRequest block = m_settings.run.request(m_settings.live.tolerance);
    if (m_page == Page::hunt) return m_hunt.hunt(block);
    if (m_page == Page::stages) return m_hunt.findStages(block);
    if (m_page == Page::logs) return m_logs.reread();
    if (m_page == Page::determinism) return m_determinism.run(block);
    if (m_page == Page::triage) return;
    m_side == Side::live ? requestRun() : m_files.rerun();
}

void Document::cancel() {
    // A cancelled run shows the result before it again, which would start its search again too.
    if (m_live.running() || m_sane.running()) m_sane.giveUp(m_live.complete());
    m_live.cancel();
    m_files.cancel();
    m_advisor.cancel();
    m_hunt.cancel();
    m_logs.cancel();
    m_determinism.cancel();
    m_recounter.cancel();
    m_rest.stop();
}

bool Document::busy() const {
    return m_live.running() || m_files.running() || m_advisor.running() || m_hunt.running() ||
           m_logs.running() || m_determinism.running();
}

void Document::restFromNow() {
    if (m_held == 0) m_rest.start();
}

void Document::recount() {
    const Judged& shown = judged(m_side);
    if (m_held > 0 || shown.waiting() > 0) return;
    if (startRecount(shown, shown.inexact()) || m_side != Side::compare) return;
    // A rule without a frontier leaves the other candidates without verdicts.
    for (const Candidate& candidate : m_files.candidates())
        if (startRecount(candidate.judged, candidate.judged.undecided())) return;
}

bool Document::startRecount(const Judged& judged, std::vector<std::size_t> pairs) {
    if (pairs.empty()) return false;
    m_counted = false;
    m_recounter.start(judged.comparison(), std::move(pairs), judged.judgement()->tolerance);
    return true;
}

void Document::recountNext(bool running) {
    // Pairs that cannot be read again stay open; without progress there is no next round.
    if (!running && std::exchange(m_counted, false)) restFromNow();
}

void Document::takeCounts(const std::shared_ptr<const Comparison>& comparison,
                          const Recounter::Counts& counts) {
    bool live = false, files = false;
    for (const Recounter::Count& count : counts) {
        live = m_live.takeExact(comparison, count.pair, count.exact) || live;
        files = m_files.takeExact(comparison, count.pair, count.exact) || files;
    }
    m_counted = m_counted || live || files;
    if (live) emit countsChanged(Side::live);
    if (files) emit countsChanged(Side::compare);
}

void Document::takeSuggestion(const Tolerance& tolerance) {
    if (m_suggestion) return;
    m_suggestion = tolerance;
    if (!m_settings.compareAutomatic) return;
    m_settings.compare.tolerance = tolerance;
    m_files.rejudge(tolerance);
    emit toleranceChanged(Side::compare);
}

} // namespace divdet
