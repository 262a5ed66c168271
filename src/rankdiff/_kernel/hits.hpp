// Hits, ranking after ranking in rank order: some of them, and sums over them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace rankdiff {

struct Hits {
    const std::int64_t* count;  // how many hits each ranking has
    std::size_t rankings;
    const std::int32_t *rank, *column;
    std::size_t size;
};

// Some of the hits.
struct Picked {
    std::vector<std::int64_t> count;
    std::size_t size = 0;
    std::unique_ptr<std::int32_t[]> rank, column;
};

// Has `choose` write some hits to arrays that have room for all; where less than half is used, memory is given back.
template <class Choose>
Picked picked(const Hits& hits, Choose choose) {
    Picked some;
    some.count.resize(hits.rankings);
    some.rank.reset(new std::int32_t[hits.size]);
    some.column.reset(new std::int32_t[hits.size]);
    some.size = choose(some.count.data(), some.rank.get(), some.column.get());
    if (some.size < hits.size / 2)
        for (auto* values : {&some.rank, &some.column}) {
            std::unique_ptr<std::int32_t[]> fitting(new std::int32_t[some.size]);
            std::copy_n(values->get(), some.size, fitting.get());
            *values = std::move(fitting);
        }
    return some;
}

// The hits whose documents are marked.
inline Picked pick_hits(const Hits& hits, const bool* marked) {
    return picked(hits, [&](std::int64_t* count, std::int32_t* rank, std::int32_t* column) {
        std::size_t hit = 0, size = 0;
        for (std::size_t ranking = 0; ranking < hits.rankings; ++ranking) {
            const std::size_t before = size;
            for (const std::size_t end = hit + static_cast<std::size_t>(hits.count[ranking]); hit < end; ++hit) {
                // Every hit is written, and passed over only if it is kept: no branch need be foretold.
                rank[size] = hits.rank[hit];
                column[size] = hits.column[hit];
                size += marked[hits.column[hit]];
            }
            count[ranking] = static_cast<std::int64_t>(size - before);
        }
        return size;
    });
}

// The hits down to the last rank that counts for each group; rankings lie system after system, group after group.
inline Picked top_hits(const Hits& hits, const std::int64_t* last, std::size_t groups) {
    return picked(hits, [&](std::int64_t* count, std::int32_t* rank, std::int32_t* column) {
        std::size_t hit = 0, size = 0;
        for (std::size_t first = 0; first < hits.rankings; first += groups)
            for (std::size_t group = 0; group < groups; ++group) {
                const std::size_t before = size, end = hit + static_cast<std::size_t>(hits.count[first + group]);
                for (; hit < end && hits.rank[hit] <= last[group]; ++hit, ++size) {
                    rank[size] = hits.rank[hit];
                    column[size] = hits.column[hit];
                }
                count[first + group] = static_cast<std::int64_t>(size - before);
                hit = end;
            }
        return size;
    });
}

// The hits of each ranking numbered from the top: 1, 2, …
inline std::vector<std::int32_t> number_hits(const std::int64_t* count, std::size_t rankings, std::size_t hits) {
    std::vector<std::int32_t> numbers(hits);
    auto begin = numbers.begin();
    for (std::size_t ranking = 0; ranking < rankings; ++ranking) {
        const auto end = begin + count[ranking];
        std::iota(begin, end, 1);
        begin = end;
    }
    return numbers;
}

// A value of each hit, added up within each ranking from the top down.
template <class Value>
std::vector<double> sum_hits(const std::int64_t* count, std::size_t rankings, Value value) {
    std::vector<double> totals(rankings);
    std::size_t hit = 0;
    for (std::size_t ranking = 0; ranking < rankings; ++ranking) {
        double total = 0;
        for (const std::size_t end = hit + static_cast<std::size_t>(count[ranking]); hit < end; ++hit)
            total += value(hit);
        totals[ranking] = total;
    }
    return totals;
}

}  // namespace rankdiff
