#pragma once
#include <QObject>
#include <map>
#include <memory>
#include <optional>

#include "compare/error_map.h"
#include "compare/ulp_spread.h"
#include "gui/document.h"
#include "gui/selection.h"
#include "jobs/latest_job.h"

class QAction;
class QMenu;

namespace divdet {

class HistogramPlot;
class MapPlot;
class PlotArea;

/// The plots of the selected tap that need its elements: histogram and map. They are read in jobs while the
/// plot is shown, and once: a tolerance asks again only for a map that shows it.
class TapPlots : public QObject {
    Q_OBJECT
public:
    /// Adds "histogram" and "map" to the area.
    TapPlots(Document* document, Selection* selection, Side side, PlotArea* area, QObject* parent);

    HistogramPlot* histogram() const { return m_histogram; }
    MapPlot* map() const { return m_map; }
    bool running() const { return m_ulpJob.running() || m_mapJob.running(); }
    int reads() const { return m_ulpJob.startedCount() + m_mapJob.startedCount(); } ///< for tests

    /// What is shown is brought up to date: a page that comes into view asks for it.
    void refresh();
    /// The map comes into view, at the selected element.
    void showPlace();
    void setUlps(bool ulps); ///< where there is z too
    /// `bound` shows abs while the rule judges the whole tensor.
    void setMeasure(MapMeasure measure);
    /// Shows other dims; the rest is cut where the selected element lies. −1: none.
    void setDims(int rowDim, int columnDim);

private:
    /// What a map was made of.
    struct MapKey {
        std::shared_ptr<const Summary> of;
        MapSlice slice;
        MapMeasure measure = MapMeasure::abs;
        Tolerance tolerance; ///< of MapMeasure::bound; else the default one

        friend bool operator==(const MapKey&, const MapKey&) = default;
    };
    struct Counted {
        std::shared_ptr<const Summary> of;
        Result<UlpSpread> spread;
    };
    struct Mapped {
        MapKey key;
        Shape shape;
        Result<std::shared_ptr<const ErrorMap>> map;
    };
    void makeMenus();
    void fillDims(QMenu* menu, bool rows);
    const TapPair* pair() const;
    bool shown(const char* name) const;
    /// Cancels reads whose answer would not be shown: of another tap, run or cut.
    void letGo();
    void showHistogram();
    void showUlps(const TapPair& pair);
    Tolerance tolerance() const; ///< of the selected pair
    MapMeasure measure() const;  ///< that is shown
    void showMeasures();
    void showMap();
    void takeCounted(Counted counted);
    void takeMap(Mapped mapped);
    void followSelection(const TapPair& pair);
    void stepCut(int direction);

    Document* m_document;
    Selection* m_selection;
    Side m_side;
    PlotArea* m_area;
    HistogramPlot* m_histogram;
    MapPlot* m_map;
    QAction *m_showZ = nullptr, *m_showUlps = nullptr;
    std::map<MapMeasure, QAction*> m_measures;
    bool m_wantUlps = false;
    QString m_histogramTap;           ///< whose histogram is shown
    std::optional<Counted> m_counted; ///< the newest answer
    std::shared_ptr<const Summary> m_counting;
    MapMeasure m_measure = MapMeasure::abs; ///< that was chosen
    MapSlice m_slice;
    Shape m_shape; ///< that the slice is of
    QString m_sliceTap;
    qint64 m_sliceElement = -1; ///< through which it was cut
    std::optional<MapKey> m_mapped, m_mapping;
    LatestJob<Counted> m_ulpJob;
    LatestJob<Mapped> m_mapJob; ///< last: the destructors wait for the workers
};

} // namespace divdet
