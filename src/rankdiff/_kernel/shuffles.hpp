// Random permutations of the runs within every topic, added up over the topics; shuffles.py says which.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "portable.hpp"

namespace rankdiff {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

// SplitMix64's output function.
inline std::uint64_t mixed(std::uint64_t state) {
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
    state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
    return state ^ (state >> 31);
}

// Shuffles some topics side by side: while one waits for its memory, another goes on.
class Shuffler {
public:
    static constexpr std::size_t together = 8;
    static constexpr std::size_t most_systems = 1 << 16;

    explicit Shuffler(std::size_t systems)
        : words((systems + 3) / 4), places(4 * words), sums(places), systems_(systems), least_(2 * words),
          distance_(places * together / 2), order_(places * together) {
        for (std::size_t half = 0; half < least_.size(); ++half)
            least_[half] = (std::uint64_t{1} << 32) % (bound(2 * half) * bound(2 * half + 1));
    }

    const std::size_t words, places;  // a topic's random words; its runs, and zeros up to four times the words
    std::vector<double> sums;

    // Adds the shuffled scores of the topics to the sums. Their first words follow one another at `words` a topic.
    void add(const double* scores, std::uint64_t seed, std::uint64_t first_word) {
        if (draw(seed, first_word)) draw_anew(seed, first_word);
        std::copy(scores, scores + order_.size(), order_.begin());
        const auto* distance = reinterpret_cast<const std::uint64_t*>(distance_.data());
        double* here = order_.data();
        for (double& sum : sums) {
            double fetched = 0;
            for (std::size_t topic = 0; topic < together; ++topic, ++here, ++distance) {
                fetched += here[*distance];
                here[*distance] = *here;
            }
            sum += fetched;
        }
    }

private:
    std::uint64_t bound(std::size_t place) const { return place < systems_ ? systems_ - place : 1; }

    // How far behind each place its score is fetched from; whether some word must be replaced.
    bool draw(std::uint64_t seed, std::uint64_t first_word) {
        std::array<std::uint64_t, together> state;
        for (std::size_t topic = 0; topic < together; ++topic)
            state[topic] = seed + (first_word + topic * words + 1) * golden;
        constexpr std::size_t pairs = together / 2;
        Pair short_of = {};  // the uppermost bit tells of a number below its least
        Pair* out = distance_.data();
        for (std::size_t word = 0; word < words; ++word, out += 4 * pairs) {
            const auto distance = [](Pair product) { return (product >> 32) << 3; };
            std::array<Pair, 4> bounds;
            for (std::size_t step = 0; step < 4; ++step) bounds[step] = Pair{} + bound(4 * word + step);
            const Pair least = Pair{} + least_[2 * word], other_least = Pair{} + least_[2 * word + 1];
            for (std::size_t pair = 0; pair < pairs; ++pair) {
                const Pair both = {mixed(state[2 * pair]), mixed(state[2 * pair + 1])};
                state[2 * pair] += golden;
                state[2 * pair + 1] += golden;
                const Pair first = scaled(both, bounds[0]), second = scaled(first, bounds[1]);
                const Pair third = scaled(both >> 32, bounds[2]), fourth = scaled(third, bounds[3]);
                short_of |= ((second & lower) - least) | ((fourth & lower) - other_least);
                out[pair] = distance(first);
                out[pairs + pair] = distance(second);
                out[2 * pairs + pair] = distance(third);
                out[3 * pairs + pair] = distance(fourth);
            }
        }
        return (short_of[0] | short_of[1]) >> 63;
    }

    // The same with every word looked at by itself.
    void draw_anew(std::uint64_t seed, std::uint64_t first_word) {
        auto* distance = reinterpret_cast<std::uint64_t*>(distance_.data());
        for (std::size_t topic = 0; topic < together; ++topic)
            for (std::size_t word = 0; word < words; ++word) {
                std::uint64_t random = mixed(seed + (first_word + topic * words + word + 1) * golden);
                while (!accept(random, word, distance + 4 * word * together + topic)) random = mixed(random + golden);
            }
    }

    bool accept(std::uint64_t random, std::size_t word, std::uint64_t* distance) const {
        for (std::size_t half = 2 * word; half < 2 * word + 2; ++half, random >>= 32) {
            std::uint64_t product = random & lower;
            for (std::size_t place = 2 * half; place < 2 * half + 2; ++place, distance += together) {
                product = (product & lower) * bound(place);
                *distance = (product >> 32) * together;
            }
            if ((product & lower) < least_[half]) return false;
        }
        return true;
    }

    static constexpr std::uint64_t lower = 0xffffffff;

    std::size_t systems_;
    std::vector<std::uint64_t> least_;  // for each half of a word, below what its numbers would not be uniform
    std::vector<Pair> distance_;
    std::vector<double> order_;
};

// For replicates from `first`: each run's sum over the columns of `scores` (run × topic), which are the topics from
// `topic` on of `topics`. Run × replicate.
inline std::vector<double> shuffled_sums(const double* scores, std::size_t systems, std::size_t columns,
                                         std::uint64_t seed, std::uint64_t first, std::size_t count,
                                         std::uint64_t topic, std::uint64_t topics) {
    Shuffler shuffler(systems);
    const std::size_t step = Shuffler::together, places = shuffler.places;
    std::vector<double> by_topic((columns + step - 1) / step * step * places);
    for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t system = 0; system < systems; ++system)
            by_topic[(column / step * places + system) * step + column % step] = scores[system * columns + column];
    std::vector<double> sums(systems * count);
    for (std::size_t replicate = 0; replicate < count; ++replicate) {
        std::fill(shuffler.sums.begin(), shuffler.sums.end(), 0);
        for (std::size_t column = 0; column < columns; column += step)
            shuffler.add(&by_topic[column * places], seed,
                         ((first + replicate) * topics + topic + column) * shuffler.words);
        for (std::size_t system = 0; system < systems; ++system)
            sums[system * count + replicate] = shuffler.sums[system];
    }
    return sums;
}

}  // namespace rankdiff
