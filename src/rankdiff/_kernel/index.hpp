// The judged topics and documents, to be looked up by hash; what is found is compared byte by byte.
#pragma once

#include <cstdint>
#include <vector>

#include "bytes.hpp"

namespace rankdiff {

// Ids that somebody else owns: their bytes end to end, and where each begins.
struct Ids {
    const char* blob;
    const std::int64_t* offsets;
    std::size_t count;

    Bytes operator[](std::size_t at) const {
        return {blob + offsets[at], static_cast<std::size_t>(offsets[at + 1] - offsets[at])};
    }
};

class Index {
public:
    Index(Ids queries, const std::int64_t* start, Ids documents)
        : queries_(queries), documents_(documents), topics_(power_of_two_above(2 * queries.count)) {
        for (std::size_t query = 0; query < queries.count; ++query) {
            insert(topics_.data(), topics_.size() - 1, hash_of(queries[query]), query);
            const std::size_t size = power_of_two_above(2 * (start[query + 1] - start[query]));
            tables_.push_back({slots_.size(), size - 1});
            slots_.resize(slots_.size() + size);
            for (auto column = start[query]; column < start[query + 1]; ++column)
                insert(&slots_[tables_.back().begin], size - 1, hash_of(documents[column]), column);
        }
    }

    std::size_t queries() const { return queries_.count; }

    std::int32_t query(Bytes topic) const {
        return find(topics_.data(), topics_.size() - 1, hash_of(topic), topic, queries_);
    }

    std::int32_t column(std::int32_t query, std::uint64_t hash, Bytes document) const {
        const Table& table = tables_[query];
        return find(&slots_[table.begin], table.mask, hash, document, documents_);
    }

private:
    struct Table {
        std::size_t begin, mask;
    };

    // A slot holds half of the hash above, one more than the number below; 0 is a free slot.
    static void insert(std::uint64_t* slots, std::size_t mask, std::uint64_t hash, std::uint64_t number) {
        std::size_t at = hash & mask;
        while (slots[at]) at = (at + 1) & mask;
        slots[at] = (hash & high_half) | (number + 1);
    }

    static std::int32_t find(const std::uint64_t* slots, std::size_t mask, std::uint64_t hash, Bytes id,
                             const Ids& ids) {
        for (std::size_t at = hash & mask; slots[at]; at = (at + 1) & mask) {
            if ((slots[at] ^ hash) & high_half) continue;
            const auto number = static_cast<std::uint32_t>(slots[at]) - 1;
            if (ids[number] == id) return static_cast<std::int32_t>(number);
        }
        return -1;
    }

    static constexpr std::uint64_t high_half = 0xffffffff00000000;

    Ids queries_, documents_;
    std::vector<std::uint64_t> topics_, slots_;
    std::vector<Table> tables_;
};

}  // namespace rankdiff
