#include "plots/log_ticks.h"
#include "gui/number_format.h"
#include <algorithm>
#include <cmath>

namespace divdet {
namespace {

void addDecades(LogTicks& out, double low, double high, int step) {
    const int first = static_cast<int>(std::floor(low / step)) * step;
    for (int decade = first; decade <= high + step; decade += step) {
        out.major << decade;
        out.labels << num::decadeLabel(decade);
        for (int i = 1; step > 1 && i < step; ++i) out.minor << decade + i;
        for (int i = 2; step == 1 && i < 10; ++i) out.minor << decade + std::log10(i);
    }
}

QString valueLabel(double value) {
    const int decade = static_cast<int>(std::lround(std::log10(value)));
    if (std::fabs(std::log10(value) - decade) < 1e-9) return num::decadeLabel(decade);
    return num::tolerance(std::strtod(QByteArray::number(value, 'g', 4).constData(), nullptr));
}

void addMantissas(LogTicks& out, double low, double high) {
    for (int decade = static_cast<int>(std::floor(low)); decade <= high + 1; ++decade)
        for (int i = 1; i < 10; ++i) {
            const double at = decade + std::log10(i);
            if (i != 1 && i != 2 && i != 5) {
                out.minor << at;
                continue;
            }
            out.major << at;
            out.labels << valueLabel(i * std::pow(10.0, decade));
        }
}

void addEven(LogTicks& out, double low, double high, int count) {
    const double a = std::pow(10.0, low), b = std::pow(10.0, high);
    const double raw = (b - a) / std::max(count, 1);
    const double magnitude = std::pow(10.0, std::floor(std::log10(raw)));
    double step = magnitude;
    for (double factor : {1.0, 2.0, 5.0, 10.0})
        if (step = factor * magnitude; step >= raw) break;
    for (double value = std::ceil(a / step) * step; value <= b; value += step) {
        if (value <= 0) continue;
        out.major << std::log10(value);
        out.labels << valueLabel(value);
    }
}

} // namespace

LogTicks logTicks(double low, double high, double lengthPx, double minimumPx) {
    LogTicks out;
    const double decades = high - low;
    if (!(decades > 0) || !(lengthPx > 0) || !(minimumPx > 0) || decades > 2000) return out;
    const double room = std::max(1.0, lengthPx / minimumPx);
    if (decades < 0.3)
        addEven(out, low, high, static_cast<int>(room));
    else if (decades < 1.5 && decades * 4 <= room)
        addMantissas(out, low, high);
    else
        addDecades(out, low, high, std::max(1, static_cast<int>(std::ceil(decades / room))));
    return out;
}

double logOr(double value, double floor) {
    if (std::isinf(value) && value > 0) return 400;
    return value > 0 ? std::max(std::log10(value), floor) : floor;
}

} // namespace divdet
