// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of Traced: every operator computes the double and notes the step.
#include "core/number/traced.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgepoint {

namespace {

using Kind = TraceNode::Kind;
using NodePointer = std::shared_ptr<const TraceNode>;

/// Frees a node without recursion, so that a sum of very many steps does not exhaust the stack when it goes.
void releaseNode(const TraceNode *node) {
    std::vector<NodePointer> pending;
    // Every node is made non-const by makeNode, and here nobody else holds it.
    auto takeParts = [&pending](const TraceNode &owner) {
        for (NodePointer &part :
             const_cast<TraceNode &>(owner).parts) { // NOLINT(cppcoreguidelines-pro-type-const-cast)
            if (part && !part->parts.empty()) {
                pending.push_back(std::move(part));
            }
        }
    };
    takeParts(*node);
    while (!pending.empty()) {
        const NodePointer last = std::move(pending.back());
        pending.pop_back();
        if (last.use_count() == 1) {
            takeParts(*last);
        }
    }
    delete node; // NOLINT(cppcoreguidelines-owning-memory)
}

NodePointer makeNode(TraceNode node) {
    // A deleter of our own, hence no make_shared.
    return {new TraceNode(std::move(node)), releaseNode}; // NOLINT(cppcoreguidelines-owning-memory)
}

} // namespace

Traced::Traced(double constant) : value_(constant) {}

Traced Traced::leaf(double value, std::string_view label, std::string_view unit, std::string_view source) {
    Traced result(value);
    result.node_ = makeNode({.kind = Kind::Leaf,
                             .value = value,
                             .label = std::string(label),
                             .unit = std::string(unit),
                             .source = std::string(source),
                             .parts = {}});
    return result;
}

Traced Traced::named(const Traced &value, std::string_view label, std::string_view unit, std::string_view source) {
    if (value.node_ && value.node_->kind == Kind::Named && value.node_->label == label && unit.empty() &&
        source.empty()) {
        return value; // it says so already
    }
    Traced result(value.value_);
    result.node_ = makeNode({.kind = Kind::Named,
                             .value = value.value_,
                             .label = std::string(label),
                             .unit = std::string(unit),
                             .source = std::string(source),
                             .parts = {value.node()}});
    return result;
}

std::shared_ptr<const TraceNode> Traced::node() const {
    if (node_) {
        return node_;
    }
    return makeNode({.kind = Kind::Constant, .value = value_, .label = {}, .unit = {}, .source = {}, .parts = {}});
}

Traced Traced::combine(TraceNode::Kind kind, double value, const Traced &a, const Traced &b) {
    Traced result(value);
    result.node_ =
        makeNode({.kind = kind, .value = value, .label = {}, .unit = {}, .source = {}, .parts = {a.node(), b.node()}});
    return result;
}

Traced Traced::apply(TraceNode::Kind kind, double value, const Traced &a) {
    Traced result(value);
    result.node_ = makeNode({.kind = kind, .value = value, .label = {}, .unit = {}, .source = {}, .parts = {a.node()}});
    return result;
}

Traced &Traced::operator+=(const Traced &other) {
    return *this = *this + other;
}

Traced &Traced::operator-=(const Traced &other) {
    return *this = *this - other;
}
Traced &Traced::operator*=(const Traced &other) {
    return *this = *this * other;
}
Traced &Traced::operator/=(const Traced &other) {
    return *this = *this / other;
}

Traced operator+(const Traced &a, const Traced &b) {
    // What is not there (a zero that no formula produced) is not a term of the sum.
    if (!b.node_ && b.value_ == 0) {
        return a;
    }
    if (!a.node_ && a.value_ == 0) {
        return b;
    }
    return Traced::combine(Kind::Add, a.value_ + b.value_, a, b);
}

Traced operator-(const Traced &a, const Traced &b) {
    return Traced::combine(Kind::Subtract, a.value_ - b.value_, a, b);
}

Traced operator*(const Traced &a, const Traced &b) {
    return Traced::combine(Kind::Multiply, a.value_ * b.value_, a, b);
}

Traced operator/(const Traced &a, const Traced &b) {
    return Traced::combine(Kind::Divide, a.value_ / b.value_, a, b);
}

Traced larger(const Traced &a, const Traced &b) {
    return Traced::combine(Kind::Larger, std::max(a.value_, b.value_), a, b);
}

Traced smaller(const Traced &a, const Traced &b) {
    return Traced::combine(Kind::Smaller, std::min(a.value_, b.value_), a, b);
}

Traced roundedUp(const Traced &a) {
    return Traced::apply(Kind::RoundUp, std::ceil(a.value_), a);
}
Traced roundedDown(const Traced &a) {
    return Traced::apply(Kind::RoundDown, std::floor(a.value_), a);
}
Traced rounded(const Traced &a) {
    return Traced::apply(Kind::Round, std::round(a.value_), a);
}

Traced power(const Traced &base, const Traced &exponent) {
    return Traced::combine(Kind::Power, std::pow(base.value_, exponent.value_), base, exponent);
}

Traced squareRoot(const Traced &a) {
    return Traced::combine(Kind::Power, std::sqrt(a.value_), a, Traced(0.5));
}

} // namespace ridgepoint
