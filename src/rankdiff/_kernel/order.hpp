// The order of the documents of one topic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bytes.hpp"
#include "run_lines.hpp"

namespace rankdiff {

enum class Ties { document, rank, file };

class Order {
public:
    explicit Order(Ties ties) : ties_(ties) {}

    void operator()(std::vector<Row>& rows) {
        if (ties_ == Ties::file) return;
        const bool by_rank = ties_ == Ties::rank;
        const auto in_order = [&](const Row& one, const Row& other) {
            return by_rank ? one.stated_rank < other.stated_rank : one.score > other.score;
        };
        if (!std::is_sorted(rows.begin(), rows.end(), in_order)) sort(rows);
        if (!by_rank) order_ties(rows);
    }

private:
    struct Place {
        std::uint64_t key;
        std::uint32_t number;
    };

    // Rows of one key keep the order of the file.
    void sort(std::vector<Row>& rows) {
        places_.clear();
        for (const Row& row : rows) places_.push_back({key(row), static_cast<std::uint32_t>(places_.size())});
        std::sort(places_.begin(), places_.end(), [](const Place& one, const Place& other) {
            return one.key != other.key ? one.key < other.key : one.number < other.number;
        });
        ordered_.clear();
        for (const Place& place : places_) ordered_.push_back(rows[place.number]);
        rows.swap(ordered_);
    }

    // Among equal scores the greater id comes first.
    static void order_ties(std::vector<Row>& rows) {
        const auto comes_first = [](const Row& one, const Row& other) {
            if (is_after(one.document(), other.document())) return true;
            return one.line < other.line && equal(one.document(), other.document());
        };
        for (std::size_t last = 1; last < rows.size(); ++last) {
            if (rows[last].score != rows[last - 1].score) continue;
            const std::size_t first = last - 1;
            while (last < rows.size() && rows[last].score == rows[first].score) ++last;
            std::sort(rows.begin() + first, rows.begin() + last, comes_first);
        }
    }

    // An integer that is smaller the further ahead a row belongs; 0.0 is added so that -0.0 is 0.0.
    std::uint64_t key(const Row& row) const {
        const double value = ties_ == Ties::rank ? row.stated_rank + 0.0 : row.score + 0.0;
        std::uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        bits = bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
        return ties_ == Ties::rank ? bits : ~bits;
    }

    Ties ties_;
    std::vector<Place> places_;
    std::vector<Row> ordered_;
};

}  // namespace rankdiff
