#include "gui/theme_tokens.h"

namespace divdet {
namespace {

struct TokenRow {
    QLatin1String name;
    QRgb light;
    QRgb dark;
};

constexpr TokenRow rows[] = {
#define DIVDET_TOKEN(id, name, light, dark) {QLatin1String(name), light, dark},
#include "gui/theme_tokens.def"
#undef DIVDET_TOKEN
};

constexpr Token tokens[] = {
#define DIVDET_TOKEN(id, name, light, dark) Token::id,
#include "gui/theme_tokens.def"
#undef DIVDET_TOKEN
};

constexpr Token density[] = {Token::density0, Token::density1, Token::density2, Token::density3,
                             Token::density4};
constexpr Token matrix[] = {Token::matrix0, Token::matrix1, Token::matrix2, Token::matrix3};
constexpr Token heat[] = {Token::heat0, Token::heat1, Token::heat2};

} // namespace

std::span<const Token> allTokens() {
    return tokens;
}
std::span<const Token> densityRamp() {
    return density;
}
std::span<const Token> matrixRamp() {
    return matrix;
}
std::span<const Token> heatRamp() {
    return heat;
}

QLatin1String tokenName(Token token) {
    return rows[static_cast<std::size_t>(token)].name;
}

std::optional<Token> tokenByName(QStringView name) {
    for (Token token : tokens)
        if (name == tokenName(token)) return token;
    return std::nullopt;
}

QColor tokenColor(Token token, bool dark) {
    const TokenRow& row = rows[static_cast<std::size_t>(token)];
    return QColor::fromRgb(dark ? row.dark : row.light);
}

} // namespace divdet
