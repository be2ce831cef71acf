#pragma once
#include "workbench.h"

#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>

#include "gui/main_window.h"
#include "views/widgets/verdict_block.h"

/// The advisor's page in the whole window.
namespace divdet::advisor_bench {

/// A question that takes milliseconds.
inline AdviseRequest quick() {
    AdviseRequest r;
    r.op = "reduction";
    r.sizes = {{"m", 8}, {"k", 32}};
    r.dtype = "bf16";
    return r;
}

struct Bench {
    std::shared_ptr<SlowBackend> backend = std::make_shared<SlowBackend>();
    MainWindow window{sessionWith(backend)};
    explicit Bench(const AdviseRequest& request = quick()) {
        window.resize(1440, 900);
        window.document().advisor().setRequest(request);
        window.show();
    }
    AdvisorSide& side() { return window.document().advisor(); }
    template <class T>
    T* find(const char* name) {
        return window.findChild<T*>(QString::fromLatin1(name));
    }
    const VerdictContent& verdict() { return find<VerdictBlock>("advisorVerdict")->content(); }
    void open() {
        find<QToolButton>("pageAdvisor")->click();
        settle();
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!side().running(), 60000); }
};

inline void type(QLineEdit* edit, const char* text) {
    edit->selectAll();
    QTest::keyClicks(edit, QString::fromLatin1(text));
    QTest::keyClick(edit, Qt::Key_Return);
}

inline void choose(QComboBox* combo, const char* value) {
    const int index = combo->findData(QString::fromLatin1(value));
    QVERIFY2(index >= 0, value);
    combo->setCurrentIndex(index);
    emit combo->activated(index);
}

} // namespace divdet::advisor_bench
