// Documents that stand twice in one ranking.
#pragma once

#include <cstdint>
#include <vector>

#include "bytes.hpp"
#include "run_lines.hpp"

namespace rankdiff {

struct Repeat {
    std::size_t number, first;
};

class Repeats {
public:
    // The rows whose document an earlier one holds. A slot holds one more than the number of a row,
    // and in the bits that this leaves over the same bits of its hash.
    const std::vector<Repeat>& find(const std::vector<Row>& rows) {
        const std::size_t size = power_of_two_above(4 * rows.size());
        const auto number_bits = static_cast<std::uint32_t>(size - 1);
        repeats_.clear();
        seen_.assign(size, 0);
        for (std::size_t number = 0; number < rows.size(); ++number) {
            const Row& row = rows[number];
            const std::uint32_t slot = (static_cast<std::uint32_t>(row.hash) & ~number_bits) | (number + 1);
            std::size_t at = (row.hash >> 32) & number_bits;
            for (; seen_[at]; at = (at + 1) & number_bits) {
                if ((seen_[at] ^ slot) & ~number_bits) continue;
                const std::size_t first = (seen_[at] & number_bits) - 1;
                if (rows[first].document() != row.document()) continue;
                repeats_.push_back({number, first});
                break;
            }
            if (!seen_[at]) seen_[at] = slot;
        }
        return repeats_;
    }

    // Takes out the rows that were found last.
    void drop(std::vector<Row>& rows) const {
        auto next = repeats_.begin();
        std::size_t number = 0, kept = 0;
        for (const Row& row : rows)
            if (next != repeats_.end() && next->number == number++)
                ++next;
            else
                rows[kept++] = row;
        rows.resize(kept);
    }

private:
    std::vector<Repeat> repeats_;
    std::vector<std::uint32_t> seen_;
};

}  // namespace rankdiff
