#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace divdet::svg {

using Points = std::vector<std::pair<double, double>>;
enum class Anchor { start, middle, end };

/// Writes one `<svg>` element. Colours come from the classes of the page's style. Elements with a number that
/// is not finite are left out, and a line breaks there; all text is escaped.
class Canvas {
public:
    /// `title` and `description` are what a screen reader says, and the hover text.
    Canvas(double width, double height, std::string_view title, std::string_view description);

    void line(double x1, double y1, double x2, double y2, std::string_view style);
    void rect(double x, double y, double width, double height, std::string_view style);
    void circle(double x, double y, double radius, std::string_view style, std::string_view hover = {});
    void polyline(const Points& points, std::string_view style);
    void polygon(const Points& points, std::string_view style);
    /// Many rectangles (x, y, width, height) in one element.
    struct Box {
        double x, y, width, height;
    };
    void boxes(const std::vector<Box>& boxes, std::string_view style);
    void text(double x, double y, std::string_view text, std::string_view style = "tick",
              Anchor anchor = Anchor::start, bool upright = false);

    std::string finish() &&;

private:
    std::string m_out;
};

/// A coordinate: two decimals at most.
std::string coordinate(double x);

} // namespace divdet::svg
