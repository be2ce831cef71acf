// Qt is not built for the thread sanitizer, which so misses what orders the end of a thread of QThreadPool
// before the destruction of the wait condition that it slept on. Nothing of ours is on these stacks above Qt.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
    return "race:QWaitCondition::~QWaitCondition\n";
}
