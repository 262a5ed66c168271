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

    void reserve(std::size_t entries) {
        documents.offsets.reserve(entries + 1);
        grade.reserve(entries);
        entry_document.reserve(entries);
        entry_subtopic.reserve(entries);
        entry_grade.reserve(entries);
    }
};

class Judge {
public:
    Judge(Bytes text, bool by_subtopic) : end_(text.data() + text.size()), by_subtopic_(by_subtopic) {
        entries_.reserve(std::count(text.begin(), text.end(), '\n') + 1);
        for (const char* line = text.data(); line < end_;) line = read_line(line);
        order_subtopics();
        order_entries();
        gather();
        if (conflict_) throw *conflict_;
    }

    Judged judged;

private:
    struct Entry {
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
        const Bytes whole(line, at - line);
        if (count != 4) throw BadLine{"qrels columns", line_, cut(whole), "", count};
        Entry entry{fields[2], 0, 0, line_, 0};
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
        const auto by_topic = [](const Entry& one, const Entry& other) { return one.topic < other.topic; };
        if (!std::is_sorted(entries_.begin(), entries_.end(), by_topic)) {
            std::vector<Entry> grouped(entries_.size());
            std::vector<std::size_t> next(begin);
            for (const Entry& entry : entries_) grouped[next[entry.topic]++] = entry;
            entries_.swap(grouped);
        }
        for (std::size_t topic = 0; topic + 1 < begin.size(); ++topic)
            order_documents(entries_.begin() + begin[topic], entries_.begin() + begin[topic + 1]);
    }

    using Entries = std::vector<Entry>::iterator;

    struct Place {
        std::uint64_t key;  // the first eight bytes in which the documents of a topic differ
        std::uint32_t number;
    };

    void order_documents(Entries first, Entries last) {
        const auto comes_first = [](const Entry& one, const Entry& other) {
            if (!equal(one.document, other.document)) return is_after(other.document, one.document);
            return one.subtopic != other.subtopic ? one.subtopic < other.subtopic : one.line < other.line;
        };
        if (std::is_sorted(first, last, comes_first)) return;
        const std::size_t common = common_prefix(first, last);
        places_.clear();
        for (Entries at = first; at != last; ++at)
            places_.push_back({eight_bytes(at->document, common), static_cast<std::uint32_t>(at - first)});
        std::sort(places_.begin(), places_.end(), [&](const Place& one, const Place& other) {
            return one.key != other.key ? one.key < other.key : comes_first(first[one.number], first[other.number]);
        });
        ordered_.clear();
        for (const Place& place : places_) ordered_.push_back(first[place.number]);
        std::copy(ordered_.begin(), ordered_.end(), first);
    }

    static std::size_t common_prefix(Entries first, Entries last) {
        const Bytes pattern = first->document;
        std::size_t common = pattern.size();
        for (Entries at = first; at != last; ++at) {
            common = std::min(common, at->document.size());
            if (pattern.compare(0, common, at->document, 0, common) == 0) continue;
            const auto differs = std::mismatch(pattern.begin(), pattern.begin() + common, at->document.begin());
            common = differs.first - pattern.begin();
        }
        return common;
    }

    // As a number that compares as the bytes do; an id that ends is filled up with zeros.
    static std::uint64_t eight_bytes(Bytes id, std::size_t from) {
        std::uint64_t word = 0;
        std::memcpy(&word, id.data() + from, std::min<std::size_t>(8, id.size() - from));
        return bytes_reversed(word);
    }

    // One entry for each topic, document and subtopic, and one grade for each topic and document.
    void gather() {
        judged.reserve(entries_.size());
        const Entry* before = nullptr;
        for (const Entry& entry : entries_) {
            const bool same_topic = before && before->topic == entry.topic;
            const bool same_document = same_topic && equal(before->document, entry.document);
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
    std::vector<Entry> entries_, ordered_;
    std::vector<Place> places_;
    std::optional<BadLine> conflict_;
};

}  // namespace rankdiff
