// Counting how often resampled pairs reach their thresholds, stepping down; stepdown.py says what is counted.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankdiff {

// Pairs of rows in the order in which they join; without `second` a row by itself, without `unit` as it is.
struct Joining {
    const double* sums;
    std::size_t rows, replicates;
    const std::int64_t *first, *second;
    const double *unit, *thresholds;
    std::size_t pairs;
};

// Goes through the pairs for some replicates side by side.
template <bool differences, bool divided>
class Stepdown {
public:
    explicit Stepdown(const Joining& joining)
        : joining_(joining), near_(differences ? joining.rows * lanes : 0), counts_(joining.pairs),
          steps_(joining.pairs + 1) {}

    std::vector<std::int64_t> counts() {
        for (std::size_t replicate = 0; replicate < joining_.replicates; replicate += lanes) go_through(replicate);
        std::int64_t everywhere = 0;
        for (std::size_t pair = 0; pair < joining_.pairs; ++pair) counts_[pair] += everywhere += steps_[pair];
        return std::move(counts_);
    }

private:
    static constexpr std::size_t lanes = 16;
    static constexpr std::size_t stretch = 64;  // pairs between two looks at the thresholds
    using Lanes = std::array<double, lanes>;

    void go_through(std::size_t replicate) {
        const std::size_t width = std::min(lanes, joining_.replicates - replicate), pairs = joining_.pairs;
        const double* thresholds = joining_.thresholds;
        bring_near(replicate, width);
        const double reach = farthest(width);
        Lanes largest{};
        for (std::size_t pair = 0; pair < pairs && thresholds[pair] <= reach; pair += stretch) {
            const std::size_t end = std::min(pair + stretch, pairs);
            const Lanes before = largest;
            largest = joined(before, pair, end, width);
            std::size_t everywhere = 0, to_the_end = 0;
            for (std::size_t lane = 0; lane < width; ++lane) {
                if (before[lane] >= thresholds[end - 1])
                    ++everywhere;
                else if (largest[lane] >= thresholds[pair])
                    look_closely(before[lane], pair, end, lane);
                to_the_end += largest[lane] >= thresholds[pairs - 1];
            }
            steps_[pair] += static_cast<std::int64_t>(everywhere);
            const bool decided = to_the_end == width;  // all that follows is reached, too
            steps_[decided ? pairs : end] -= static_cast<std::int64_t>(everywhere);
            if (decided) {
                steps_[end] += static_cast<std::int64_t>(width - everywhere);
                break;
            }
        }
    }

    // The replicates' sums side by side, where the pairs will look for them again and again.
    void bring_near(std::size_t replicate, std::size_t width) {
        from_ = joining_.sums + replicate;
        if constexpr (differences)
            for (std::size_t row = 0; row < joining_.rows; ++row)
                std::copy_n(from_ + row * joining_.replicates, width, &near_[row * lanes]);
    }

    // What no pair of any of the replicates goes beyond.
    double farthest(std::size_t width) const {
        if (!differences || divided) return INFINITY;
        double reach = 0;
        for (std::size_t lane = 0; lane < width; ++lane) {
            double least = INFINITY, most = -INFINITY;
            for (std::size_t row = 0; row < joining_.rows; ++row) {
                least = std::min(least, near_[row * lanes + lane]);
                most = std::max(most, near_[row * lanes + lane]);
            }
            reach = std::max(reach, most - least);
        }
        return reach;
    }

    // The largest statistic of each replicate after some more pairs have joined.
    Lanes joined(Lanes largest, std::size_t pair, std::size_t end, std::size_t width) const {
        for (; pair < end; ++pair) {
            if constexpr (differences) {
                const double* ours = &near_[static_cast<std::size_t>(joining_.first[pair]) * lanes];
                const double* theirs = &near_[static_cast<std::size_t>(joining_.second[pair]) * lanes];
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    largest[lane] = larger(in_units(std::fabs(ours[lane] - theirs[lane]), pair), largest[lane]);
            } else {
                const double* ours = from_ + static_cast<std::size_t>(joining_.first[pair]) * joining_.replicates;
                for (std::size_t lane = 0; lane < width; ++lane)
                    largest[lane] = larger(in_units(std::fabs(ours[lane]), pair), largest[lane]);
            }
        }
        return largest;
    }

    // One replicate pair by pair, where some thresholds are reached and some are not.
    void look_closely(double largest, std::size_t pair, std::size_t end, std::size_t lane) {
        for (; pair < end; ++pair) {
            const auto first = static_cast<std::size_t>(joining_.first[pair]);
            double statistic;
            if constexpr (differences)
                statistic = near_[first * lanes + lane] -
                            near_[static_cast<std::size_t>(joining_.second[pair]) * lanes + lane];
            else
                statistic = from_[first * joining_.replicates + lane];
            largest = larger(in_units(std::fabs(statistic), pair), largest);
            counts_[pair] += largest >= joining_.thresholds[pair];
        }
    }

    static double larger(double one, double other) { return one > other ? one : other; }

    double in_units(double value, std::size_t pair) const {
        if constexpr (divided) value /= joining_.unit[pair];
        return value;
    }

    const Joining joining_;
    const double* from_ = nullptr;
    std::vector<double> near_;
    std::vector<std::int64_t> counts_;  // of replicates that were looked at closely
    std::vector<std::int64_t> steps_;   // by how much the others' count changes from pair to pair
};

inline std::vector<std::int64_t> count_stepdown(const Joining& joining) {
    if (joining.second) return joining.unit ? Stepdown<true, true>(joining).counts() : Stepdown<true, false>(joining).counts();
    return joining.unit ? Stepdown<false, true>(joining).counts() : Stepdown<false, false>(joining).counts();
}

}  // namespace rankdiff
