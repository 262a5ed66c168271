// Python's arrays and tuples to what the kernel works on, and back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "judgments.hpp"
#include "ranking.hpp"
#include "runs.hpp"

namespace rankdiff {

namespace nb = nanobind;

template <class Value>
using Array = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Value>
using Matrix = nb::ndarray<const Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A text without its padding.
inline Bytes text_of(const Array<std::uint8_t>& array) {
    const auto* begin = reinterpret_cast<const char*>(array.data());
    if (array.size() < padding) throw std::invalid_argument("a text must end in newlines as padding");
    const std::size_t size = array.size() - padding;
    if (Bytes(begin + size, padding).find_first_not_of('\n') != Bytes::npos)
        throw std::invalid_argument("a text must end in newlines as padding");
    return {begin, size};
}

// Ids whose arrays are held on to.
struct HeldIds {
    Array<std::uint8_t> blob;
    Array<std::int64_t> offsets;

    explicit HeldIds(nb::handle pair)
        : blob(nb::cast<Array<std::uint8_t>>(pair[0])), offsets(nb::cast<Array<std::int64_t>>(pair[1])) {}

    Ids ids() const { return {reinterpret_cast<const char*>(blob.data()), offsets.data(), offsets.size() - 1}; }
};

inline Rules rules_of(nb::handle rules) {
    const Bytes ties = nb::cast<const char*>(rules.attr("ties"));
    const Bytes duplicates = nb::cast<const char*>(rules.attr("duplicates"));
    return {ties == "rank" ? Ties::rank : ties == "file" ? Ties::file : Ties::document,
            nb::cast<bool>(rules.attr("single")),
            duplicates == "first"  ? Duplicates::first
            : duplicates == "best" ? Duplicates::best
                                   : Duplicates::error,
            nb::cast<int>(rules.attr("columns")),
            nb::cast<bool>(rules.attr("lenient")),
            nb::cast<bool>(rules.attr("listing"))};
}

// A NumPy array that takes over memory.
template <class Value>
nb::object array_of(std::unique_ptr<Value[]>&& values, std::size_t size) {
    Value* data = values.release();
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<Value*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, Value, nb::ndim<1>>(data, {size}, owner));
}

// A NumPy array that takes over the memory of a vector.
template <class Value, class... Sizes>
nb::object array_of(std::vector<Value>&& values, Sizes... shape) {
    auto held = std::make_unique<std::vector<Value>>(std::move(values));
    void* data = held->data();
    const nb::capsule owner(held.release(), [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    using Element = std::conditional_t<std::is_same_v<Value, char>, std::uint8_t, Value>;
    return nb::cast(nb::ndarray<nb::numpy, Element, nb::ndim<sizeof...(shape)>>(data, {shape...}, owner));
}

template <class Value>
nb::object array_of(std::vector<Value>&& values) {
    const std::size_t size = values.size();
    return array_of(std::move(values), size);
}

inline nb::object pair_of(IdArrays&& ids) {
    return nb::make_tuple(array_of(std::move(ids.blob)), array_of(std::move(ids.offsets)));
}

inline nb::bytes bytes_of(Bytes text) { return nb::bytes(text.data(), text.size()); }

inline nb::object result_class(const char* name) {
    return nb::module_::import_("rankdiff._kernel.results").attr(name);
}

inline nb::object to_python(Ranked&& ranked) {
    nb::list unknown;
    for (const std::string& topic : ranked.unknown) unknown.append(bytes_of(topic));
    Listed& listed = ranked.listed;
    return result_class("Ranked")(
        array_of(std::move(ranked.query)), array_of(std::move(ranked.depth)), array_of(std::move(ranked.column)),
        array_of(std::move(ranked.rank)), unknown, array_of(std::move(ranked.unknown_depth)), ranked.duplicates,
        result_class("Listed")(array_of(std::move(listed.query)), array_of(std::move(listed.column)),
                               array_of(std::move(listed.score)), array_of(std::move(listed.stated_rank)),
                               array_of(std::move(listed.line))),
        ranked.comments, bytes_of(ranked.tag));
}

inline nb::object to_python(Judged&& judged) {
    return result_class("Judged")(
        pair_of(std::move(judged.queries)), array_of(std::move(judged.start)), pair_of(std::move(judged.documents)),
        array_of(std::move(judged.grade)), pair_of(std::move(judged.subtopics)),
        array_of(std::move(judged.entry_document)), array_of(std::move(judged.entry_subtopic)),
        array_of(std::move(judged.entry_grade)), judged.repeated, judged.comments);
}

}  // namespace rankdiff
