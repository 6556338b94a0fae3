package dev.heddle.internal.procs;

import org.jspecify.annotations.Nullable;

/// Finds the directory in which a cgroup's files appear, from `/proc/self/mountinfo`.
///
/// ```
/// 36 35 98:0 /root /mount/point rw,noatime master:1 - cgroup cgroup rw,cpu,cpuacct
/// id parent dev (4)     (5)      options   optional    type  source super options
/// ```
///
/// In (4) and (5) space, tab, newline and backslash are written as octal escapes, see proc_pid_mountinfo(5).
final class MountInfo {
    static final String FILE = "/proc/self/mountinfo";

    /// A mounted directory that shows a cgroup.
    ///
    /// @param mountPoint where the hierarchy, or a part of it, is mounted
    /// @param relative the cgroup below it: empty for the mount point itself, else it starts with `/`
    record Location(String mountPoint, String relative) {}

    private MountInfo() {}

    /// The first mount that shows `cgroup`. Of a mount below the root of its hierarchy (a container's), the
    /// root's path is taken off. A mount that could show it only by way of `..` (outside this cgroup
    /// namespace) does not count.
    ///
    /// Go: parseCPUMount (internal/runtime/cgroup).
    ///
    /// @return null if no mount shows it
    static @Nullable Location locate(String text, CgroupPath cgroup) throws MalformedFileException {
        for (int start = 0; start < text.length(); ) {
            int end = text.indexOf('\n', start);
            if (end < 0) {
                end = text.length();
            }
            Location found = locateOnLine(text.substring(start, end), cgroup);
            if (found != null) {
                return found;
            }
            start = end + 1;
        }
        return null;
    }

    private static @Nullable Location locateOnLine(String line, CgroupPath cgroup) throws MalformedFileException {
        int rootStart = afterSpaces(line, 0, 3);
        int mountStart = afterSpaces(line, rootStart, 1);
        int optionsStart = afterSpaces(line, mountStart, 1);
        int separator = line.indexOf(" - ", optionsStart);
        if (separator < 0) {
            throw new MalformedFileException(FILE, "a line has no \" - \"", line);
        }
        int typeStart = separator + 3;
        int sourceStart = afterSpaces(line, typeStart, 1);
        String type = line.substring(typeStart, sourceStart - 1);
        if (!type.equals(cgroup.version() == 1 ? "cgroup" : "cgroup2")) {
            return null;
        }
        if (cgroup.version() == 1) {
            int superStart = afterSpaces(line, sourceStart, 1);
            if (!CgroupPath.containsCpu(line, superStart, line.length())) {
                return null;
            }
        }
        String root = unescape(line.substring(rootStart, mountStart - 1));
        if (!root.startsWith("/")) {
            throw new MalformedFileException(FILE, "the root of a mount does not start with /", line);
        }
        String relative = below(root, cgroup.path());
        if (relative == null) {
            return null;
        }
        String mountPoint = unescape(line.substring(mountStart, optionsStart - 1));
        if (mountPoint.length() + relative.length() > CgroupPath.MAX_PATH) {
            throw new MalformedFileException(FILE, "the path of the cgroup is longer than 4096", mountPoint);
        }
        return new Location(mountPoint, relative);
    }

    private static int afterSpaces(String line, int from, int count) throws MalformedFileException {
        int position = from;
        for (int i = 0; i < count; i++) {
            int space = line.indexOf(' ', position);
            if (space < 0) {
                throw new MalformedFileException(FILE, "a line has too few fields", line);
            }
            position = space + 1;
        }
        return position;
    }

    /// `path` without its leading `root`, or null if it is not below `root`.
    private static @Nullable String below(String root, String path) {
        String relative;
        if (root.equals("/")) {
            relative = path.equals("/") ? "" : path;
        } else if (path.startsWith(root) && (path.length() == root.length() || path.charAt(root.length()) == '/')) {
            relative = path.substring(root.length());
        } else {
            return null;
        }
        return relative.equals("/..") || relative.startsWith("/../") ? null : relative;
    }

    /// Undoes the kernel's octal escapes (seq_path).
    /// Go: unescapePath.
    static String unescape(String path) throws MalformedFileException {
        int backslash = path.indexOf('\\');
        if (backslash < 0) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length());
        int from = 0;
        while (backslash >= 0) {
            out.append(path, from, backslash);
            int code = 0;
            for (int i = 1; i <= 3; i++) {
                int digit = backslash + i < path.length() ? path.charAt(backslash + i) - '0' : -1;
                if (digit < 0 || digit > 7) {
                    throw new MalformedFileException(FILE, "a backslash is not followed by three octal digits", path);
                }
                code = code * 8 + digit;
            }
            if (code > 0x7f) { // half a character: the kernel escapes only ASCII
                throw new MalformedFileException(FILE, "an escape is above \\177", path);
            }
            out.append((char) code);
            from = backslash + 4;
            backslash = path.indexOf('\\', from);
        }
        return out.append(path, from, path.length()).toString();
    }
}
