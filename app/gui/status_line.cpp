#include "gui/status_line.h"

#include <thread>

#include "gui/document.h"
#include "gui/number_format.h"
#include "gui/selection.h"
#include "session/lists.h"
#include "views/block_box.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

/// "cpu:sm_80 twin"
QString deviceText(const std::string& id) {
    return text(id) + (id.rfind("cpu:", 0) == 0 ? QStringLiteral(" twin") : QString());
}

} // namespace

StatusLine::StatusLine(Document* document, Selection* live, Selection* files, QWidget* parent)
    : QStatusBar(parent)
    , m_document(document)
    , m_live(live)
    , m_files(files) {
    setObjectName(QStringLiteral("statusBar"));
    setSizeGripEnabled(false);
    setFixedHeight(24);
    setContentsMargins(8, 0, 8, 0);
    const auto label = [this] { return new Label({}, FontStep::caption, Token::text2, this); };
    m_state = label();
    m_what = label();
    m_device = label();
    m_selection = label();
    m_threads = label();
    m_state->setObjectName(QStringLiteral("statusState"));
    m_device->setObjectName(QStringLiteral("statusDevice"));
    for (Label* left : {m_state, m_what, m_device}) {
        left->setContentsMargins(2, 0, 8, 0);
        addWidget(left);
    }
    for (Label* right : {m_selection, m_threads}) {
        right->setContentsMargins(8, 0, 2, 0);
        addPermanentWidget(right);
    }
    connect(document, &Document::busyChanged, this, &StatusLine::showAll);
    connect(document, &Document::resultChanged, this, &StatusLine::showAll);
    connect(document, &Document::runSettingsChanged, this, &StatusLine::showAll);
    connect(document, &Document::sideChanged, this, &StatusLine::showAll);
    connect(&document->advisor(), &AdvisorSide::requestChanged, this, &StatusLine::showAll);
    connect(&document->advisor(), &AdvisorSide::adviceChanged, this, &StatusLine::showAll);
    connect(&document->determinism(), &DeterminismSide::resultChanged, this, &StatusLine::showAll);
    connect(&document->logs(), &LogsSide::answerChanged, this, &StatusLine::showAll);
    connect(&document->logs(), &LogsSide::sourceChanged, this, &StatusLine::showAll);
    connect(&document->hunt(), &HuntSide::resultChanged, this, &StatusLine::showAll);
    connect(&document->hunt(), &HuntSide::pausedChanged, this, &StatusLine::showAll);
    connect(live, &Selection::changed, this, &StatusLine::showAll);
    connect(files, &Selection::changed, this, &StatusLine::showAll);
    showAll();
}

void StatusLine::setWatched(int files) {
    m_watched = files;
    showAll();
}

QString StatusLine::state() const {
    if (m_document->page() == Page::advisor) {
        const AdvisorSide& advisor = m_document->advisor();
        if (advisor.running()) return tr("Asking the advisor");
        if (advisor.error()) return tr("No answer");
        return advisor.upToDate() ? tr("Up to date") : tr("Not asked yet");
    }
    if (m_document->page() == Page::logs) {
        const LogsSide& logs = m_document->logs();
        if (logs.running()) return tr("Reading");
        if (logs.error()) return tr("Unreadable");
        if (logs.stopped()) return tr("Stopped");
        return logs.answer() ? tr("Up to date") : tr("Ready");
    }
    if (m_document->page() == Page::determinism) {
        const DeterminismSide& lab = m_document->determinism();
        if (lab.running()) return tr("Measuring");
        if (lab.error()) return tr("The last measurement failed");
        return lab.stopped() ? tr("Stopped") : lab.result() ? tr("Up to date") : tr("Ready");
    }
    if (m_document->page() == Page::triage) return tr("Ready");
    if (m_document->page() == Page::hunt || m_document->page() == Page::stages) {
        const HuntSide& hunt = m_document->hunt();
        if (hunt.paused()) return tr("Paused");
        if (hunt.running()) return tr("Hunting");
        if (hunt.error()) return tr("The last hunt failed");
        return hunt.canResume() ? tr("Stopped") : tr("Ready");
    }
    if (m_document->side() == Side::live) {
        if (m_document->live().running()) return tr("Running");
        if (m_document->live().error()) return tr("The last run failed");
        return m_document->live().newest() ? tr("Up to date") : tr("Not run yet");
    }
    const CompareSide& files = m_document->files();
    if (!files.canCompare()) return tr("Ready");
    const auto all = files.candidates().size();
    std::size_t done = 0;
    for (const Candidate& candidate : files.candidates()) done += candidate.state == Candidate::State::done;
    if (files.running()) return tr("Comparing · %1 of %2 done").arg(done).arg(all);
    return done == all ? tr("Up to date") : tr("%1 of %2 candidates compared").arg(done).arg(all);
}

QString StatusLine::what() const {
    if (m_document->page() == Page::advisor) return text(m_document->advisor().request().op);
    if (m_document->page() == Page::logs) return m_document->logs().subject();
    if (m_document->page() == Page::triage) return {};
    if (m_document->page() == Page::compare) {
        const CompareSide& files = m_document->files();
        if (files.isEmpty()) return tr("nothing open");
        const Candidate* candidate = files.currentCandidate();
        return files.referenceName() + (candidate ? QStringLiteral(" ⟷ ") + candidate->name() : QString());
    }
    const auto& live = m_document->live().newest();
    if (!live) return text(m_document->settings().run.block);
    static const std::vector<BlockInfo> blocks = listBlocks();
    for (const BlockInfo& block : blocks)
        if (block.id == live->request.block) {
            RunSettings run;
            run.dims = live->request.dims;
            return blockSummary(run, block)
                       .replace(text(block.id) + QLatin1Char(' '), text(block.id) + QStringLiteral(" · ")) +
                   tr(" · seed %1").arg(live->request.seed) +
                   (live->request.runNumber ? tr(" · run %1").arg(live->request.runNumber) : QString());
        }
    return text(live->request.block);
}

void StatusLine::showAll() {
    const bool live = m_document->page() == Page::live, advisor = m_document->page() == Page::advisor;
    const bool taps = showsTaps(m_document->page());
    m_state->setText(state());
    m_what->setText(what());
    const auto& newest = m_document->live().newest();
    QString device = live && newest ? deviceText(newest->request.device) : QString();
    if (live && newest && !m_document->live().running())
        device += QStringLiteral(" · ") + num::seconds(newest->seconds);
    // Beside the op that is asked about, the device and time of another answer would be read as its own.
    if (const auto advice = m_document->advisor().shown();
        advisor && advice && m_document->advisor().upToDate())
        device = deviceText(advice->request.device) + QStringLiteral(" · ") + num::seconds(advice->seconds);
    m_device->setText(device);
    const Selection& selection = live ? *m_live : *m_files;
    QString place = taps ? selection.tap() : QString();
    const auto& comparison = m_document->judged(m_document->side()).comparison();
    if (taps && comparison && selection.element() >= 0)
        for (const TapPair& pair : comparison->pairs)
            if (text(pair.name) == selection.tap())
                place += QLatin1Char(' ') + num::index(unravel(selection.element(), pair.referenceShape));
    m_selection->setText(place);
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    QString right = threads == 1 ? tr("1 thread") : tr("%1 threads").arg(threads);
    if (taps && !live && m_watched > 0)
        right.prepend(m_watched == 1 ? tr("watching 1 file · ") : tr("watching %1 files · ").arg(m_watched));
    m_threads->setText(right);
}

} // namespace divdet
