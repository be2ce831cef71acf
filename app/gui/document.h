#pragma once
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "gui/advisor_side.h"
#include "gui/compare_side.h"
#include "gui/determinism_side.h"
#include "gui/hunt_side.h"
#include "gui/live_side.h"
#include "gui/logs_side.h"
#include "gui/recounter.h"
#include "gui/sane_finder.h"
#include "gui/settings.h"
#include "views/widgets/message_bar.h"

class QUndoStack;

namespace divdet {

/// Owns the session and the settings and is the only hub of signals: views change settings here and listen
/// here, never to each other.
///
/// Settings that need data (RunSettings, FileSettings) start a job; the tolerance is judged from frontiers
/// within the same event. Exact counts follow from a job once the tolerance has rested.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(std::shared_ptr<Session> session, QObject* parent = nullptr);
    ~Document() override;

    Session& session() { return *m_session; }
    LiveSide& live() { return m_live; }
    CompareSide& files() { return m_files; }
    SaneFinder& sane() { return m_sane; }
    /// Looks for the sane tolerance of the newest complete run, unless that is done, going on or was
    /// cancelled.
    void findSane() { m_sane.request(m_live.complete()); }
    AdvisorSide& advisor() { return m_advisor; }
    HuntSide& hunt() { return m_hunt; }
    LogsSide& logs() { return m_logs; }
    DeterminismSide& determinism() { return m_determinism; }
    QUndoStack* undoStack() { return m_undo; }

    /// The side whose page is shown: its verdict stands in the title and at the right.
    Side side() const { return m_side; }
    void setSide(Side side) { setPage(side == Side::live ? Page::live : Page::compare); }
    Page page() const { return m_page; }
    void setPage(Page page);
    /// What is judged on a side; empty before the first result and without a candidate.
    const Judged& judged(Side side) const;

    const Settings& settings() const { return m_settings; }
    /// One undoable step each; nothing happens when nothing changes.
    void setRun(const RunSettings& run, const QString& what);
    void setFileSettings(const FileSettings& files, const QString& what);
    void setTolerance(Side side, const ToleranceSettings& tolerance, const QString& what);

    /// All at once, as the command line gives them; no step of undo before start().
    void takeSettings(const Settings& settings) { change(settings, {}); }

    /// While a slider or handle is held: its moves are one undo step and no exact count starts.
    void beginGesture();
    void endGesture();
    bool inGesture() const { return m_held > 0; }

    /// What the page is for: runs the live block, compares the files, asks the advisor, hunts, again.
    void rerun();
    /// Starts the first run; settings made before are not steps of undo.
    void start();
    void cancel();
    bool busy() const;

    /// Shows a bar; the window does it.
    void post(const Message& message) { emit messagePosted(message); }

    /// Counters for tests and the status bar.
    int runsStarted() const { return m_live.runsStarted(); }
    int scansStarted() const { return m_live.runsStarted() + m_files.scansStarted(); }
    int recounts() const { return m_recounter.started(); }
    /// Re-evaluations from frontiers after a change of the tolerance.
    int judgements() const { return m_judgements; }
    bool recounting() const { return m_recounter.running() || m_rest.isActive(); }

    /// ms the tolerance rests before exact counts are made.
    static constexpr int restTime = 400;

signals:
    void runSettingsChanged();
    void fileSettingsChanged();
    /// After judging: one for each change.
    void toleranceChanged(divdet::Side side);
    /// New data: a run, a partial comparison.
    void resultChanged(divdet::Side side);
    /// Counts became exact; nothing else.
    void countsChanged(divdet::Side side);
    void sideChanged(); ///< or the page
    void busyChanged();
    void messagePosted(const divdet::Message& message);

private:
    void change(const Settings& next, const QString& what);
    void apply(const Settings& next);
    void requestRun();
    void restFromNow();
    void recount();
    bool startRecount(const Judged& judged, std::vector<std::size_t> pairs);
    void recountNext(bool running);
    void takeCounts(const std::shared_ptr<const Comparison>& comparison, const Recounter::Counts& counts);
    void takeSuggestion(const Tolerance& tolerance);

    std::shared_ptr<Session> m_session;
    Settings m_settings;
    QUndoStack* m_undo;
    Side m_side = Side::live;
    Page m_page = Page::live;
    LiveSide m_live;
    CompareSide m_files;
    AdvisorSide m_advisor;
    HuntSide m_hunt;
    LogsSide m_logs;
    DeterminismSide m_determinism;
    Recounter m_recounter;
    SaneFinder m_sane;
    QTimer m_rest;
    bool m_started = false;
    bool m_counted = false;                ///< the last recount settled something
    std::optional<Tolerance> m_suggestion; ///< the first pair's default preset
    int m_held = 0;
    int m_gesture = 0;
    int m_judgements = 0;
    Judged m_none;
};

} // namespace divdet
