// What is wrong with a line; problems.py has the words.
#pragma once

#include <cstdint>
#include <string>

#include "bytes.hpp"

namespace rankdiff {

constexpr std::size_t shown_of_a_line = 200;

struct BadLine {
    const char* kind;
    std::int64_t line;
    std::string text;
    std::string topic;
    std::int64_t count;
};

inline std::string cut(Bytes text) { return std::string(text.substr(0, shown_of_a_line)); }

}  // namespace rankdiff
