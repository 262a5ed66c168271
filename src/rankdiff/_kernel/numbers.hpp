// Numbers: [+-]digits[.digits][e±digits] or inf, correctly rounded; the digits on one side of the point may lack.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "bytes.hpp"

namespace rankdiff {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::uint64_t integer_powers[] = {1,
                                            10,
                                            100,
                                            1000,
                                            10000,
                                            100000,
                                            1000000,
                                            10000000,
                                            100000000,
                                            1000000000,
                                            10000000000,
                                            100000000000,
                                            1000000000000,
                                            10000000000000,
                                            100000000000000,
                                            1000000000000000,
                                            10000000000000000,
                                            100000000000000000,
                                            1000000000000000000,
                                            10000000000000000000u};

// Appends digits to a value, eight at a time; beyond 19 significant digits the value is of no use.
inline const char* read_digits(const char* at, std::uint64_t& value) {
    for (;;) {
        const std::uint64_t word = load64(at) ^ 0x3030303030303030;
        const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
        const int count = others ? trailing_zeros(others) / 8 : 8;
        if (count == 0) return at;
        std::uint64_t digits = word << (64 - 8 * count);
        digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ff;
        digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffff;
        digits = (digits * 10000 + (digits >> 32)) & 0x00000000ffffffff;
        value = value * integer_powers[count] + digits;
        at += count;
        if (count < 8) return at;
    }
}

inline double power_of_two(int exponent) {
    const std::uint64_t bits = static_cast<std::uint64_t>(1023 + exponent) << 52;
    double power;
    std::memcpy(&power, &bits, sizeof power);
    return power;
}

#if defined(RANKDIFF_INT128)
// value / divisor, correctly rounded: the quotient has at least 61 bits, and its last one tells of a remainder.
inline double rounded_quotient(std::uint64_t value, std::uint64_t divisor) {
    const int above = __builtin_clzll(value), below = __builtin_clzll(divisor);
    const auto dividend = static_cast<unsigned __int128>(value << above) << 62;
    divisor <<= below;
    const auto quotient = static_cast<std::int64_t>(dividend / divisor);
    const bool remains = static_cast<unsigned __int128>(quotient) * divisor != dividend;
    return static_cast<double>(quotient | remains) * power_of_two(below - above - 62);
}
#endif

// The rare numbers: very long, very large or very small. `scale` is the decimal exponent of the first digit.
inline double rare_number(const char* begin, const char* end, int exponent) {
    double value = 0;
    if (read_double(begin, end, value)) return value;
    std::int64_t scale = exponent;
    const char* point = static_cast<const char*>(std::memchr(begin, '.', end - begin));
    const char* leading = begin;
    while (*leading == '0' || *leading == '.') ++leading;
    const char* whole_end = begin;
    while (*whole_end >= '0' && *whole_end <= '9') ++whole_end;
    scale += point && leading > point ? point - leading : whole_end - leading - 1;
    return scale > 0 ? infinity : 0.0;
}

inline const char* read_infinity(const char* at, double& value) {
    const char* name = "infinity";
    int same = 0;
    while (same < 8 && (at[same] | 0x20) == name[same]) ++same;
    value = infinity;
    return same == 8 ? at + 8 : same >= 3 ? at + 3 : nullptr;
}

inline const char* read_magnitude(const char* begin, double& value) {
    std::uint64_t digits = 0;
    const char* at = begin;
    for (; *at >= '0' && *at <= '9'; ++at) digits = digits * 10 + (*at - '0');  // few, mostly
    std::ptrdiff_t count = at - begin, decimals = 0;
    if (*at == '.') {
        const char* after_point = at + 1;
        at = read_digits(after_point, digits);
        decimals = at - after_point;
        count += decimals;
    }
    if (count == 0) return read_infinity(begin, value);
    int exponent = 0;
    if ((*at | 0x20) == 'e') {
        const bool negative = *++at == '-';
        if (*at == '-' || *at == '+') ++at;
        const char* first = at;
        for (; *at >= '0' && *at <= '9'; ++at)
            if (exponent < 100'000'000) exponent = exponent * 10 + (*at - '0');
        if (at == first) return nullptr;
        if (negative) exponent = -exponent;
    }
    if (count > 19)
        for (const char* zero = begin; *zero == '0' || *zero == '.'; ++zero) count -= *zero == '0';
    const std::int64_t power = exponent - static_cast<std::int64_t>(decimals);
    if (count <= 19 && digits <= std::uint64_t{1} << 53 && power >= -22 && power <= 22)
        value = power < 0 ? static_cast<double>(digits) / exact_powers[-power]
                          : static_cast<double>(digits) * exact_powers[power];
#if defined(RANKDIFF_INT128)
    else if (count <= 19 && power >= -19 && power < 0)
        value = rounded_quotient(digits, integer_powers[-power]);
#endif
    else
        value = rare_number(begin, at, exponent);
    return at;
}

// Where the number at a place ends, or null where there is none.
inline const char* read_number(const char* at, double& value) {
    const bool negative = *at == '-';
    if (negative || *at == '+') ++at;
    const char* end = read_magnitude(at, value);
    if (negative) value = -value;
    return end;
}

}  // namespace rankdiff
