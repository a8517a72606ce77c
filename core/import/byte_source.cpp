// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Files and texts as sources of bytes.
#include "core/import/byte_source.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace ridgepoint {

std::size_t MemorySource::read(std::uint64_t offset, char *into, std::size_t length) const {
    if (offset >= bytes_.size()) {
        return 0;
    }
    const auto at = static_cast<std::size_t>(offset);
    return bytes_.copy(into, length, at);
}

FileSource::FileSource(const std::string &path, std::string_view what) {
    // A pipe without a writer would otherwise keep open() waiting.
    descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status {};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) {
        problems_.push_back(
            {"", std::generic_category().message(errno), fmt::format("a {} file that can be read", what)});
    } else if (!S_ISREG(status.st_mode)) {
        problems_.push_back({"", S_ISDIR(status.st_mode) ? "a folder" : "something that is no regular file",
                             fmt::format("a {} file", what)});
    } else {
        size_ = static_cast<std::uint64_t>(status.st_size);
    }
}

FileSource::~FileSource() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

std::size_t FileSource::read(std::uint64_t offset, char *into, std::size_t length) const {
    std::size_t done = 0;
    while (done < length && offset + done < size_) {
        const ssize_t got = pread(descriptor_, into + done, length - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

} // namespace ridgepoint
