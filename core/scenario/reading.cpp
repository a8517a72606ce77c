// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Small words of the reader: unknown keys, nearest words, and how values look in a message.
#include "core/scenario/reading.h"

#include "core/import/strict_json.h"
#include "core/scenario/fields.h"
#include "core/scenario/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace ridgepoint {

namespace {

constexpr std::size_t mostProblems = 100;
constexpr std::size_t longestComparedWord = 64;
constexpr std::size_t shortestPart = 4;

/// Single-character insertions, deletions, replacements and swaps of neighbours between two short words.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> twoAbove;
    std::vector<std::size_t> above(b.size() + 1);
    std::iota(above.begin(), above.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::vector<std::size_t> row(b.size() + 1, i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({changed, above[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], twoAbove[j - 2] + 1);
            }
        }
        twoAbove = std::exchange(above, std::move(row));
    }
    return above.back();
}

std::string plainLower(std::string_view word) {
    std::string plain;
    for (const char c : word) {
        if (c != '_' && c != '-' && c != ' ' && c != '.') {
            plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return plain;
}

} // namespace

void Reading::report(std::string field, std::string found, std::string allowed) {
    distrusted.push_back(field);
    if (problems.size() < mostProblems) {
        problems.push_back({std::move(field), std::move(found), std::move(allowed)});
    } else if (problems.size() == mostProblems) {
        problems.push_back({{}, fmt::format("more than {} mistakes", mostProblems), "a file without the ones above"});
    }
}

bool Reading::isFull() const {
    return problems.size() > mostProblems;
}

bool touches(std::string_view a, std::string_view b) {
    const std::string_view shorter = a.size() < b.size() ? a : b;
    const std::string_view longer = a.size() < b.size() ? b : a;
    return longer.starts_with(shorter) &&
           (longer.size() == shorter.size() || longer[shorter.size()] == '.' || longer[shorter.size()] == '[');
}

std::string nearestKey(std::string_view word, const std::vector<std::string_view> &known) {
    if (word.empty() || word.size() > longestComparedWord) {
        return {};
    }
    // In half steps: a shortened word (`memory` for `memory_bytes`) is nearer than two slips, a lengthened one the last
    // resort.
    constexpr std::size_t shortened = 3;
    const std::string plain = plainLower(word);
    const std::size_t limit = 2 * (std::max<std::size_t>(1, word.size() / 3) + 1);
    std::string_view best;
    std::size_t bestScore = limit;
    for (const std::string_view candidate : known) {
        const std::string other = plainLower(candidate);
        std::size_t score = 2 * editDistance(plain, other);
        if (plain.size() >= shortestPart && other.find(plain) != std::string::npos) {
            score = std::min(score, shortened);
        } else if (other.size() >= shortestPart && plain.find(other) != std::string::npos) {
            score = std::min(score, limit - 1);
        }
        if (score < bestScore) {
            bestScore = score;
            best = candidate;
        }
    }
    return std::string(best);
}

std::string didYouMean(std::string_view word, const std::vector<std::string_view> &known) {
    const std::string nearest = nearestKey(word, known);
    return nearest.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", nearest);
}

std::string joined(const std::vector<std::string_view> &words, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < words.size() && i < most; ++i) {
        text += (i > 0 ? ", " : "") + std::string(words[i]);
    }
    return words.size() > most ? fmt::format("{} and {} more", text, words.size() - most) : text;
}

std::string inQuotes(std::string_view text) {
    return fmt::format("\"{}\"", shownText(text));
}

std::string numberText(double value) {
    constexpr double wholeDigits = 1e15;
    if (std::abs(value) < wholeDigits && value == std::floor(value)) {
        return fmt::format("{}", static_cast<std::int64_t>(value));
    }
    return fmt::format("{}", value);
}

nlohmann::ordered_json numberJson(double value) {
    constexpr double wholeDigits = 1e15;
    if (std::abs(value) < wholeDigits && value == std::floor(value)) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

void reportUnknownKeys(const nlohmann::json &object, const std::string &path,
                       const std::vector<std::string_view> &known, Reading &reading) {
    for (const auto &item : object.items()) {
        if (std::find(known.begin(), known.end(), item.key()) != known.end()) {
            continue;
        }
        if (reading.isFull()) {
            return;
        }
        std::string allowed = "one of " + joined(known);
        std::string nearest = nearestKey(item.key(), known);
        for (const Section &section : sections()) {
            if (!section.name.empty() && section.field(item.key()) != nullptr) {
                nearest = section.field(item.key())->path; // the right key at the wrong place
            }
        }
        if (!nearest.empty()) {
            allowed += fmt::format("; did you mean \"{}\"?", nearest);
        }
        reading.report(path.empty() ? shownText(item.key()) : path + "." + shownText(item.key()), "an unknown key",
                       allowed);
    }
}

} // namespace ridgepoint
