// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Strict JSON as a run of events, for texts too large to hold as values.
#pragma once

#include "core/import/text_window.h"
#include "core/scenario/problem.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ridgepoint {

/// Bounds that keep a hostile text from taking time or memory.
struct JsonLimits {
    std::size_t bytes = 8'000'000;
    int depth = 64;                    ///< objects and lists inside one another
    std::size_t values = 200'000;      ///< of the whole text
    std::size_t textBytes = 8'000'000; ///< of one key or text that is kept
};

/// Where an event is: `field` as `text_config.head_dim` (empty at the top), `byte` from the start of the file.
struct JsonPlace {
    const std::string &field;
    std::uint64_t byte;
};

/// Takes the events. Each returns false to stop the walk, after a problem of its own.
class JsonHandler {
public:
    virtual ~JsonHandler() = default;
    virtual bool beginObject(const JsonPlace &at) = 0;
    virtual bool beginList(const JsonPlace &at) = 0;
    /// Of an object or a list.
    virtual bool end() = 0;
    /// `at.field` ends with the key, `at.byte` is that of the key.
    virtual bool key(std::string &text, const JsonPlace &at) = 0;
    /// Text, number, true, false or null.
    virtual bool scalar(nlohmann::json value, const JsonPlace &at) = 0;

    /// Problem of the value at a place; a place without a field is named by its byte.
    bool fail(const JsonPlace &at, std::string found, std::string allowed);
    Problems problems;
};

/// Walks one value and the blanks around it up to the text's end. The grammar is that of RFC 8259 and nothing more, in
/// UTF-8. False after a problem, the handler's or one of the syntax; both are in `handler.problems`.
bool walkStrictJson(TextWindow &text, const JsonLimits &limits, JsonHandler &handler);

} // namespace ridgepoint
