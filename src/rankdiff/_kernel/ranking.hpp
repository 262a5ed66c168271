// From the rows of one topic to the ranks of its judged documents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index.hpp"
#include "order.hpp"
#include "pool.hpp"
#include "problems.hpp"
#include "repeats.hpp"
#include "run_lines.hpp"

namespace rankdiff {

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
    Ranker(const Index& index, const Rules& rules, Pool* pool)
        : index_(index), rules_(rules), pool_(pool), order_(rules.ties) {}

    // The rows come in the order of the file, and are put into ranking order.
    void rank(Bytes topic, std::vector<Row>& rows) {
        if (rules_.single)
            for (Row& row : rows) row.score = static_cast<float>(row.score);
        const std::vector<Repeat>& repeats = repeats_.find(rows);
        if (!repeats.empty() && rules_.duplicates == Duplicates::error)
            return note_duplicate(topic, rows[repeats.front().number], rows[repeats.front().first]);
        ranked_.duplicates += static_cast<std::int64_t>(repeats.size());
        if (rules_.duplicates == Duplicates::first) repeats_.drop(rows);
        order_(rows);
        if (!repeats.empty() && rules_.duplicates == Duplicates::best) {
            repeats_.find(rows);
            repeats_.drop(rows);
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
    static constexpr std::size_t ahead = 16;  // slots and ids are fetched before their turn comes

    struct Hit {
        std::uint32_t place;
        std::int32_t column;
    };

    void note_duplicate(Bytes topic, const Row& row, const Row& before) {
        if (duplicate_ && duplicate_->line < row.line) return;
        duplicate_ = BadLine{"duplicate", row.line, std::string(row.document()), std::string(topic), before.line};
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
            if (hit + ahead < likely) topic.slots.fetch(rows[hits_[hit + ahead].place].hash);
            const std::uint32_t place = hits_[hit].place;
            const std::int32_t column = topic.slots.guess(rows[place].hash);
            if (column < 0) continue;
            prefetch(index_.documents.offsets + column);
            hits_[count++] = {place, column};
        }
        const std::size_t guessed = std::exchange(count, 0);
        for (std::size_t hit = 0; hit < guessed; ++hit) {
            if (hit + ahead < guessed) prefetch(index_.documents[hits_[hit + ahead].column].data());
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
    Order order_;
    Repeats repeats_;
    Ranked ranked_;
    std::optional<BadLine> duplicate_;
    std::vector<Hit> hits_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace rankdiff
