// The lines of a run. Most lines begin and end as the one before; only what differs is looked at.
#pragma once

#include <cstdint>

#include "bytes.hpp"
#include "numbers.hpp"
#include "problems.hpp"

namespace rankdiff {

struct Row {
    std::uint64_t hash;
    const char* id;
    std::uint32_t size;
    std::uint32_t line;
    double score;
    double stated_rank;

    Bytes document() const { return {id, size}; }
};

enum class StatedRank { ignored, wanted, needed };

class RunLines {
public:
    // The text must be followed by `padding` newlines.
    RunLines(Bytes text, int columns, bool lenient, StatedRank stated_rank)
        : at_(text.data()), end_(text.data() + text.size()), columns_(columns), lenient_(lenient),
          stated_rank_(stated_rank) {}

    // Reads the next line that is neither blank nor a comment; false at the end.
    bool next(Row& row) {
        while (at_ < end_) {
            const char* line = at_;
            ++number_;
            const char* document = line + head_size_;
            new_topic_ = false;
            if (head_size_ == 0 || !same_bytes(line, head_, head_size_) || is_blank(*document)) {
                document = read_head(line);
                if (!document) continue;
            }
            read_rest(line, document, row);
            return true;
        }
        return false;
    }

    Bytes topic() const { return topic_; }
    bool new_topic() const { return new_topic_; }
    Bytes tag() const { return tag_; }
    std::int64_t comments() const { return comments_; }

private:
    // Topic and Q0; where the document begins, or null when the line holds nothing.
    const char* read_head(const char* line) {
        if (*line == '#') {
            ++comments_;
            at_ = find_newline(line) + 1;
            return nullptr;
        }
        const char* topic = skip_blanks(line);
        if (*topic == '\n') {
            at_ = topic + 1;
            return nullptr;
        }
        const char* topic_end = find_blank(topic);
        const char* unused = skip_blanks(topic_end);
        const char* document = skip_blanks(find_blank(unused));
        if (*unused == '\n' || *document == '\n') refuse(line);
        const Bytes found(topic, topic_end - topic);
        if (found != topic_ || topic_.data() == nullptr) {
            topic_ = found;
            new_topic_ = true;
        }
        head_ = line;
        head_size_ = document - line;
        return document;
    }

    void read_rest(const char* line, const char* document, Row& row) {
        const char* document_end = find_blank(document);
        const char* rank = skip_blanks(document_end);
        const char* rank_end = find_blank(rank);
        const char* score = skip_blanks(rank_end);
        const char* score_end = read_number(score, row.score);
        if (!score_end || !is_blank(*score_end)) refuse(line);
        if (tail_size_ > 0 && same_bytes(score_end, tail_, tail_size_))
            at_ = score_end + tail_size_;
        else
            read_tail(line, score_end);
        row.id = document;
        row.size = static_cast<std::uint32_t>(document_end - document);
        row.line = static_cast<std::uint32_t>(number_);
        row.hash = hash_of(row.document());
        if (stated_rank_ != StatedRank::ignored) {
            const char* end = read_number(rank, row.stated_rank);
            if (end != rank_end) {
                if (stated_rank_ == StatedRank::needed) refuse(line);
                row.stated_rank = std::numeric_limits<double>::quiet_NaN();
            }
        }
    }

    void read_tail(const char* line, const char* score_end) {
        const char* tag = skip_blanks(score_end);
        const char* tag_end = *tag == '\n' ? tag : find_blank(tag);
        const int found = tag == tag_end ? 5 : 6;
        if (columns_ == 0) columns_ = found;
        if (found != columns_) refuse(line);
        const char* newline = skip_blanks(tag_end);
        if (*newline != '\n' && !lenient_) refuse(line);
        at_ = find_newline(newline) + 1;
        tag_ = {tag, static_cast<std::size_t>(tag_end - tag)};
        tail_ = score_end;
        tail_size_ = at_ - score_end;
    }

    // Goes through the line once more, slowly, for the first thing that is wrong with it.
    [[noreturn]] void refuse(const char* line) const {
        const Bytes whole(line, find_newline(line) - line);
        Bytes fields[5];
        int count = 0;
        for (const char* at = skip_blanks(line); *at != '\n'; ++count) {
            const char* field_end = find_blank(at);
            if (count < 5) fields[count] = {at, static_cast<std::size_t>(field_end - at)};
            at = skip_blanks(field_end);
        }
        const int columns = columns_ ? columns_ : std::min(count, 6);
        if (columns < 5 || count < columns || (count > columns && !(lenient_ && columns == 6)))
            throw BadLine{"run columns", number_, cut(whole), "", count};
        double value;
        if (stated_rank_ == StatedRank::needed && read_number(fields[3].data(), value) != fields[3].end())
            throw BadLine{"rank", number_, cut(fields[3]), "", 0};
        throw BadLine{"score", number_, cut(fields[4]), "", 0};
    }

    const char* at_;
    const char* end_;
    int columns_;
    bool lenient_;
    StatedRank stated_rank_;

    const char* head_ = nullptr;
    std::size_t head_size_ = 0;
    const char* tail_ = nullptr;
    std::size_t tail_size_ = 0;
    Bytes topic_, tag_;
    bool new_topic_ = false;
    std::int64_t number_ = 0;
    std::int64_t comments_ = 0;
};

}  // namespace rankdiff
