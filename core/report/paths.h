// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Walks a GPU's report leaf by leaf with each leaf's path, as `memory.optimizer_states_bytes` or
// `roofline.operations[3].time_s`.
#pragma once

#include "core/report/visit.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// A visitor for visitReport() that calls leaf.number(path, key, value), .count(path, key, double), .text, .flag and
/// .null.
template <class Leaf>
class PathVisitor {
public:
    explicit PathVisitor(Leaf &leaf) : leaf_(leaf) {}

    void beginObject(std::string_view key) { enter(std::string(key)); }
    void endObject() { leave(); }
    void beginArray(std::string_view key) { arrays_.push_back({.name = std::string(key), .next = 0}); }
    void endArray() { arrays_.pop_back(); }
    void beginItem() {
        Array &array = arrays_.back();
        enter(array.name + '[' + std::to_string(array.next++) + ']');
    }
    void endItem() { leave(); }
    template <class N>
    void number(std::string_view key, const N &value) {
        leaf_.number(pathTo(key), key, value);
    }
    void count(std::string_view key, double value) { leaf_.count(pathTo(key), key, value); }
    void text(std::string_view key, std::string_view value) { leaf_.text(pathTo(key), key, value); }
    void flag(std::string_view key, bool value) { leaf_.flag(pathTo(key), key, value); }
    void null(std::string_view key) { leaf_.null(pathTo(key), key); }

private:
    struct Array {
        std::string name;
        int next = 0;
    };

    void enter(const std::string &part) {
        lengths_.push_back(prefix_.size());
        prefix_ += part;
        prefix_ += '.';
    }
    void leave() {
        prefix_.resize(lengths_.back());
        lengths_.pop_back();
    }
    std::string pathTo(std::string_view key) const { return prefix_ + std::string(key); }

    Leaf &leaf_;
    std::string prefix_;
    std::vector<std::size_t> lengths_;
    std::vector<Array> arrays_;
};

} // namespace ridgepoint
