package dev.heddle.internal.procs;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads [CpuLimits]; made to be asked once a second. Any thread.
///
/// `/proc/self/cgroup` is read each time, since a process can be moved; the mount table, which can be large, only when
/// it names another cgroup, or while no directory has been found.
final class CpuLimitsReader {
    static final String STATUS = "/proc/self/status";
    private static final String ALLOWED = "\nCpus_allowed_list:";

    private final SystemFiles files;
    private final int fallbackCpus;
    private volatile @Nullable Discovery last; // racing readers find the same thing

    /// What `/proc/self/cgroup` led to.
    private record Discovery(String text, @Nullable CpuCgroup cgroup) {}

    /// @param fallbackCpus the CPU count to use where the kernel does not tell which CPUs may be used
    CpuLimitsReader(SystemFiles files, int fallbackCpus) {
        if (fallbackCpus < 1) {
            throw new IllegalArgumentException("fallbackCpus " + fallbackCpus + " is below 1");
        }
        this.files = files;
        this.fallbackCpus = fallbackCpus;
    }

    CpuLimits read() {
        Problems problems = new Problems();
        CpuSet affinity = affinity(problems);
        int cpus = affinity == null ? fallbackCpus : affinity.size();
        CpuCgroup cgroup = cgroup(problems);
        if (cgroup == null) {
            return new CpuLimits(cpus, affinity, null, null, Throttling.NONE, problems.text());
        }
        CpuQuota quota = cgroup.smallestQuota(files, problems);
        Throttling throttling = cgroup.throttling(files, problems);
        String name = cgroup.group().concat(cgroup.version() == 1 ? " (cgroup v1)" : " (cgroup v2)");
        return new CpuLimits(cpus, affinity, name, quota, throttling, problems.text());
    }

    /// The CPUs of the process's first thread, the one that `taskset -p` changes: what sched_getaffinity(2)
    /// would say of it, whatever CPU the calling thread may be pinned to.
    /// Go: getCPUCount.
    private @Nullable CpuSet affinity(Problems problems) {
        try {
            String text = files.read(STATUS);
            if (text == null) {
                return null; // not Linux, or no /proc
            }
            int start = text.indexOf(ALLOWED);
            int end = start < 0 ? -1 : text.indexOf('\n', start + 1);
            if (end < 0) {
                throw new MalformedFileException(STATUS, "it has no line Cpus_allowed_list");
            }
            String list = text.substring(start + ALLOWED.length(), end).strip();
            CpuSet set = parse(list);
            if (set == null || set.isEmpty()) {
                throw new MalformedFileException(STATUS, "Cpus_allowed_list is not a list of CPUs", list);
            }
            return set;
        } catch (IOException e) {
            problems.add(e);
            return null;
        }
    }

    private static @Nullable CpuSet parse(String list) {
        try {
            return CpuSet.parse(list);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private @Nullable CpuCgroup cgroup(Problems problems) {
        try {
            String text = files.read(CgroupPath.FILE);
            if (text == null) {
                return null;
            }
            Discovery known = last;
            if (known != null && known.text.equals(text)) {
                return known.cgroup;
            }
            CgroupPath path = CgroupPath.parse(text);
            CpuCgroup found = path == null ? null : locate(path, problems);
            if (path == null || found != null) {
                last = new Discovery(text, found);
            }
            return found;
        } catch (IOException e) {
            problems.add(e);
            return null;
        }
    }

    private @Nullable CpuCgroup locate(CgroupPath path, Problems problems) throws IOException {
        String mounts = files.read(MountInfo.FILE);
        MountInfo.Location location = mounts == null ? null : MountInfo.locate(mounts, path);
        if (location == null) {
            problems.add("no mount in " + MountInfo.FILE + " shows the cgroup " + path.path());
            return null;
        }
        return CpuCgroup.at(path, location);
    }
}
