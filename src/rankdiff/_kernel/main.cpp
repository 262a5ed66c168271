// What Python sees of the native kernel; python.py defines what each function gives.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <numeric>
#include <optional>

#include "conversions.hpp"
#include "digits.hpp"
#include "hits.hpp"
#include "judgments.hpp"
#include "lexicographic.hpp"
#include "runs.hpp"
#include "shuffles.hpp"
#include "signs.hpp"
#include "stepdown.hpp"

using namespace rankdiff;

namespace {

// An index and the arrays that its ids are in.
struct HeldIndex {
    HeldIds queries, documents;
    Index index;

    HeldIndex(nb::handle queries, const Array<std::int64_t>& start, nb::handle documents)
        : queries(queries), documents(documents), index(this->queries.ids(), start.data(), this->documents.ids()) {}
};

nb::object judge(const Array<std::uint8_t>& text, bool by_subtopic) {
    const auto read = [&] {
        const nb::gil_scoped_release others_may_run;
        return std::move(Judge(text_of(text), by_subtopic).judged);
    };
    return to_python(read());
}

nb::object rank(const HeldIndex& held, const Array<std::uint8_t>& text, nb::handle rules, Pool* pool) {
    const auto read = [&, asked = rules_of(rules)] {
        const nb::gil_scoped_release others_may_run;
        return rank_text(held.index, text_of(text), asked, pool);
    };
    return to_python(read());
}

nb::object rank_rows(const HeldIndex& held, nb::handle rows, nb::handle rules, Pool* pool) {
    const HeldIds documents(rows.attr("documents"));
    const auto topic = nb::cast<Array<std::int32_t>>(rows.attr("topic"));
    const auto score = nb::cast<Array<double>>(rows.attr("score"));
    const auto stated_rank = nb::cast<std::optional<Array<double>>>(rows.attr("stated_rank"));
    Table table{{}, topic.data(), documents.ids(), score.data(), stated_rank ? stated_rank->data() : nullptr};
    for (nb::handle name : rows.attr("topics")) {
        const auto bytes = nb::cast<nb::bytes>(name);
        table.topics.emplace_back(bytes.c_str(), bytes.size());
    }
    const auto read = [&, asked = rules_of(rules)] {
        const nb::gil_scoped_release others_may_run;
        return rank_table(held.index, table, asked, pool);
    };
    return to_python(read());
}

nb::object sum_shuffled(const Matrix<double>& scores, std::uint64_t seed, std::uint64_t first, std::size_t count,
                        std::uint64_t topic, std::uint64_t topics) {
    const std::size_t systems = scores.shape(0), columns = scores.shape(1);
    if (systems > Shuffler::most_systems) throw std::invalid_argument("more than 65536 runs cannot be shuffled");
    const auto shuffle = [&] {
        const nb::gil_scoped_release others_may_run;
        return shuffled_sums(scores.data(), systems, columns, seed, first, count, topic, topics);
    };
    return array_of(shuffle(), systems, count);
}

void check_count(const Matrix<std::int64_t>& count, std::size_t hits) {
    if (std::accumulate(count.data(), count.data() + count.size(), std::int64_t{}) != static_cast<std::int64_t>(hits))
        throw std::invalid_argument("hits must be as many as are counted");
}

// The hits that Python holds.
Hits hits_of(const Matrix<std::int64_t>& count, const Array<std::int32_t>& rank, const Array<std::int32_t>& column) {
    check_count(count, rank.size());
    check_count(count, column.size());
    return {count.data(), count.size(), rank.data(), column.data(), rank.size()};
}

nb::object to_python(Picked&& picked, const Matrix<std::int64_t>& like) {
    return nb::make_tuple(array_of(std::move(picked.count), like.shape(0), like.shape(1)),
                          array_of(std::move(picked.rank), picked.size),
                          array_of(std::move(picked.column), picked.size));
}

nb::object pick(const Matrix<std::int64_t>& count, const Array<std::int32_t>& rank, const Array<std::int32_t>& column,
                const Array<bool>& marked) {
    const auto choose = [&, hits = hits_of(count, rank, column)] {
        const nb::gil_scoped_release others_may_run;
        return pick_hits(hits, marked.data());
    };
    return to_python(choose(), count);
}

nb::object top(const Matrix<std::int64_t>& count, const Array<std::int32_t>& rank, const Array<std::int32_t>& column,
               const Array<std::int64_t>& last) {
    if (last.size() != count.shape(1)) throw std::invalid_argument("each group needs a last rank");
    const auto choose = [&, hits = hits_of(count, rank, column)] {
        const nb::gil_scoped_release others_may_run;
        return top_hits(hits, last.data(), last.size());
    };
    return to_python(choose(), count);
}

nb::object number(const Matrix<std::int64_t>& count, std::size_t hits) {
    check_count(count, hits);
    const auto go_down = [&] {
        const nb::gil_scoped_release others_may_run;
        return number_hits(count.data(), count.size(), hits);
    };
    return array_of(go_down());
}

nb::object sum(const Matrix<std::int64_t>& count, const Array<double>& values) {
    check_count(count, values.size());
    const auto add = [&] {
        const nb::gil_scoped_release others_may_run;
        return sum_hits(count.data(), count.size(), [value = values.data()](std::size_t hit) { return value[hit]; });
    };
    return array_of(add(), count.shape(0), count.shape(1));
}

nb::object gains(const Matrix<std::int64_t>& count, const Array<std::int32_t>& rank, const Array<std::int32_t>& column,
                 const Array<double>& gain, const Array<double>& discount) {
    const auto add = [hits = hits_of(count, rank, column), worth = gain.data(), over = discount.data()] {
        const nb::gil_scoped_release others_may_run;
        return sum_hits(hits.count, hits.rankings,
                        [=](std::size_t hit) { return worth[hits.column[hit]] / over[hits.rank[hit]]; });
    };
    return array_of(add(), count.shape(0), count.shape(1));
}

template <class Integer>
nb::object as_digits(const Array<Integer>& numbers) {
    const auto write = [&] {
        const nb::gil_scoped_release others_may_run;
        return digits(numbers.data(), numbers.size());
    };
    return pair_of(write());
}

template <class Level>
nb::object count(const Matrix<Level>& levels, const Array<std::int64_t>& start, std::size_t system,
                 const Array<std::int64_t>& others) {
    const std::size_t width = levels.shape(1), queries = start.size() - 1;
    const auto compare = [&] {
        const nb::gil_scoped_release others_may_run;
        return count_signs(levels.data(), width, start.data(), queries, system, others.data(), others.size());
    };
    return array_of(compare(), others.size(), queries);
}

template <class Level>
nb::object in_order(const Matrix<Level>& levels, const Array<std::int64_t>& start, bool from_bottom) {
    const std::size_t rows = levels.shape(0), width = levels.shape(1), queries = start.size() - 1;
    const auto sort = [&] {
        const nb::gil_scoped_release others_may_run;
        return order_rankings(levels.data(), rows, width, start.data(), queries, from_bottom);
    };
    Ordered ordered = sort();
    return nb::make_tuple(array_of(std::move(ordered.order), rows, queries),
                          array_of(std::move(ordered.shared), rows ? rows - 1 : 0, queries));
}

nb::object step_down(const Matrix<double>& sums, const Array<std::int64_t>& first,
                     const std::optional<Array<std::int64_t>>& second, const std::optional<Array<double>>& unit,
                     const Array<double>& thresholds) {
    const std::size_t pairs = first.size();
    if ((second && second->size() != pairs) || (unit && unit->size() != pairs) || thresholds.size() != pairs)
        throw std::invalid_argument("pairs, units and thresholds must be equally many");
    const Joining joining{sums.data(),  sums.shape(0), sums.shape(1), first.data(), second ? second->data() : nullptr,
                          unit ? unit->data() : nullptr, thresholds.data(), pairs};
    const auto count = [&] {
        const nb::gil_scoped_release others_may_run;
        return count_stepdown(joining);
    };
    return array_of(count());
}

template <class Level>
void define_for_levels(nb::module_& module) {
    module.def("count_signs", &count<Level>, nb::arg("levels").noconvert(), nb::arg("start"), nb::arg("system"),
               nb::arg("others"));
    module.def("order_rankings", &in_order<Level>, nb::arg("levels").noconvert(), nb::arg("start"),
               nb::arg("from_bottom"));
}

}  // namespace

NB_MODULE(_native, module) {
    module.attr("NAME") = "native";
    nb::class_<HeldIndex>(module, "Index")
        .def(nb::init<nb::handle, const Array<std::int64_t>&, nb::handle>(), nb::arg("queries"), nb::arg("start"),
             nb::arg("documents"));
    nb::class_<Pool>(module, "Pool")
        .def(nb::init<std::size_t>(), nb::arg("queries"))
        .def("counts", [](const Pool& pool) { return array_of(pool.counts()); });
    module.def("digits", &as_digits<std::int64_t>, nb::arg("numbers").noconvert());
    module.def("digits", &as_digits<std::uint64_t>, nb::arg("numbers").noconvert());
    module.def("judge", &judge, nb::arg("text"), nb::arg("by_subtopic"));
    module.def("rank", &rank, nb::arg("index"), nb::arg("text"), nb::arg("rules"), nb::arg("pool").none());
    module.def("rank_table", &rank_rows, nb::arg("index"), nb::arg("rows"), nb::arg("rules"), nb::arg("pool").none());
    module.def("shuffled_sums", &sum_shuffled, nb::arg("scores"), nb::arg("seed"), nb::arg("first"), nb::arg("count"),
               nb::kw_only(), nb::arg("topic"), nb::arg("topics"));
    module.def("count_stepdown", &step_down, nb::arg("sums"), nb::arg("first"), nb::arg("second").none(),
               nb::arg("unit").none(), nb::arg("thresholds"));
    module.def("pick_hits", &pick, nb::arg("count"), nb::arg("rank").noconvert(),
               nb::arg("column").noconvert(), nb::arg("marked"));
    module.def("top_hits", &top, nb::arg("count"), nb::arg("rank").noconvert(),
               nb::arg("column").noconvert(), nb::arg("last"));
    module.def("number_hits", &number, nb::arg("count"), nb::arg("hits"));
    module.def("sum_hits", &sum, nb::arg("count"), nb::arg("values"));
    module.def("sum_gains", &gains, nb::arg("count"), nb::arg("rank").noconvert(),
               nb::arg("column").noconvert(), nb::arg("gain"),
               nb::arg("discount"));
    define_for_levels<std::int16_t>(module);
    define_for_levels<std::int32_t>(module);

    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const BadLine& bad) {
            const nb::object error = nb::module_::import_("rankdiff._kernel.problems").attr("BadLineError");
            const nb::object raised =
                error(bad.kind, bad.line, bytes_of(bad.text), bytes_of(bad.topic), bad.count);
            PyErr_SetObject(error.ptr(), raised.ptr());
        }
    });
}
