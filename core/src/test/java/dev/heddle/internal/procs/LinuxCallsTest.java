package dev.heddle.internal.procs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.internal.access.SharedSecrets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LinuxCallsTest {
    private final LinuxCalls calls =
            LinuxCalls.load(SharedSecrets.getJavaLangAccess()::addEnableNativeAccessToAllUnnamed);

    /// Runs on a thread that ends afterwards: neither affinity nor niceness can be given back for sure.
    private static <T> T onOwnThread(Callable<T> body) throws Exception {
        FutureTask<T> task = new FutureTask<>(body);
        Thread.ofPlatform().start(task);
        return task.get();
    }

    private static String status(String key) throws Exception {
        String text = SystemFiles.real().read("/proc/thread-self/status");
        int start = text.indexOf("\n" + key + ":") + key.length() + 2;
        return text.substring(start, text.indexOf('\n', start)).strip();
    }

    private static int threadId() throws Exception {
        return Integer.parseInt(status("Pid"));
    }

    @Test
    void pinsOneThread() throws Exception {
        CpuSet allowed = CpuSet.parse(status("Cpus_allowed_list"));
        CpuSet last = CpuSet.of(allowed.toArray()[allowed.size() - 1]);

        onOwnThread(() -> {
            assertThat(calls.setAffinity(threadId(), last)).isNull();
            assertThat(status("Cpus_allowed_list")).isEqualTo(last.toString());
            return null;
        });
        assertThat(status("Cpus_allowed_list")).isEqualTo(allowed.toString());
    }

    @Test
    void pinsAnotherThread() throws Exception {
        CpuSet allowed = CpuSet.parse(status("Cpus_allowed_list"));
        CpuSet first = CpuSet.of(allowed.next(0));
        AtomicInteger victim = new AtomicInteger();
        onOwnThread(() -> {
            victim.set(threadId());
            assertThat(onOwnThread(() -> calls.setAffinity(victim.get(), first)))
                    .isNull();
            assertThat(status("Cpus_allowed_list")).isEqualTo(first.toString());
            return null;
        });
    }

    @Test
    void demotesOneThread() throws Exception {
        String before = niceness();
        onOwnThread(() -> {
            int lower = Math.min(19, Integer.parseInt(before) + 10);
            assertThat(calls.setNiceness(threadId(), lower)).isNull();
            assertThat(niceness()).isEqualTo(String.valueOf(lower));
            return null;
        });
        assertThat(niceness()).isEqualTo(before);
    }

    /// The niceness is raised and never lowered, which would need privilege.
    @Test
    void lengthensTheSliceOfOneThread() throws Exception {
        String before = niceness();
        int lower = Math.min(19, Integer.parseInt(before) + 10);
        long usual = calls.slice(0);
        onOwnThread(() -> {
            assertThat(calls.setSlice(threadId(), lower, 20_000_000)).isNull();
            assertThat(niceness()).isEqualTo(String.valueOf(lower));
            assertThat(calls.setSlice(0, 0, 30_000_000)).isNull();
            assertThat(niceness()).isEqualTo(String.valueOf(lower));
            if (usual > 0) { // before Linux 6.12 there are no slices of threads
                assertThat(calls.slice(0)).isEqualTo(30_000_000);
                assertThat(calls.setSlice(0, 0, 0)).isNull();
                assertThat(calls.slice(0)).isEqualTo(usual);
            }
            return null;
        });
        assertThat(niceness()).isEqualTo(before);
        assertThat(calls.slice(0)).isEqualTo(usual);
    }

    /// Field 19 of `stat`; the name before it may contain anything, so count from its closing parenthesis.
    private static String niceness() throws Exception {
        String stat = SystemFiles.real().read("/proc/thread-self/stat");
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16];
    }

    @Test
    void failuresAreOneSentence() {
        int nobody = Integer.MAX_VALUE;

        assertThat(calls.setAffinity(nobody, CpuSet.of(0)))
                .isEqualTo("thread 2147483647 cannot be pinned to CPU 0: there is no such thread");
        assertThat(calls.setAffinity(0, CpuSet.of(4095)))
                .isEqualTo("thread 0 cannot be pinned to CPU 4095: none of these CPUs may be used by this process");
        assertThat(calls.setNiceness(nobody, 10)).isEqualTo("thread 2147483647 cannot be given niceness 10");
        assertThat(calls.setSlice(nobody, 10, 1_000_000))
                .isEqualTo("thread 2147483647 cannot be given a slice of 1000000 ns");
        assertThat(calls.slice(nobody)).isEqualTo(-1);
    }

    @Test
    void nativeAccessIsAskedForFirst() {
        AtomicInteger asked = new AtomicInteger();
        LinuxCalls.load(asked::incrementAndGet);

        assertThat(asked).hasValue(1);
    }
}
