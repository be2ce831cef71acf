#pragma once
#include <cstddef>

/// Work cut into numbered tasks that write disjoint outputs; so no result depends on the number of threads.
namespace divdet::host {

/// Calls call(context, i) for every i < count, on the threads TBB offers; returns when all are done.
void runTasks(std::size_t count, void (*call)(const void* context, std::size_t task), const void* context);

/// The same for a callable. Instantiated per instruction set, hence no standard container inside.
template <class F>
void forEachTask(std::size_t count, const F& f) {
    runTasks(
        count, [](const void* context, std::size_t task) { (*static_cast<const F*>(context))(task); }, &f);
}

std::size_t threadCount(); ///< how many tasks can run at once; never 0

/// This thread's scratch memory number `slot` (0..3), at least `bytes` long, aligned to 128 bytes. It is kept
/// from call to call; contents are undefined.
void* scratch(int slot, std::size_t bytes);

template <class T>
T* scratchOf(int slot, std::size_t count) {
    return static_cast<T*>(scratch(slot, count * sizeof(T)));
}

/// One uninitialised block, aligned like scratch(), freed with the object.
class Buffer {
public:
    explicit Buffer(std::size_t bytes);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    template <class T>
    T* as() const {
        return static_cast<T*>(m_data);
    }

private:
    void* m_data;
};

} // namespace divdet::host
