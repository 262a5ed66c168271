// The distinct documents that runs hold for each topic, told apart by 64 bits of hash.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "bytes.hpp"

namespace rankdiff {

class Pool {
public:
    explicit Pool(std::size_t queries) : sets_(queries) {}

    // Runs are read in several threads: a topic is one thread's at a time.
    void add(std::size_t query, const std::uint64_t* first, const std::uint64_t* last) {
        const std::lock_guard<std::mutex> lock(locks_[query % locks_.size()]);
        Set& set = sets_[query];
        for (; first != last; ++first) {
            if (set.slots.size() * fullest <= set.count * 8 + 8) set.grow();
            set.insert(*first);
        }
    }

    std::vector<std::int64_t> counts() const {
        std::vector<std::int64_t> counts;
        for (const Set& set : sets_) counts.push_back(static_cast<std::int64_t>(set.count));
        return counts;
    }

private:
    static constexpr std::size_t fullest = 7;  // eighths of the slots that are taken before a set grows

    // The slot of a hash is its share of 2^64, so that a set can have any size; 0 is a free slot.
    struct Set {
        std::vector<std::uint64_t> slots;
        std::size_t count = 0;

        void insert(std::uint64_t hash) {
            hash |= hash == 0;
            auto at = static_cast<std::size_t>(product(hash, slots.size()).high);
            while (slots[at] && slots[at] != hash) at = at + 1 == slots.size() ? 0 : at + 1;
            count += slots[at] == 0;
            slots[at] = hash;
        }

        void grow() {
            std::vector<std::uint64_t> old(std::max<std::size_t>(64, slots.size() * 3 / 2));
            old.swap(slots);
            count = 0;
            for (const std::uint64_t hash : old)
                if (hash) insert(hash);
        }
    };

    std::vector<Set> sets_;
    std::array<std::mutex, 64> locks_;
};

}  // namespace rankdiff
