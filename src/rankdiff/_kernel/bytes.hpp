// Ids as bytes: comparing, hashing, and finding where they end in a text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "portable.hpp"

namespace rankdiff {

using Bytes = std::string_view;  // its < compares unsigned bytes, as Python's bytes do

// Every text ends in so many newlines: loads may reach beyond a line, and a search for a blank always ends.
constexpr std::size_t padding = 64;

inline std::uint64_t load64(const char* from) {
    std::uint64_t word;
    std::memcpy(&word, from, 8);
    return word;
}

inline std::uint64_t load32(const char* from) {
    std::uint32_t word;
    std::memcpy(&word, from, 4);
    return word;
}

// What Python's bytes.split() takes for blank; a newline is one too.
inline bool is_blank(char character) {
    const auto byte = static_cast<unsigned char>(character);
    return byte == ' ' || byte - 9u <= 4u;
}

inline const char* skip_blanks(const char* at) {
    while (is_blank(*at) && *at != '\n') ++at;
    return at;
}

inline const char* find_blank(const char* at) {
#if defined(RANKDIFF_SSE2)
    const __m128i space = _mm_set1_epi8(' ');
    for (;; at += 16) {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        auto low = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(block, space), block)));
        for (; low; low &= low - 1) {
            const char* found = at + trailing_zeros(low);
            if (is_blank(*found)) return found;
        }
    }
#else
    while (!is_blank(*at)) ++at;
    return at;
#endif
}

inline const char* find_newline(const char* at) {
    while (*at != '\n') ++at;
    return at;
}

// Whether both places in texts go on with the same bytes, of which the last may be a newline and no other.
inline bool same_bytes(const char* one, const char* other, std::size_t size) {
#if defined(RANKDIFF_SSE2)
    const auto same = [&] {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(one));
        const __m128i pattern = _mm_loadu_si128(reinterpret_cast<const __m128i*>(other));
        return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, pattern)));
    };
    for (; size > 16; one += 16, other += 16, size -= 16)
        if (same() != 0xffff) return false;
    const unsigned wanted = (1u << size) - 1;
    return (same() & wanted) == wanted;
#else
    while (size > 0 && *one == *other) ++one, ++other, --size;
    return size == 0;
#endif
}

// Whether one id comes after another bytewise; eight bytes at a time, of which the last may overlap.
inline bool is_after(Bytes one, Bytes other) {
    const std::size_t common = std::min(one.size(), other.size());
    if (common < 8) return one > other;
    for (std::size_t at = 0;; at = std::min(at + 8, common - 8)) {
        const std::uint64_t word = load64(one.data() + at), other_word = load64(other.data() + at);
        if (word != other_word) return bytes_reversed(word) > bytes_reversed(other_word);
        if (at == common - 8) return one.size() > other.size();
    }
}

inline bool equal(Bytes one, Bytes other) {
    const std::size_t size = one.size();
    if (size != other.size()) return false;
    if (size < 8) return one == other;
    const std::size_t last = size - 8;
    for (std::size_t at = 0; at < last; at += 8)
        if (load64(one.data() + at) != load64(other.data() + at)) return false;
    return load64(one.data() + last) == load64(other.data() + last);
}

inline std::uint64_t folded_product(std::uint64_t one, std::uint64_t other) {
    const Product whole = product(one, other);
    return whole.low ^ whole.high;
}

// Multiply and fold, after wyhash; the constants are its primes.
inline std::uint64_t hash_of(Bytes id) {
    constexpr std::uint64_t first = 0xa0761d6478bd642f, second = 0xe7037ed1a0b428db, third = 0x8ebc6af09c88c6e3;
    const char* at = id.data();
    std::size_t left = id.size();
    std::uint64_t state = third;
    for (; left > 16; at += 16, left -= 16) state = folded_product(load64(at) ^ first, load64(at + 8) ^ state);
    std::uint64_t head = 0, tail = 0;
    if (left >= 8) {
        head = load64(at);
        tail = load64(at + left - 8);
    } else if (left >= 4) {
        head = load32(at);
        tail = load32(at + left - 4);
    } else if (left > 0) {
        head = static_cast<unsigned char>(at[0]) << 16 | static_cast<unsigned char>(at[left / 2]) << 8 |
               static_cast<unsigned char>(at[left - 1]);
    }
    return folded_product(second ^ id.size(), folded_product(head ^ first, tail ^ state));
}

inline std::size_t power_of_two_above(std::size_t size) {
    std::size_t power = 16;
    while (power < size) power *= 2;
    return power;
}

}  // namespace rankdiff
