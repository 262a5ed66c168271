// Whole numbers as ids: their decimal digits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "judgments.hpp"

namespace rankdiff {

inline std::size_t digits_of(std::uint64_t number) {
    std::size_t count = 1;
    for (; number >= 10'000; number /= 10'000) count += 4;
    return count + (number >= 10) + (number >= 100) + (number >= 1'000);
}

// Backwards from the end, two digits at a time.
inline void write_digits(char* end, std::uint64_t number) {
    static constexpr auto pairs = [] {
        std::array<char, 200> digits{};
        for (int i = 0; i < 100; ++i) digits[2 * i] = char('0' + i / 10), digits[2 * i + 1] = char('0' + i % 10);
        return digits;
    }();
    for (; number >= 100; number /= 100) {
        const char* pair = &pairs[2 * (number % 100)];
        *--end = pair[1], *--end = pair[0];
    }
    if (number >= 10) *--end = pairs[2 * number + 1];
    *--end = number >= 10 ? pairs[2 * number] : char('0' + number);
}

// The digits of all numbers end to end, a minus before those below zero, and where each begins.
template <class Integer>
IdArrays digits(const Integer* numbers, std::size_t count) {
    const auto is_negative = [&](std::size_t at) { return std::is_signed_v<Integer> && numbers[at] < 0; };
    const auto size = [&](std::size_t at) {  // unsigned, the least of all integers has a counterpart, too
        const auto number = static_cast<std::uint64_t>(numbers[at]);
        return is_negative(at) ? 0 - number : number;
    };
    IdArrays ids;
    ids.offsets.resize(count + 1);
    std::int64_t end = 0;
    for (std::size_t at = 0; at < count; ++at)
        ids.offsets[at + 1] = end += static_cast<std::int64_t>(digits_of(size(at)) + is_negative(at));
    ids.blob.resize(static_cast<std::size_t>(end));
    for (std::size_t at = 0; at < count; ++at) {
        write_digits(ids.blob.data() + ids.offsets[at + 1], size(at));
        if (is_negative(at)) ids.blob[static_cast<std::size_t>(ids.offsets[at])] = '-';
    }
    return ids;
}

}  // namespace rankdiff
