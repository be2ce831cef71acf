#include "hunt/answer.h"

namespace divdet::hunt {

std::string_view toString(Answer answer) {
    switch (answer) {
    case Answer::good:
        return "good";
    case Answer::bad:
        return "bad";
    case Answer::unresolved:
        break;
    }
    return "unresolved";
}

} // namespace divdet::hunt
