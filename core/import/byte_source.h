// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes at any place of a large file or of a text in memory, so that a header is read without loading what follows it.
#pragma once

#include "core/scenario/problem.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridgepoint {

class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource &) = delete;
    ByteSource &operator=(const ByteSource &) = delete;
    virtual ~ByteSource() = default;

    virtual std::uint64_t size() const = 0;
    /// Copies up to `length` bytes from `offset` on; fewer only at the end, or where the system cannot read on.
    virtual std::size_t read(std::uint64_t offset, char *into, std::size_t length) const = 0;
};

/// Pre: the text outlives this.
class MemorySource final : public ByteSource {
public:
    explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
    std::uint64_t size() const override { return bytes_.size(); }
    std::size_t read(std::uint64_t offset, char *into, std::size_t length) const override;

private:
    std::string_view bytes_;
};

/// A regular file, read in place.
class FileSource final : public ByteSource {
public:
    /// `what` names the file's kind in messages, as `GGUF`. Look at problems() before use: it holds what the system
    /// said, or that this is no regular file.
    FileSource(const std::string &path, std::string_view what);
    ~FileSource() override;

    const Problems &problems() const { return problems_; }
    std::uint64_t size() const override { return size_; }
    std::size_t read(std::uint64_t offset, char *into, std::size_t length) const override;

private:
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    Problems problems_;
};

} // namespace ridgepoint
