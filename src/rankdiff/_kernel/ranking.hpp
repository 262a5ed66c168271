// From the rows of one topic to the ranks of its judged documents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
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

    static constexpr std::size_t ahead = 8;

    struct Hit {
        std::uint32_t place;
        std::int32_t column;
    };

    struct Place {
        std::uint64_t key;
        std::uint32_t number;
    };

    // The rows whose document an earlier one holds. A slot holds one more than the number of a row,
    // and in the bits that this leaves over the same bits of its hash.
    void find_repeated(const std::vector<Row>& rows) {
        const std::size_t size = power_of_two_above(4 * rows.size());
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

    void order(std::vector<Row>& rows) {
        if (rules_.ties == Ties::file) return;
        const bool by_rank = rules_.ties == Ties::rank;
        const auto in_order = [&](const Row& one, const Row& other) {
            return by_rank ? one.stated_rank < other.stated_rank : one.score > other.score;
        };
        if (!std::is_sorted(rows.begin(), rows.end(), in_order)) sort(rows);
        if (!by_rank) order_ties(rows);
    }

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
            find_columns(index_.topic(query), rows);
            if (pool_)
                for (const Row& row : rows) hashes_.push_back(row.hash);
        }
        if (rules_.listing) list(query, rows);
    }

    // In steps of one kind each: the loads of many rows then overlap, and few branches are hard to foresee.
    void find_columns(const JudgedTopic& topic, const std::vector<Row>& rows) {
        hits_.resize(rows.size());
        std::size_t count = 0;
        for (std::uint32_t place = 0; place < rows.size(); ++place) {
            hits_[count].place = place;
            count += topic.filter.may_hold(rows[place].hash);
        }
        const std::size_t likely = std::exchange(count, 0);
        for (std::size_t hit = 0; hit < likely; ++hit) {
            const std::uint32_t place = hits_[hit].place;
            const std::int32_t column = topic.slots.guess(rows[place].hash);
            if (column < 0) continue;
            __builtin_prefetch(index_.documents.offsets + column);
            hits_[count++] = {place, column};
        }
        const std::size_t guessed = std::exchange(count, 0);
        for (std::size_t hit = 0; hit < guessed; ++hit) {
            if (hit + ahead < guessed) __builtin_prefetch(index_.documents[hits_[hit + ahead].column].data());
            const Row& row = rows[hits_[hit].place];
            std::int32_t column = hits_[hit].column;
            if (!equal(index_.documents[column], row.document()))
                column = topic.slots.find(row.hash, row.document(), index_.documents);
            hits_[count] = {hits_[hit].place, column};
            count += column >= 0;
        }
        hits_.resize(count);
        for (const Hit& hit : hits_) {
            ranked_.column.push_back(hit.column);
            ranked_.rank.push_back(static_cast<std::int32_t>(hit.place) + 1);
        }
    }

    void list(std::int32_t query, const std::vector<Row>& rows) {
        Listed& listed = ranked_.listed;
        listed.query.insert(listed.query.end(), rows.size(), query);
        const std::size_t first = listed.column.size();
        listed.column.resize(first + rows.size(), -1);
        if (query >= 0)
            for (const Hit& hit : hits_) listed.column[first + hit.place] = hit.column;
        for (const Row& row : rows) {
            listed.score.push_back(row.score);
            listed.stated_rank.push_back(row.stated_rank);
            listed.line.push_back(row.line);
        }
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
    std::vector<Hit> hits_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace rankdiff
