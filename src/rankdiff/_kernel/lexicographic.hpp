// The order of rankings by their ranks at the recall levels, as words are ordered by their letters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

namespace rankdiff {

// At how many levels two rankings agree before they differ, from the first level or from the last.
template <class Level>
std::size_t shared_levels(const Level* one, const Level* other, std::size_t size, bool from_bottom) {
    constexpr std::size_t word = sizeof(std::uint64_t), per_word = word / sizeof(Level);
    std::size_t shared = 0;
    const auto alike = [&](std::size_t level) { return std::memcmp(one + level, other + level, word) == 0; };
    while (shared + per_word <= size && alike(from_bottom ? size - shared - per_word : shared)) shared += per_word;
    if (from_bottom)
        while (shared < size && one[size - 1 - shared] == other[size - 1 - shared]) ++shared;
    else
        while (shared < size && one[shared] == other[shared]) ++shared;
    return shared;
}

struct Ordered {
    std::vector<std::int32_t> order;   // place × query: the row that stands there, the best first
    std::vector<std::int32_t> shared;  // place but the last × query: the levels shared with the next
};

// Query by query; rows that agree at all levels stay in the order of the matrix.
template <class Level>
Ordered order_rankings(const Level* levels, std::size_t rows, std::size_t width, const std::int64_t* start,
                       std::size_t queries, bool from_bottom) {
    Ordered result;
    result.order.resize(rows * queries);
    result.shared.resize(rows ? (rows - 1) * queries : 0);
    std::vector<std::int32_t> places(rows);
    for (std::size_t query = 0; query < queries; ++query) {
        const Level* begin = levels + start[query];
        const auto size = static_cast<std::size_t>(start[query + 1] - start[query]);
        const auto ranks = [&](std::int32_t row) { return begin + static_cast<std::size_t>(row) * width; };
        std::iota(places.begin(), places.end(), 0);
        std::stable_sort(places.begin(), places.end(), [&](std::int32_t one, std::int32_t other) {
            const Level *ours = ranks(one), *theirs = ranks(other);
            const std::size_t step = shared_levels(ours, theirs, size, from_bottom);
            if (step == size) return false;
            const std::size_t level = from_bottom ? size - 1 - step : step;
            return ours[level] < theirs[level];
        });
        for (std::size_t place = 0; place < rows; ++place) {
            result.order[place * queries + query] = places[place];
            if (place + 1 < rows)
                result.shared[place * queries + query] = static_cast<std::int32_t>(
                    shared_levels(ranks(places[place]), ranks(places[place + 1]), size, from_bottom));
        }
    }
    return result;
}

}  // namespace rankdiff
