package dev.heddle.internal.procs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cgroup that limits this process's CPU time, with its ancestors as far as they are mounted.
///
/// Go reads only the leaf; a pod's or a slice's quota above it stops the process just the same, so here the smallest
/// quota on the way up counts.
final class CpuCgroup {
    private final int version;
    private final Level[] levels; // the leaf first

    /// One group on the way up.
    ///
    /// @param group its path, as `/proc/self/cgroup` names it
    /// @param quotaFile `cpu.max`, or `cpu.cfs_quota_us` of v1
    /// @param periodFile null for v2, whose quota file has the period too
    private record Level(
            String group, String quotaFile, @Nullable String periodFile, String statFile) {}

    private CpuCgroup(int version, Level[] levels) {
        this.version = version;
        this.levels = levels;
    }

    static CpuCgroup at(CgroupPath cgroup, MountInfo.Location location) {
        List<Level> levels = new ArrayList<>();
        String group = cgroup.path();
        String relative = location.relative();
        boolean isTop;
        do {
            isTop = relative.isEmpty();
            levels.add(level(cgroup.version(), group, location.mountPoint().concat(relative)));
            relative = parent(relative, "");
            group = parent(group, "/");
        } while (!isTop);
        return new CpuCgroup(cgroup.version(), levels.toArray(new Level[0]));
    }

    private static Level level(int version, String group, String directory) {
        String stat = directory.concat("/cpu.stat");
        return version == 1
                ? new Level(group, directory.concat("/cpu.cfs_quota_us"), directory.concat("/cpu.cfs_period_us"), stat)
                : new Level(group, directory.concat("/cpu.max"), null, stat);
    }

    private static String parent(String path, String top) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? top : path.substring(0, slash);
    }

    /// 1 or 2.
    int version() {
        return version;
    }

    /// The leaf's path, as `/proc/self/cgroup` names it.
    String group() {
        return levels[0].group;
    }

    /// The smallest quota of the leaf and its ancestors, or null if none has one. A file that cannot be read or
    /// understood takes its level out and is reported; the other levels still count.
    @Nullable
    CpuQuota smallestQuota(SystemFiles files, Problems problems) {
        CpuQuota smallest = null;
        for (Level level : levels) {
            try {
                CpuQuota quota = quota(files, level);
                if (quota != null && (smallest == null || quota.cpus() < smallest.cpus())) {
                    smallest = quota;
                }
            } catch (IOException e) {
                problems.add(e);
            }
        }
        return smallest;
    }

    private static @Nullable CpuQuota quota(SystemFiles files, Level level) throws IOException {
        String text = files.read(level.quotaFile);
        if (text == null) {
            return null; // the root of a hierarchy, or a v2 group without the cpu controller
        }
        String periodFile = level.periodFile;
        if (periodFile == null) {
            return CpuQuota.parseV2(level.quotaFile, level.group, text);
        }
        long quota = CpuQuota.parseV1(level.quotaFile, text);
        if (quota < 0) {
            return null; // -1: no limit
        }
        String periodText = files.read(periodFile);
        if (periodText == null) {
            throw new IOException(periodFile + " is missing, though there is a quota beside it");
        }
        long period = CpuQuota.parseV1(periodFile, periodText);
        if (quota == 0) {
            throw new MalformedFileException(level.quotaFile, "a quota is not 0");
        }
        if (period <= 0) {
            throw new MalformedFileException(periodFile, "a period is above 0", periodText);
        }
        return new CpuQuota(quota, period, "cpu.cfs_quota_us", level.group);
    }

    /// The throttling of all levels together.
    Throttling throttling(SystemFiles files, Problems problems) {
        Throttling sum = Throttling.NONE;
        for (Level level : levels) {
            try {
                String text = files.read(level.statFile);
                if (text != null) {
                    sum = sum.plus(Throttling.parse(level.statFile, text));
                }
            } catch (IOException e) {
                problems.add(e);
            }
        }
        return sum;
    }
}
