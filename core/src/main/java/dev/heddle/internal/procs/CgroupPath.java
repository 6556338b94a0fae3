package dev.heddle.internal.procs;

import org.jspecify.annotations.Nullable;

/// Which cgroup limits this process's CPU time, as `/proc/self/cgroup` names it.
///
/// @param version 1 or 2
/// @param path its path within the hierarchy, `/` for the root
record CgroupPath(int version, String path) {
    static final String FILE = "/proc/self/cgroup";

    /// Longer paths cannot be opened (PATH_MAX).
    static final int MAX_PATH = 4096;

    /// Reads `/proc/self/cgroup`: lines of `hierarchy-id:controllers:path`, see cgroups(7). A v1 hierarchy with the
    /// controller `cpu` wins over the v2 hierarchy, which has id 0 and no controller list.
    ///
    /// Go: parseCPUCgroup (internal/runtime/cgroup).
    ///
    /// @return null if the process is in no cgroup that could limit its CPU time
    static @Nullable CgroupPath parse(String text) throws MalformedFileException {
        String unified = null;
        for (int start = 0; start < text.length(); ) {
            int end = text.indexOf('\n', start);
            if (end < 0) {
                end = text.length();
            }
            int first = text.indexOf(':', start);
            int second = first < 0 ? -1 : text.indexOf(':', first + 1);
            if (second < 0 || second >= end) {
                throw new MalformedFileException(FILE, "a line is not id:controllers:path", text.substring(start, end));
            }
            String path = text.substring(second + 1, end);
            if (!path.startsWith("/")) {
                throw new MalformedFileException(FILE, "a path does not start with /", text.substring(start, end));
            }
            if (path.length() > MAX_PATH) {
                throw new MalformedFileException(FILE, "a path is longer than 4096", path);
            }
            if (first - start == 1 && text.charAt(start) == '0') {
                unified = path;
            } else if (containsCpu(text, first + 1, second)) {
                return new CgroupPath(1, path);
            }
            start = end + 1;
        }
        return unified == null ? null : new CgroupPath(2, unified);
    }

    /// Whether the comma-separated words of `text[from, to)` include `cpu`.
    /// Go: containsCPU.
    static boolean containsCpu(String text, int from, int to) {
        while (from < to) {
            int comma = text.indexOf(',', from);
            int end = comma < 0 || comma > to ? to : comma;
            if (end - from == 3 && text.startsWith("cpu", from)) {
                return true;
            }
            from = end + 1;
        }
        return false;
    }
}
