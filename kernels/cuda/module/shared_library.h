#pragma once
#include <dlfcn.h>

#include <string>

namespace divdet::cuda {

/// A library that is loaded when it is first wanted, so that the module loads where it is absent. It stays
/// loaded: its threads and exit handlers outlive every session.
class SharedLibrary {
public:
    explicit SharedLibrary(const std::string& name)
        : m_name(name)
        , m_file(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (m_file) return;
        const char* const reason = dlerror();
        m_whyNot = reason ? reason : name + " cannot be loaded";
    }
    template <class Function>
    void find(Function& function, const char* name) {
        if (!m_file) return;
        function = reinterpret_cast<Function>(dlsym(m_file, name));
        if (!function) m_whyNot = m_name + " has no function " + name;
    }
    const std::string& whyNot() const { return m_whyNot; } ///< empty when all was found

private:
    std::string m_name;
    void* m_file;
    std::string m_whyNot;
};

} // namespace divdet::cuda
