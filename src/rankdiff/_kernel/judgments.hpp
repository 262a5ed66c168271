// The text of judgments, put into bytewise order of topic, document and subtopic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "numbers.hpp"
#include "problems.hpp"
#include "runs.hpp"

namespace rankdiff {

struct IdArrays {
    std::vector<char> blob;
    std::vector<std::int64_t> offsets{0};

    void push_back(Bytes id) {
        blob.insert(blob.end(), id.begin(), id.end());
        offsets.push_back(static_cast<std::int64_t>(blob.size()));
    }
};

struct Judged {
    IdArrays queries;
    std::vector<std::int64_t> start{0};
    IdArrays documents;
    std::vector<double> grade;
    IdArrays subtopics;
    std::vector<std::int64_t> entry_document;
    std::vector<std::int32_t> entry_subtopic;
    std::vector<double> entry_grade;
    std::int64_t repeated = 0;
    std::int64_t comments = 0;
};

class Judge {
public:
    Judge(Bytes text, bool by_subtopic) : end_(text.data() + text.size()), by_subtopic_(by_subtopic) {
        for (const char* line = text.data(); line < end_;) line = read_line(line);
        order_subtopics();
        order_entries();
        gather();
        if (conflict_) throw *conflict_;
    }

    Judged judged;

private:
    struct Entry {
        std::uint64_t key;  // the first bytes in which the documents of its topic differ, as a number
        Bytes document;
        std::uint32_t topic, subtopic;
        std::int64_t line;
        double grade;
    };

    const char* read_line(const char* line) {
        ++line_;
        if (*line == '#') ++judged.comments;
        const char* first = skip_blanks(line);
        if (*line == '#' || *first == '\n') return find_newline(first) + 1;
        Bytes fields[4];
        int count = 0;
        const char* at = first;
        for (; *at != '\n'; ++count) {
            const char* field_end = find_blank(at);
            if (count < 4) fields[count] = {at, static_cast<std::size_t>(field_end - at)};
            at = skip_blanks(field_end);
        }
        if (count != 4) throw BadLine{"qrels columns", line_, cut({line, static_cast<std::size_t>(at - line)}), "", count};
        Entry entry{0, fields[2], 0, 0, line_, 0};
        const Bytes grade = fields[3];
        if (read_number(grade.data(), entry.grade) != grade.data() + grade.size())
            throw BadLine{"grade", line_, cut(grade), "", 0};
        if (entries_.empty() || fields[0] != topics_.topics()[entries_.back().topic])
            entry.topic = topics_.of(fields[0]).first;
        else
            entry.topic = entries_.back().topic;
        entry.subtopic = subtopics_.of(by_subtopic_ ? fields[1] : Bytes("", 0)).first;
        entries_.push_back(entry);
        return at + 1;
    }

    // Numbers the subtopics anew, in their bytewise order.
    void order_subtopics() {
        const std::vector<std::uint32_t> number = ordered(subtopics_.topics(), judged.subtopics);
        for (Entry& entry : entries_) entry.subtopic = number[entry.subtopic];
    }

    // Puts the entries of a topic side by side, topics in bytewise order, and orders them there.
    void order_entries() {
        const std::vector<std::uint32_t> number = ordered(topics_.topics(), judged.queries);
        std::vector<std::size_t> begin(number.size() + 1);
        for (Entry& entry : entries_) ++begin[(entry.topic = number[entry.topic]) + 1];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        std::vector<Entry> grouped(entries_.size());
        std::vector<std::size_t> next(begin);
        for (const Entry& entry : entries_) grouped[next[entry.topic]++] = entry;
        entries_.swap(grouped);
        for (std::size_t topic = 0; topic + 1 < begin.size(); ++topic)
            order_documents(entries_.begin() + begin[topic], entries_.begin() + begin[topic + 1]);
    }

    using Place = std::vector<Entry>::iterator;

    static void order_documents(Place first, Place last) {
        const auto comes_first = [](const Entry& one, const Entry& other) {
            if (one.key != other.key) return one.key < other.key;
            if (const int order = one.document.compare(other.document)) return order < 0;
            return one.subtopic != other.subtopic ? one.subtopic < other.subtopic : one.line < other.line;
        };
        if (std::is_sorted(first, last, comes_first)) return;
        std::size_t common = first->document.size();
        for (Place at = first; at != last; ++at) {
            const std::size_t most = std::min(common, at->document.size());
            common = std::mismatch(at->document.begin(), at->document.begin() + most, first->document.begin()).first -
                     at->document.begin();
        }
        for (Place at = first; at != last; ++at)
            for (std::size_t byte = common; byte < common + 8; ++byte)
                at->key = at->key << 8 |
                          (byte < at->document.size() ? static_cast<unsigned char>(at->document[byte]) : 0u);
        std::sort(first, last, comes_first);
    }

    // One entry for each topic, document and subtopic, and one grade for each topic and document.
    void gather() {
        const Entry* before = nullptr;
        for (const Entry& entry : entries_) {
            const bool same_topic = before && before->topic == entry.topic;
            const bool same_document = same_topic && before->document == entry.document;
            if (same_document && before->subtopic == entry.subtopic) {
                if (entry.grade == before->grade)
                    ++judged.repeated;
                else
                    note_conflict(entry, *before);
                continue;
            }
            if (before && !same_topic) judged.start.push_back(static_cast<std::int64_t>(judged.grade.size()));
            if (!same_document) {
                judged.documents.push_back(entry.document);
                judged.grade.push_back(-infinity);
            }
            judged.grade.back() = std::max(judged.grade.back(), entry.grade);
            judged.entry_document.push_back(static_cast<std::int64_t>(judged.grade.size()) - 1);
            judged.entry_subtopic.push_back(static_cast<std::int32_t>(entry.subtopic));
            judged.entry_grade.push_back(entry.grade);
            before = &entry;
        }
        if (before) judged.start.push_back(static_cast<std::int64_t>(judged.grade.size()));
    }

    void note_conflict(const Entry& entry, const Entry& before) {
        if (conflict_ && conflict_->line < entry.line) return;
        conflict_ = BadLine{"conflict", entry.line, std::string(entry.document), "", before.line};
        conflict_->topic = std::string(judged.queries.blob.begin() + judged.queries.offsets[entry.topic],
                                       judged.queries.blob.begin() + judged.queries.offsets[entry.topic + 1]);
    }

    // Writes ids in bytewise order; the new number of each old one.
    static std::vector<std::uint32_t> ordered(const std::vector<Bytes>& ids, IdArrays& out) {
        std::vector<std::uint32_t> order(ids.size()), number(ids.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](auto one, auto other) { return ids[one] < ids[other]; });
        for (std::uint32_t place = 0; place < order.size(); ++place) {
            out.push_back(ids[order[place]]);
            number[order[place]] = place;
        }
        return number;
    }

    const char* end_;
    bool by_subtopic_;
    std::int64_t line_ = 0;
    TopicNumbers topics_, subtopics_;
    std::vector<Entry> entries_;
    std::optional<BadLine> conflict_;
};

}  // namespace rankdiff
