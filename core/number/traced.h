// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Traced: a double that remembers the sum it came from, so that an explanation is produced by the formula itself.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// One step of a worked sum. `value` is exact; `label`, `unit` and `source` are empty where the formula gave none.
struct TraceNode {
    enum class Kind {
        Constant,
        Leaf,
        Named,
        Add,
        Subtract,
        Multiply,
        Divide,
        Larger,
        Smaller,
        RoundUp,
        RoundDown,
        Round,
        Power
    };
    Kind kind = Kind::Constant;
    double value = 0;
    std::string label;
    std::string unit;
    std::string source;
    std::vector<std::shared_ptr<const TraceNode>> parts; ///< operands, in order; one for Named and the roundings
};

class Traced {
public:
    Traced() = default;
    Traced(double constant); // NOLINT(google-explicit-constructor): literals in formulas are numbers too
    static Traced leaf(double value, std::string_view label, std::string_view unit, std::string_view source);
    static Traced named(const Traced &value, std::string_view label, std::string_view unit, std::string_view source);

    double value() const { return value_; }
    /// The worked sum; a constant without history has a Constant node.
    std::shared_ptr<const TraceNode> node() const;

    Traced &operator+=(const Traced &other);
    Traced &operator-=(const Traced &other);
    Traced &operator*=(const Traced &other);
    Traced &operator/=(const Traced &other);

    friend Traced operator+(const Traced &a, const Traced &b);
    friend Traced operator-(const Traced &a, const Traced &b);
    friend Traced operator*(const Traced &a, const Traced &b);
    friend Traced operator/(const Traced &a, const Traced &b);
    friend bool operator<(const Traced &a, const Traced &b) { return a.value_ < b.value_; }
    friend bool operator>(const Traced &a, const Traced &b) { return a.value_ > b.value_; }
    friend bool operator<=(const Traced &a, const Traced &b) { return a.value_ <= b.value_; }
    friend bool operator>=(const Traced &a, const Traced &b) { return a.value_ >= b.value_; }

    friend Traced larger(const Traced &a, const Traced &b);
    friend Traced smaller(const Traced &a, const Traced &b);
    friend Traced roundedUp(const Traced &a);
    friend Traced roundedDown(const Traced &a);
    friend Traced rounded(const Traced &a);
    friend Traced power(const Traced &base, const Traced &exponent);
    friend Traced squareRoot(const Traced &a);

private:
    static Traced combine(TraceNode::Kind kind, double value, const Traced &a, const Traced &b);
    static Traced apply(TraceNode::Kind kind, double value, const Traced &a);

    double value_ = 0;
    std::shared_ptr<const TraceNode> node_;
};

} // namespace ridgepoint
