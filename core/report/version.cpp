#include "report/version.h"

namespace divdet {

std::string_view version() {
    return DIVDET_VERSION;
}

} // namespace divdet
