// The rankings of the text of a run, or of a table.
#pragma once

#include <vector>

#include "ranking.hpp"
#include "run_lines.hpp"

namespace rankdiff {

// Numbers the topics of a text as they come.
class TopicNumbers {
public:
    // The number of a topic, and whether it was seen before.
    std::pair<std::uint32_t, bool> of(Bytes topic) {
        if (2 * (topics_.size() + 1) > slots_.size()) grow();
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash_of(topic) & mask;
        for (; slots_[at]; at = (at + 1) & mask)
            if (topics_[slots_[at] - 1] == topic) return {slots_[at] - 1, true};
        topics_.push_back(topic);
        slots_[at] = static_cast<std::uint32_t>(topics_.size());
        return {slots_[at] - 1, false};
    }

    const std::vector<Bytes>& topics() const { return topics_; }

private:
    void grow() {
        slots_.assign(power_of_two_above(4 * topics_.size() + 4), 0);
        for (std::uint32_t number = 0; number < topics_.size();) {
            std::size_t at = hash_of(topics_[number]) & (slots_.size() - 1);
            while (slots_[at]) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = ++number;
        }
    }

    std::vector<Bytes> topics_;
    std::vector<std::uint32_t> slots_;
};

// Ranks rows that belong to topics in any order: they are put side by side first, in their order.
inline void rank_grouped(Ranker& ranker, const std::vector<Bytes>& topics, const std::vector<std::uint32_t>& topic,
                         const std::vector<Row>& rows) {
    std::vector<std::size_t> begin(topics.size() + 1);
    for (const std::uint32_t number : topic) ++begin[number + 1];
    for (std::size_t number = 0; number < topics.size(); ++number) begin[number + 1] += begin[number];
    std::vector<std::uint32_t> grouped(rows.size());
    std::vector<std::size_t> next(begin);
    for (std::uint32_t row = 0; row < rows.size(); ++row) grouped[next[topic[row]]++] = row;
    std::vector<Row> ranking;
    for (std::size_t number = 0; number < topics.size(); ++number) {
        ranking.clear();
        for (std::size_t at = begin[number]; at < begin[number + 1]; ++at) ranking.push_back(rows[grouped[at]]);
        ranker.rank(topics[number], ranking);
    }
}

// Any text of a run.
inline Ranked rank_interleaved(const Index& index, Bytes text, const Rules& rules, Pool* pool) {
    RunLines lines(text, rules.columns, rules.lenient, rules.stated_rank());
    Ranker ranker(index, rules, pool);
    TopicNumbers numbers;
    std::vector<std::uint32_t> topic;
    std::vector<Row> rows;
    std::uint32_t current = 0;
    for (Row row; lines.next(row);) {
        if (lines.new_topic()) current = numbers.of(lines.topic()).first;
        topic.push_back(current);
        rows.push_back(row);
    }
    rank_grouped(ranker, numbers.topics(), topic, rows);
    Ranked ranked = ranker.finish();
    ranked.comments = lines.comments();
    ranked.tag = lines.tag();
    return ranked;
}

// The text of a run, topic by topic as long as none comes back: then only one topic's rows are held.
inline Ranked rank_text(const Index& index, Bytes text, const Rules& rules, Pool* pool) {
    RunLines lines(text, rules.columns, rules.lenient, rules.stated_rank());
    Ranker ranker(index, rules, pool);
    TopicNumbers numbers;
    std::vector<Row> rows;
    Bytes topic;
    for (Row row; lines.next(row); rows.push_back(row)) {
        if (!lines.new_topic()) continue;
        if (!rows.empty()) ranker.rank(topic, rows);
        rows.clear();
        topic = lines.topic();
        if (numbers.of(topic).second) return rank_interleaved(index, text, rules, pool);
    }
    if (!rows.empty()) ranker.rank(topic, rows);
    Ranked ranked = ranker.finish();
    ranked.comments = lines.comments();
    ranked.tag = lines.tag();
    return ranked;
}

struct Table {
    std::vector<Bytes> topics;
    const std::int32_t* topic;
    Ids documents;
    const double* score;
    const double* stated_rank;  // none where the run states no ranks
};

inline Ranked rank_table(const Index& index, const Table& table, const Rules& rules, Pool* pool) {
    Ranker ranker(index, rules, pool);
    const auto count = static_cast<std::uint32_t>(table.documents.count);
    std::vector<std::uint32_t> begin(table.topics.size() + 1), order;
    for (std::uint32_t row = 0; row < count; ++row) ++begin[table.topic[row] + 1];
    for (std::size_t topic = 0; topic < table.topics.size(); ++topic) begin[topic + 1] += begin[topic];
    if (!std::is_sorted(table.topic, table.topic + count)) {
        order.resize(count);
        std::vector<std::uint32_t> next(begin);
        for (std::uint32_t row = 0; row < count; ++row) order[next[table.topic[row]]++] = row;
    }
    constexpr double unstated = std::numeric_limits<double>::quiet_NaN();
    std::vector<Row> rows;
    for (std::size_t topic = 0; topic < table.topics.size(); ++topic) {
        rows.clear();
        for (std::uint32_t place = begin[topic]; place < begin[topic + 1]; ++place) {
            const std::uint32_t row = order.empty() ? place : order[place];
            const Bytes document = table.documents[row];
            rows.push_back({hash_of(document), document.data(), static_cast<std::uint32_t>(document.size()), row + 1,
                            table.score[row], table.stated_rank ? table.stated_rank[row] : unstated});
        }
        ranker.rank(table.topics[topic], rows);
    }
    return ranker.finish();
}

}  // namespace rankdiff
