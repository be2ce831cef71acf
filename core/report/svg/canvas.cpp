#include "report/svg/canvas.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

#include "report/escape.h"

namespace divdet::svg {
namespace {

bool finite(std::initializer_list<double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

const char* anchorName(Anchor a) {
    return a == Anchor::start ? "start" : a == Anchor::middle ? "middle" : "end";
}

} // namespace

std::string coordinate(double x) {
    std::string out = fmt::format("{:.2f}", x);
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
    return out == "-0" ? "0" : out;
}

Canvas::Canvas(double width, double height, std::string_view title, std::string_view description) {
    const std::string name = xmlText(title, 400), more = xmlText(description, 1000);
    m_out = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                        "height=\"{1}\" role=\"img\" aria-label=\"{2}. {3}\">\n<title>{2}</title>\n"
                        "<desc>{3}</desc>\n",
                        coordinate(width), coordinate(height), name, more);
}

void Canvas::line(double x1, double y1, double x2, double y2, std::string_view style) {
    if (!finite({x1, y1, x2, y2})) return;
    m_out += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", coordinate(x1),
                         coordinate(y1), coordinate(x2), coordinate(y2), style);
}

void Canvas::rect(double x, double y, double width, double height, std::string_view style) {
    if (!finite({x, y, width, height})) return;
    m_out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"/>\n", coordinate(x),
                         coordinate(y), coordinate(std::max(width, 0.0)), coordinate(std::max(height, 0.0)),
                         style);
}

void Canvas::circle(double x, double y, double radius, std::string_view style, std::string_view hover) {
    if (!finite({x, y, radius})) return;
    m_out += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"", coordinate(x), coordinate(y),
                         coordinate(radius), style);
    m_out += hover.empty() ? "/>\n" : fmt::format("><title>{}</title></circle>\n", xmlText(hover));
}

void Canvas::polyline(const Points& points, std::string_view style) {
    std::string path;
    bool pen = false;
    for (const auto& [x, y] : points) {
        if (!finite({x, y})) {
            pen = false;
            continue;
        }
        path += fmt::format("{}{} {}", pen ? "L" : "M", coordinate(x), coordinate(y));
        pen = true;
    }
    if (!path.empty()) m_out += fmt::format("<path d=\"{}\" class=\"{}\"/>\n", path, style);
}

void Canvas::polygon(const Points& points, std::string_view style) {
    std::string path;
    for (const auto& [x, y] : points)
        if (finite({x, y}))
            path += fmt::format("{}{} {}", path.empty() ? "M" : "L", coordinate(x), coordinate(y));
    if (!path.empty()) m_out += fmt::format("<path d=\"{}Z\" class=\"{}\"/>\n", path, style);
}

void Canvas::boxes(const std::vector<Box>& boxes, std::string_view style) {
    std::string path;
    for (const Box& b : boxes)
        if (finite({b.x, b.y, b.width, b.height}))
            path += fmt::format("M{} {}h{}v{}h-{}z", coordinate(b.x), coordinate(b.y), coordinate(b.width),
                                coordinate(b.height), coordinate(b.width));
    if (!path.empty()) m_out += fmt::format("<path d=\"{}\" class=\"{}\"/>\n", path, style);
}

void Canvas::text(double x, double y, std::string_view text, std::string_view style, Anchor anchor,
                  bool upright) {
    if (!finite({x, y})) return;
    m_out += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\" text-anchor=\"{}\"", coordinate(x),
                         coordinate(y), style, anchorName(anchor));
    if (upright) m_out += fmt::format(" transform=\"rotate(-90 {} {})\"", coordinate(x), coordinate(y));
    m_out += fmt::format(">{}</text>\n", xmlText(text));
}

std::string Canvas::finish() && {
    return std::move(m_out) + "</svg>\n";
}

} // namespace divdet::svg
