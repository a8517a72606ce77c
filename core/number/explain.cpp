// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// From a trace to the steps of a worked sum.
#include "core/number/explain.h"

#include "core/number/explain_text.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>

namespace ridgepoint {

namespace {

using Kind = TraceNode::Kind;

constexpr std::size_t widestOneLineSum = 100; ///< bytes of text; longer sums have a term per line
constexpr std::size_t mostTermsOnOneLine = 6;
constexpr double mostRepeatedOperands = 16; ///< a nameless step met twice is written out up to this many operands
constexpr int deepestExpression = 40;       ///< parentheses in parentheses; what is deeper becomes a step of its own
constexpr int deepestStep = 64;

/// How tightly an expression binds; the order matters.
enum class Binding { Sum, Product, Power, Whole };

/// An expression twice: with names and with values.
struct Expression {
    std::string words;
    std::string figures;
    Binding binding = Binding::Whole;
};

struct Term {
    const TraceNode *node = nullptr;
    bool isInverse = false; ///< subtracted, or divided by
};

bool isOperation(const TraceNode &node) {
    return node.kind != Kind::Constant && node.kind != Kind::Leaf;
}

bool hasName(const TraceNode &node) {
    return (node.kind == Kind::Leaf || node.kind == Kind::Named) && !node.label.empty();
}

Expression inParentheses(Expression expression) {
    return {"(" + expression.words + ")", "(" + expression.figures + ")", Binding::Whole};
}

class Explainer {
public:
    Explainer(const TraceNode &root, NumberStyle style) : style_(std::move(style)) { survey(root); }

    ExplainedStep explain(const TraceNode &node, std::string label, std::string unit, int depth) {
        ExplainedStep step;
        step.label = std::move(label);
        step.value = node.value;
        step.unit = std::move(unit);
        step.source = node.source;
        const TraceNode &sum = node.kind == Kind::Named ? withoutEmptyNames(*node.parts.front()) : node;
        if (sum.kind == Kind::Constant || (&sum == &node && !isOperation(sum))) {
            return step;
        }
        if (depth >= deepestStep) {
            step.words = "…";
            step.figures = "a sum nested too deeply to be shown";
            return step;
        }
        std::vector<const TraceNode *> used;
        const Expression expression = hasName(sum) ? operand(sum, used, 0) : topExpression(sum, used);
        step.words = expression.words;
        step.figures = expression.figures;
        explainParts(used, step, depth);
        return step;
    }

private:
    struct Facts {
        int uses = 0;
        double operands = 1; ///< when written out; a double, since it may grow exponentially
    };

    /// Counts uses and operands of every node once, without recursion.
    void survey(const TraceNode &root) {
        struct Visit {
            const TraceNode *node;
            bool partsDone;
        };
        std::vector<Visit> pending{{&root, false}};
        while (!pending.empty()) {
            const auto [node, partsDone] = pending.back();
            pending.pop_back();
            if (partsDone) {
                double operands = 0;
                for (const auto &part : node->parts) {
                    operands += hasName(*part) ? 1 : facts_[part.get()].operands;
                }
                facts_[node].operands = std::max(operands, 1.0);
                continue;
            }
            if (++facts_[node].uses > 1) {
                continue;
            }
            pending.push_back({node, true});
            for (const auto &part : node->parts) {
                pending.push_back({part.get(), false});
            }
        }
    }

    static const TraceNode &withoutEmptyNames(const TraceNode &node) {
        const TraceNode *current = &node;
        while (current->kind == Kind::Named && current->label.empty()) {
            current = current->parts.front().get();
        }
        return *current;
    }

    /// Whether a nameless step is written where it is used. What is used once costs nothing; what is shared might
    /// double each time.
    bool isWrittenOut(const TraceNode &node) const {
        const Facts &facts = facts_.at(&node);
        return facts.uses <= 1 || facts.operands <= mostRepeatedOperands;
    }

    /// The terms of a nested sum or the factors of a nested product, in order, without recursion.
    std::vector<Term> flattened(const TraceNode &node, Kind direct, Kind inverse) const {
        std::vector<Term> terms;
        std::vector<Term> pending{{&node, false}};
        while (!pending.empty()) {
            const Term next = pending.back();
            pending.pop_back();
            const TraceNode &current = withoutEmptyNames(*next.node);
            const bool isNested = current.kind == direct || current.kind == inverse;
            if (next.isInverse || !isNested || (&current != &node && !isWrittenOut(current))) {
                terms.push_back({&current, next.isInverse});
                continue;
            }
            pending.push_back({current.parts.back().get(), current.kind == inverse});
            pending.push_back({current.parts.front().get(), false});
        }
        return terms;
    }

    Expression operand(const TraceNode &given, std::vector<const TraceNode *> &used, int depth) {
        const TraceNode &node = withoutEmptyNames(given);
        if (hasName(node)) {
            used.push_back(&node);
            return {node.label, figureText(node.value, node.unit, style_), Binding::Whole};
        }
        if (!isOperation(node)) {
            if (node.kind == Kind::Leaf && !node.source.empty()) {
                used.push_back(&node);
            }
            const std::string figure = figureText(node.value, node.unit, style_);
            return {figure, figure, Binding::Whole};
        }
        if (depth >= deepestExpression || !isWrittenOut(node)) {
            used.push_back(&node);
            return {intermediateLabel(node), figureText(node.value, {}, style_), Binding::Whole};
        }
        return expressionOf(node, used, depth);
    }

    std::string intermediateLabel(const TraceNode &node) {
        const auto number = intermediates_.try_emplace(&node, intermediates_.size() + 1).first->second;
        return "intermediate " + std::to_string(number);
    }

    /// The operand with parentheses where it binds less tightly than `least`, and around negative figures but the
    /// first.
    Expression boundOperand(const TraceNode &node, Binding least, bool isFirst, std::vector<const TraceNode *> &used,
                            int depth) {
        Expression expression = operand(node, used, depth + 1);
        if (expression.binding < least) {
            return inParentheses(std::move(expression));
        }
        static constexpr std::string_view minusSign = "\u2212";
        if (!isFirst && expression.binding == Binding::Whole && expression.figures.starts_with(minusSign)) {
            const bool isUnnamed = expression.words == expression.figures;
            expression.figures = "(" + expression.figures + ")";
            if (isUnnamed) {
                expression.words = expression.figures;
            }
        }
        return expression;
    }

    std::vector<Expression> boundTerms(const std::vector<Term> &terms, Binding own, Binding tighter,
                                       std::vector<const TraceNode *> &used, int depth) {
        std::vector<Expression> expressions;
        expressions.reserve(terms.size());
        for (const Term &term : terms) {
            expressions.push_back(
                boundOperand(*term.node, term.isInverse ? tighter : own, expressions.empty(), used, depth));
        }
        return expressions;
    }

    static Expression joined(const std::vector<Term> &terms, const std::vector<Expression> &expressions,
                             std::string_view direct, std::string_view inverse, Binding binding) {
        Expression result{.words = {}, .figures = {}, .binding = binding};
        for (std::size_t i = 0; i < terms.size(); ++i) {
            if (i > 0) {
                const std::string_view sign = terms[i].isInverse ? inverse : direct;
                result.words += sign;
                result.figures += sign;
            }
            result.words += expressions[i].words;
            result.figures += expressions[i].figures;
        }
        return result;
    }

    Expression sumOf(const TraceNode &node, std::vector<const TraceNode *> &used, int depth, bool mayBreak) {
        const std::vector<Term> terms = flattened(node, Kind::Add, Kind::Subtract);
        // A sum that was too large to flatten in keeps its parentheses.
        const std::vector<Expression> expressions = boundTerms(terms, Binding::Product, Binding::Product, used, depth);
        Expression line = joined(terms, expressions, " + ", " \u2212 ", Binding::Sum);
        if (mayBreak && terms.size() > 1 &&
            (terms.size() > mostTermsOnOneLine ||
             std::max(line.words.size(), line.figures.size()) > widestOneLineSum)) {
            return joined(terms, expressions, "\n+ ", "\n\u2212 ", Binding::Sum);
        }
        return line;
    }

    Expression functionOf(std::string_view name, const std::vector<Term> &arguments,
                          std::vector<const TraceNode *> &used, int depth) {
        Expression result;
        for (const Term &argument : arguments) {
            const Expression expression = operand(*argument.node, used, depth + 1);
            const std::string_view separator = result.words.empty() ? std::string_view() : std::string_view(", ");
            result.words.append(separator).append(expression.words);
            result.figures.append(separator).append(expression.figures);
        }
        result = inParentheses(std::move(result));
        result.words.insert(0, name);
        result.figures.insert(0, name);
        return result;
    }

    Expression powerOf(const TraceNode &node, std::vector<const TraceNode *> &used, int depth) {
        const TraceNode &base = *node.parts.front();
        const TraceNode &exponent = *node.parts.back();
        if (exponent.kind == Kind::Constant && exponent.value == 0.5) {
            return functionOf("square root of ", {{&base, false}}, used, depth);
        }
        const Expression low = boundOperand(base, Binding::Whole, false, used, depth);
        const Expression high = boundOperand(exponent, Binding::Whole, false, used, depth);
        return {low.words + " ^ " + high.words, low.figures + " ^ " + high.figures, Binding::Power};
    }

    Expression expressionOf(const TraceNode &node, std::vector<const TraceNode *> &used, int depth,
                            bool mayBreak = false) {
        switch (node.kind) {
        case Kind::Add:
        case Kind::Subtract:
            return sumOf(node, used, depth, mayBreak);
        case Kind::Multiply:
        case Kind::Divide: {
            const std::vector<Term> factors = flattened(node, Kind::Multiply, Kind::Divide);
            const std::vector<Expression> expressions =
                boundTerms(factors, Binding::Product, Binding::Power, used, depth);
            return joined(factors, expressions, " × ", " ÷ ", Binding::Product);
        }
        case Kind::Larger: {
            const std::vector<Term> arguments = flattened(node, Kind::Larger, Kind::Larger);
            return functionOf(arguments.size() > 2 ? "the largest of " : "the larger of ", arguments, used, depth);
        }
        case Kind::Smaller: {
            const std::vector<Term> arguments = flattened(node, Kind::Smaller, Kind::Smaller);
            return functionOf(arguments.size() > 2 ? "the smallest of " : "the smaller of ", arguments, used, depth);
        }
        case Kind::RoundUp:
            return functionOf("round up", {{node.parts.front().get(), false}}, used, depth);
        case Kind::RoundDown:
            return functionOf("round down", {{node.parts.front().get(), false}}, used, depth);
        case Kind::Round:
            return functionOf("round", {{node.parts.front().get(), false}}, used, depth);
        case Kind::Power:
            return powerOf(node, used, depth);
        case Kind::Constant:
        case Kind::Leaf:
        case Kind::Named:
            break;
        }
        return operand(node, used, depth);
    }

    Expression topExpression(const TraceNode &node, std::vector<const TraceNode *> &used) {
        return expressionOf(node, used, 0, true);
    }

    /// Formulas are evaluated more than once, so that the same part arrives in several nodes.
    std::string identityOf(const TraceNode &node) {
        if (!hasName(node) && isOperation(node)) {
            return intermediateLabel(node);
        }
        return node.label + '\n' + node.unit + '\n' + formatPlain(node.value) + '\n' + node.source;
    }

    void explainParts(const std::vector<const TraceNode *> &used, ExplainedStep &step, int depth) {
        std::unordered_set<std::string> here;
        for (const TraceNode *part : used) {
            std::string identity = identityOf(*part);
            if (!here.insert(identity).second) {
                continue;
            }
            const bool isFirst = explained_.insert(std::move(identity)).second;
            std::string label = part->label;
            if (label.empty()) {
                label = isOperation(*part) ? intermediateLabel(*part) : figureText(part->value, part->unit, style_);
            }
            if (isFirst) {
                step.parts.push_back(explain(*part, std::move(label), part->unit, depth + 1));
            } else {
                ExplainedStep again;
                again.label = std::move(label);
                again.value = part->value;
                again.unit = part->unit;
                again.explainedAbove = true;
                step.parts.push_back(std::move(again));
            }
        }
    }

    NumberStyle style_;
    std::unordered_map<const TraceNode *, Facts> facts_;
    std::unordered_map<const TraceNode *, std::size_t> intermediates_;
    std::unordered_set<std::string> explained_;
};

} // namespace

ExplainedStep explainTrace(const Traced &number, std::string_view label, Unit unit, const NumberStyle &style) {
    const std::shared_ptr<const TraceNode> root = number.node();
    std::string unitText(textOfUnit(unit));
    if (unitText.empty()) {
        unitText = root->unit;
    }
    return Explainer(*root, style).explain(*root, std::string(label.empty() ? root->label : label), unitText, 0);
}

} // namespace ridgepoint
