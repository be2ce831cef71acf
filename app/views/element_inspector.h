#pragma once
#include <QWidget>
#include <memory>

#include "gui/document.h"
#include "gui/selection.h"
#include "jobs/latest_job.h"
#include "models/element_facts.h"

class QLineEdit;
class QGridLayout;

namespace divdet {

class Label;
class SectionHead;

/// One element of the selected tap: both values, their distance, the tolerance there unless the rule judges
/// the whole tensor, and what the judge knows of it. The worst element while none is chosen; an index can be
/// typed. Elements are read in a job.
class ElementInspector : public QWidget {
    Q_OBJECT
public:
    ElementInspector(Document* document, Selection* live, Selection* files, QWidget* parent = nullptr);

    struct Line {
        QString label, value, note; ///< note: unit or sense, becomes the tooltip
    };
    const std::vector<Line>& lines() const { return m_lines; }
    bool running() const { return m_job.running() || m_search.running(); }
    int reads() const { return m_job.startedCount(); } ///< for tests: a tolerance needs none

    /// Selects the element that the text names, as soon as the selected tap has been compared.
    void selectLater(const QString& index);

    /// Selects the first element in a cell of the tap's histogram.
    void findInBin(int column, int row);

signals:
    /// The element that was read; `chosen`: by the user, else it is the worst one.
    void shown(double reference, double candidate, bool chosen);

private:
    /// Of which numbers it is, as another tap may be selected by then.
    struct Outcome {
        std::shared_ptr<const Summary> of;
        std::int64_t index;
        Result<ElementFacts> facts;
    };
    Selection* selection() const;
    const TapPair* pair() const;
    void showTap();
    void read(qint64 index);
    void take(Outcome outcome);
    void showFacts();
    void showLines();
    void typed();
    QLineEdit* makeField();

    Document* m_document;
    Selection *m_live, *m_files;
    SectionHead* m_head;
    QLineEdit* m_index;
    Label* m_error;
    QWidget* m_values;
    QGridLayout* m_grid;
    std::vector<std::pair<Label*, Label*>> m_cells;
    std::vector<Line> m_lines;
    std::optional<ElementFacts> m_facts;
    std::shared_ptr<const Summary> m_summary; ///< of the tap that is shown
    std::int64_t m_wanted = -1;               ///< the element that is shown, or being read
    QString m_problem;
    QString m_later; ///< an index that waits for its tap
    LatestJob<Outcome> m_job;
    LatestJob<Result<std::int64_t>> m_search; ///< last: the destructors wait for the workers
};

} // namespace divdet
