// From the rows of one topic to the ranks of its judged documents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index.hpp"
#include "pool.hpp"
#include "problems.hpp"
#include "run_lines.hpp"

namespace rankdiff {

enum class Ties { document, rank, file };
enum class Duplicates { error, first, best };

struct Rules {
    Ties ties;
    bool single;
    Duplicates duplicates;
    int columns;
    bool lenient;
    bool listing;

    StatedRank stated_rank() const {
        return ties == Ties::rank ? StatedRank::needed : listing ? StatedRank::wanted : StatedRank::ignored;
    }
};

struct Listed {
    std::vector<std::int32_t> query, column;
    std::vector<double> score, stated_rank;
    std::vector<std::int64_t> line;
};

struct Ranked {
    std::vector<std::int32_t> query, depth, column, rank, unknown_depth;
    std::vector<std::string> unknown;
    std::int64_t duplicates = 0;
    Listed listed;
    std::int64_t comments = 0;
    std::string tag;
};

class Ranker {
public:
    Ranker(const Index& index, const Rules& rules, Pool* pool) : index_(index), rules_(rules), pool_(pool) {}

    // The rows come in the order of the file, and are put into ranking order.
    void rank(Bytes topic, std::vector<Row>& rows) {
        if (rules_.single)
            for (Row& row : rows) row.score = static_cast<float>(row.score);
        find_repeated(rows);
        const bool repeats = !repeated_.empty();
        if (repeats && rules_.duplicates == Duplicates::error) return note_duplicate(topic, rows);
        if (repeats && rules_.duplicates == Duplicates::first) drop_repeated(rows);
        order(rows);
        if (repeats && rules_.duplicates == Duplicates::best) {
            find_repeated(rows);
            drop_repeated(rows);
        }
        look_up(topic, rows);
    }

    // What was found, unless a document stood twice where it may not; only then does the pool count it.
    Ranked finish() {
        if (duplicate_) throw *duplicate_;
        const std::uint64_t* hashes = hashes_.data();
        if (pool_)
            for (std::size_t topic = 0; topic < ranked_.query.size(); hashes += ranked_.depth[topic++])
                pool_->add(ranked_.query[topic], hashes, hashes + ranked_.depth[topic]);
        return std::move(ranked_);
    }

private:
    struct Repeated {
        std::size_t number, first;
    };

    struct Place {
        std::uint64_t key;
        std::uint32_t number;
    };

    // The rows whose document an earlier one holds. A slot holds one more than the number of a row,
    // and in the bits that this leaves over the same bits of its hash.
    void find_repeated(const std::vector<Row>& rows) {
        const std::size_t size = power_of_two_above(2 * rows.size() + 2);
        const auto number_bits = static_cast<std::uint32_t>(size - 1);
        repeated_.clear();
        seen_.assign(size, 0);
        for (std::size_t number = 0; number < rows.size(); ++number) {
            const Row& row = rows[number];
            const std::uint32_t slot = (static_cast<std::uint32_t>(row.hash) & ~number_bits) | (number + 1);
            std::size_t at = (row.hash >> 32) & number_bits;
            for (; seen_[at]; at = (at + 1) & number_bits) {
                if ((seen_[at] ^ slot) & ~number_bits) continue;
                const std::size_t first = (seen_[at] & number_bits) - 1;
                if (rows[first].document() != row.document()) continue;
                repeated_.push_back({number, first});
                break;
            }
            if (!seen_[at]) seen_[at] = slot;
        }
    }

    void note_duplicate(Bytes topic, const std::vector<Row>& rows) {
        const Row& row = rows[repeated_.front().number];
        if (duplicate_ && duplicate_->line < row.line) return;
        const std::int64_t first = rows[repeated_.front().first].line;
        duplicate_ = BadLine{"duplicate", row.line, std::string(row.document()), std::string(topic), first};
    }

    void drop_repeated(std::vector<Row>& rows) {
        ranked_.duplicates += static_cast<std::int64_t>(repeated_.size());
        auto next = repeated_.begin();
        std::size_t number = 0, kept = 0;
        for (const Row& row : rows)
            if (next != repeated_.end() && next->number == number++)
                ++next;
            else
                rows[kept++] = row;
        rows.resize(kept);
    }

    // Whether one row stands before another for certain; rows that are equal keep the order of the file.
    auto comes_first() const {
        return [by_rank = rules_.ties == Ties::rank](const Row& one, const Row& other) {
            if (by_rank) return one.stated_rank < other.stated_rank;
            return one.score != other.score ? one.score > other.score : one.document() > other.document();
        };
    }

    void order(std::vector<Row>& rows) {
        if (rules_.ties == Ties::file || std::is_sorted(rows.begin(), rows.end(), comes_first())) return;
        places_.clear();
        for (const Row& row : rows) places_.push_back({key(row), static_cast<std::uint32_t>(places_.size())});
        const auto by_key = [](const Place& one, const Place& other) {
            return one.key != other.key ? one.key < other.key : one.number < other.number;
        };
        if (!std::is_sorted(places_.begin(), places_.end(), by_key))
            std::sort(places_.begin(), places_.end(), by_key);
        if (rules_.ties == Ties::document) order_ties(rows);
        ordered_.clear();
        for (const Place& place : places_) ordered_.push_back(rows[place.number]);
        rows.swap(ordered_);
    }

    void order_ties(const std::vector<Row>& rows) {
        const auto by_document = [&](const Place& one, const Place& other) {
            const int order = rows[one.number].document().compare(rows[other.number].document());
            return order ? order > 0 : one.number < other.number;
        };
        for (auto first = places_.begin(); first != places_.end();) {
            const auto last = std::find_if(first, places_.end(), [&](const Place& p) { return p.key != first->key; });
            std::sort(first, last, by_document);
            first = last;
        }
    }

    // An integer that is smaller the further ahead a row belongs; 0.0 is added so that -0.0 is 0.0.
    std::uint64_t key(const Row& row) const {
        const double value = rules_.ties == Ties::rank ? row.stated_rank + 0.0 : row.score + 0.0;
        std::uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        bits = bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
        return rules_.ties == Ties::rank ? bits : ~bits;
    }

    void look_up(Bytes topic, const std::vector<Row>& rows) {
        const auto depth = static_cast<std::int32_t>(rows.size());
        const std::int32_t query = index_.query(topic);
        if (query < 0) {
            ranked_.unknown.emplace_back(topic);
            ranked_.unknown_depth.push_back(depth);
        } else {
            ranked_.query.push_back(query);
            ranked_.depth.push_back(depth);
        }
        std::int32_t rank = 0;
        for (const Row& row : rows) {
            ++rank;
            const std::int32_t column = query < 0 ? -1 : index_.column(query, row.hash, row.document());
            if (column >= 0) {
                ranked_.column.push_back(column);
                ranked_.rank.push_back(rank);
            }
            if (pool_ && query >= 0) hashes_.push_back(row.hash);
            if (rules_.listing) list(query, column, row);
        }
    }

    void list(std::int32_t query, std::int32_t column, const Row& row) {
        ranked_.listed.query.push_back(query);
        ranked_.listed.column.push_back(column);
        ranked_.listed.score.push_back(row.score);
        ranked_.listed.stated_rank.push_back(row.stated_rank);
        ranked_.listed.line.push_back(row.line);
    }

    const Index& index_;
    const Rules& rules_;
    Pool* pool_;
    Ranked ranked_;
    std::optional<BadLine> duplicate_;
    std::vector<Repeated> repeated_;
    std::vector<std::uint32_t> seen_;
    std::vector<Place> places_;
    std::vector<Row> ordered_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace rankdiff
