// What compilers call differently or lack. RANKDIFF_PORTABLE takes what every C++17 compiler has, to test that.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__GNUC__) && !defined(RANKDIFF_PORTABLE)
#define RANKDIFF_GNU
#if defined(__SSE2__)
#define RANKDIFF_SSE2
#include <emmintrin.h>
#endif
#if defined(__SIZEOF_INT128__)
#define RANKDIFF_INT128
#endif
#endif

#if !defined(__cpp_lib_to_chars) || defined(RANKDIFF_PORTABLE)
#include <locale.h>
#include <stdlib.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include <string>
#endif

namespace rankdiff {

// How many bits below the lowest that is set; of 0 there is no answer.
inline int trailing_zeros(std::uint64_t word) {
#if defined(RANKDIFF_GNU)
    return __builtin_ctzll(word);
#else
    int count = 0;
    for (int step = 32; step; step /= 2)
        if (!(word & ((std::uint64_t{1} << step) - 1))) word >>= step, count += step;
    return count;
#endif
}

inline std::uint64_t bytes_reversed(std::uint64_t word) {
#if defined(RANKDIFF_GNU)
    return __builtin_bswap64(word);
#else
    word = (word & 0x00ff00ff00ff00ff) << 8 | (word >> 8 & 0x00ff00ff00ff00ff);
    word = (word & 0x0000ffff0000ffff) << 16 | (word >> 16 & 0x0000ffff0000ffff);
    return word << 32 | word >> 32;
#endif
}

inline void prefetch([[maybe_unused]] const void* address) {
#if defined(RANKDIFF_GNU)
    __builtin_prefetch(address);
#endif
}

struct Product {
    std::uint64_t high, low;
};

inline Product product(std::uint64_t one, std::uint64_t other) {
#if defined(RANKDIFF_INT128)
    const auto whole = static_cast<unsigned __int128>(one) * other;
    return {static_cast<std::uint64_t>(whole >> 64), static_cast<std::uint64_t>(whole)};
#else
    constexpr std::uint64_t lower = 0xffffffff;
    const std::uint64_t first = (one & lower) * (other & lower), second = (one >> 32) * (other & lower);
    const std::uint64_t third = (one & lower) * (other >> 32), fourth = (one >> 32) * (other >> 32);
    const std::uint64_t middle = (first >> 32) + (second & lower) + (third & lower);
    return {fourth + (second >> 32) + (third >> 32) + (middle >> 32), middle << 32 | (first & lower)};
#endif
}

// Digits with a point and an exponent, correctly rounded; whether they are neither too large nor too small.
inline bool read_double(const char* begin, const char* end, double& value) {
#if defined(__cpp_lib_to_chars) && !defined(RANKDIFF_PORTABLE)
    return std::from_chars(begin, end, value).ec != std::errc::result_out_of_range;
#else
    const std::string text(begin, end);
#if defined(_WIN32)
    static const _locale_t plain = _create_locale(LC_ALL, "C");
    value = _strtod_l(text.c_str(), nullptr, plain);
#else
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    value = strtod_l(text.c_str(), nullptr, plain);
#endif
    return true;  // too large is infinity already, and too small is 0
#endif
}

#if defined(RANKDIFF_GNU)
using Pair = std::uint64_t __attribute__((vector_size(16)));

// What the lower halves are, times numbers below 2^32.
inline Pair scaled(Pair lower, Pair bounds) {
#if defined(RANKDIFF_SSE2)
    return reinterpret_cast<Pair>(
        _mm_mul_epu32(reinterpret_cast<__m128i>(lower), reinterpret_cast<__m128i>(bounds)));
#else
    return (lower & 0xffffffff) * bounds;
#endif
}
#else
struct Pair {
    std::uint64_t one = 0, other = 0;

    std::uint64_t operator[](int place) const { return place ? other : one; }
    friend Pair operator+(Pair pair, std::uint64_t term) { return {pair.one + term, pair.other + term}; }
    friend Pair operator-(Pair left, Pair right) { return {left.one - right.one, left.other - right.other}; }
    friend Pair operator|(Pair left, Pair right) { return {left.one | right.one, left.other | right.other}; }
    friend Pair operator&(Pair pair, std::uint64_t mask) { return {pair.one & mask, pair.other & mask}; }
    friend Pair operator>>(Pair pair, int by) { return {pair.one >> by, pair.other >> by}; }
    friend Pair operator<<(Pair pair, int by) { return {pair.one << by, pair.other << by}; }
    Pair& operator|=(Pair more) { return *this = *this | more; }
};

inline Pair scaled(Pair lower, Pair bounds) {
    return {(lower.one & 0xffffffff) * bounds.one, (lower.other & 0xffffffff) * bounds.other};
}
#endif

}  // namespace rankdiff
