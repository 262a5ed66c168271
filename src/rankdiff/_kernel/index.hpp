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

// Numbers by the hash of their id. A slot holds the upper half of a hash above, one more than the number below.
class Slots {
public:
    explicit Slots(std::size_t count) : slots_(power_of_two_above(2 * count)) {}

    void insert(std::uint64_t hash, std::uint64_t number) {
        std::size_t at = hash & mask();
        while (slots_[at]) at = (at + 1) & mask();
        slots_[at] = (hash & upper_half) | (number + 1);
    }

    // The number that was inserted with a hash, if the id agrees, else -1.
    std::int32_t find(std::uint64_t hash, Bytes id, const Ids& ids) const {
        for (std::size_t at = hash & mask(); slots_[at]; at = (at + 1) & mask())
            if (alike(at, hash) && ids[number(at)] == id) return static_cast<std::int32_t>(number(at));
        return -1;
    }

    void fetch(std::uint64_t hash) const { prefetch(&slots_[hash & mask()]); }

    // A number inserted with a hash that is alike, or -1.
    std::int32_t guess(std::uint64_t hash) const {
        std::size_t at = hash & mask();
        while (slots_[at] && !alike(at, hash)) at = (at + 1) & mask();
        return static_cast<std::int32_t>(number(at));
    }

private:
    static constexpr std::uint64_t upper_half = 0xffffffff00000000;

    std::size_t mask() const { return slots_.size() - 1; }
    bool alike(std::size_t at, std::uint64_t hash) const { return ((slots_[at] ^ hash) & upper_half) == 0; }
    std::uint32_t number(std::size_t at) const { return static_cast<std::uint32_t>(slots_[at]) - 1; }

    std::vector<std::uint64_t> slots_;
};

// One bit a hash: most documents that nobody judged are told by it, without a look at the slots.
class Filter {
public:
    explicit Filter(std::size_t count) : words_(power_of_two_above(count) / 4) {}

    void insert(std::uint64_t hash) { words_[word(hash)] |= std::uint64_t{1} << (hash >> 58); }
    bool may_hold(std::uint64_t hash) const { return words_[word(hash)] >> (hash >> 58) & 1; }

private:
    std::size_t word(std::uint64_t hash) const { return (hash >> 32) & (words_.size() - 1); }

    std::vector<std::uint64_t> words_;
};

struct JudgedTopic {
    Filter filter;
    Slots slots;
};

class Index {
public:
    Index(Ids queries, const std::int64_t* start, Ids documents)
        : documents(documents), queries_(queries), slots_(queries.count) {
        for (std::size_t query = 0; query < queries.count; ++query) {
            slots_.insert(hash_of(queries[query]), query);
            const std::size_t count = start[query + 1] - start[query];
            JudgedTopic topic{Filter(count), Slots(count)};
            for (auto column = start[query]; column < start[query + 1]; ++column) {
                const std::uint64_t hash = hash_of(documents[column]);
                topic.filter.insert(hash);
                topic.slots.insert(hash, column);
            }
            topics_.push_back(std::move(topic));
        }
    }

    std::int32_t query(Bytes topic) const { return slots_.find(hash_of(topic), topic, queries_); }
    const JudgedTopic& topic(std::int32_t query) const { return topics_[query]; }

    const Ids documents;

private:
    Ids queries_;
    Slots slots_;
    std::vector<JudgedTopic> topics_;
};

}  // namespace rankdiff
