// SPDX-FileCopyrightText: The Ridgepoint authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Writes results and problems.
#include "app/output.h"

#include "core/import/strict_json.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <unistd.h>

namespace ridgepoint {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

int refuse(const std::string &path, int error) {
    std::fprintf(stderr, "%s: cannot be written: %s\n", shownName(path).c_str(),
                 std::generic_category().message(error).c_str());
    return ExitCannotWrite;
}

/// 0, or the error number.
int writeAll(std::FILE *file, std::string_view text) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0) {
        return errno != 0 ? errno : EIO;
    }
    return 0;
}

/// Devices and pipes are written as they are: nothing stands beside them and renaming would replace them.
int writeInPlace(const std::string &path, std::string_view text) {
    const File file(std::fopen(path.c_str(), "wb"), std::fclose);
    if (!file) {
        return refuse(path, errno);
    }
    const int error = writeAll(file.get(), text);
    return error == 0 ? int{ExitDone} : refuse(path, error);
}

} // namespace

std::string shownName(std::string_view name) {
    constexpr std::size_t longest = 16384;
    return shownText(name, longest);
}

void printProblems(std::string_view file, const Problems &problems) {
    const std::string name = shownName(file);
    for (const Problem &problem : problems) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), shownName(problem.message()).c_str());
    }
}

int writeOutput(const std::string &path, std::string_view text) {
    if (path.empty()) {
        const int error = writeAll(stdout, text);
        return error == 0 ? int{ExitDone} : refuse("standard output", error);
    }
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(status)) {
        return refuse(path, EISDIR);
    }
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        return writeInPlace(path, text);
    }
    // Through a link, the file it leads to is the one that is replaced.
    std::filesystem::path target = std::filesystem::weakly_canonical(path, ignored);
    if (target.empty()) {
        target = path;
    }
    std::string beside = (target.parent_path() / ".ridgepoint-XXXXXX").string();
    const int descriptor = mkstemp(beside.data());
    if (descriptor < 0) {
        return refuse(path, errno);
    }
    File file(fdopen(descriptor, "wb"), std::fclose);
    int error = file ? writeAll(file.get(), text) : errno;
    if (error == 0 && std::fclose(file.release()) != 0) {
        error = errno;
    }
    if (error == 0) {
        std::error_code code;
        using std::filesystem::perms;
        std::filesystem::permissions(beside, std::filesystem::exists(status) ? status.permissions() : perms(0644),
                                     code);
        std::filesystem::rename(beside, target, code);
        error = code.value();
    }
    if (error != 0) {
        std::filesystem::remove(beside, ignored);
        return refuse(path, error);
    }
    return ExitDone;
}

} // namespace ridgepoint
