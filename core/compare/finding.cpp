#include "compare/finding.h"

namespace divdet {

std::string_view toString(FindingClass c) {
    switch (c) {
    case FindingClass::note:
        return "note";
    case FindingClass::drift:
        return "drift";
    case FindingClass::unclear:
        return "unclear";
    case FindingClass::bug:
        return "bug";
    }
    return "";
}

std::string_view toString(PairClass c) {
    switch (c) {
    case PairClass::identical:
        return "identical";
    case PairClass::drift:
        return "drift";
    case PairClass::inherited:
        return "inherited";
    case PairClass::unclear:
        return "unclear";
    case PairClass::bug:
        return "bug";
    }
    return "";
}

} // namespace divdet
