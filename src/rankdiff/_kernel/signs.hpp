// Counting at how many recall levels one ranking stands ahead of others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankdiff {

// At how many levels the one is smaller, less at how many it is larger.
template <class Level>
std::int32_t ahead(const Level* ours, const Level* theirs, std::size_t size) {
    constexpr std::size_t countable = 1 << 14;  // a sum as narrow as the levels does not overflow
    std::int32_t total = 0;
    while (size > 0) {
        const std::size_t next = std::min(size, countable);
        Level sum = 0;
        for (std::size_t level = 0; level < next; ++level)
            sum = static_cast<Level>(sum + (ours[level] < theirs[level]) - (ours[level] > theirs[level]));
        total += sum;
        ours += next, theirs += next, size -= next;
    }
    return total;
}

// Of one row of `levels` over each of the others, query by query: other × query.
template <class Level>
std::vector<std::int32_t> count_signs(const Level* levels, std::size_t width, const std::int64_t* start,
                                      std::size_t queries, std::size_t system, const std::int64_t* others,
                                      std::size_t count) {
    std::vector<std::int32_t> counts(count * queries);
    const Level* ours = levels + system * width;
    std::int32_t* out = counts.data();
    for (std::size_t other = 0; other < count; ++other) {
        const Level* theirs = levels + static_cast<std::size_t>(others[other]) * width;
        for (std::size_t query = 0; query < queries; ++query)
            *out++ = ahead(ours + start[query], theirs + start[query],
                           static_cast<std::size_t>(start[query + 1] - start[query]));
    }
    return counts;
}

}  // namespace rankdiff
