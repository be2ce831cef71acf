#pragma once
#include <QColor>
#include <QLatin1String>
#include <QStringView>
#include <array>
#include <optional>
#include <span>

namespace divdet {

/// A colour by its role. The one table is theme_tokens.def; no other file holds a colour literal.
enum class Token {
#define DIVDET_TOKEN(id, name, light, dark) id,
#include "gui/theme_tokens.def"
#undef DIVDET_TOKEN
};

/// All tokens in table order.
std::span<const Token> allTokens();

/// The name as written in style sheets and in the design: "text.1", "within.bg".
QLatin1String tokenName(Token token);

/// The inverse of tokenName; nothing for an unknown name.
std::optional<Token> tokenByName(QStringView name);

/// The colour of a token in the light or the dark column, whatever theme is applied.
QColor tokenColor(Token token, bool dark);

/// A ramp from nothing to much, evenly spaced: Scatter's density, candidates × taps, and cividis for maps.
std::span<const Token> densityRamp();
std::span<const Token> matrixRamp();
std::span<const Token> heatRamp();

} // namespace divdet
