package dev.heddle.internal.procs;

import static dev.heddle.internal.procs.ProcsWatcher.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Go: TestCgroupGOMAXPROCSUpdate, DontUpdate, SetDefault, NoLimit (runtime).
class ProcsWatcherTest {
    private static final long SECOND = ProcsWatcher.INTERVAL_NANOS;
    private static final String QUOTA = FakeFiles.LEAF + "cpu.max";

    private final FakeFiles files = FakeFiles.inCgroupV2();
    private long now = Long.MAX_VALUE - SECOND / 2; // nanoTime may wrap around, and does so in this test

    private ProcsWatcher watcher(ProcsSettings settings) {
        return new ProcsWatcher(files, settings, 5, now);
    }

    private int pollAfterASecond(ProcsWatcher watcher) {
        now += SECOND;
        return watcher.poll(now);
    }

    @Test
    void aChangedQuotaIsFollowed() {
        ProcsWatcher watcher = watcher(ProcsSettings.NONE);
        assertThat(watcher.decision().procs()).isEqualTo(8);

        files.put(QUOTA, "300000 100000\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(3);
        files.put(QUOTA, "200000 100000\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(2);
        files.put(QUOTA, "300000 100000\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(3);
        assertThat(watcher.decision().explain())
                .isEqualTo("procs=3: cpu.max 300000/100000 in /kubepods/x is 3 (affinity 8)");
        files.put(QUOTA, "max 100000\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(8);
        assertThat(pollAfterASecond(watcher)).isEqualTo(UNCHANGED);
    }

    @Test
    void aChangedAffinityIsFollowedAndNumCpuIsFrozen() {
        ProcsWatcher watcher = watcher(ProcsSettings.NONE);

        files.put(CpuLimitsReader.STATUS, "Name:\tjava\nCpus_allowed_list:\t2-4\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(3);
        assertThat(watcher.numCpu()).isEqualTo(8);
    }

    @Test
    void filesAreReadAtMostOnceASecond() {
        ProcsWatcher watcher = watcher(ProcsSettings.NONE);
        int reads = files.allReads();
        files.put(QUOTA, "300000 100000\n");

        assertThat(watcher.poll(now)).isEqualTo(UNCHANGED);
        assertThat(watcher.poll(now + SECOND - 1)).isEqualTo(UNCHANGED);
        assertThat(files.allReads()).isEqualTo(reads);
        assertThat(watcher.poll(now + SECOND)).isEqualTo(3);
        assertThat(watcher.poll(now + 2 * SECOND - 1)).isEqualTo(UNCHANGED);
        assertThat(files.allReads()).isLessThanOrEqualTo(2 * reads);
    }

    @Test
    void theReasonIsRefreshedThoughTheNumberStays() {
        files.put(QUOTA, "250000 100000\n");
        ProcsWatcher watcher = watcher(ProcsSettings.NONE);

        files.put(QUOTA, "300000 100000\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(UNCHANGED);
        assertThat(watcher.decision().explain()).contains("300000/100000");
    }

    @Test
    void filesThatBecomeMalformedGiveTheCpuCountAndASentence() {
        files.put(QUOTA, "300000 100000\n");
        ProcsWatcher watcher = watcher(ProcsSettings.NONE);

        files.put(QUOTA, "garbage\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(8);
        assertThat(watcher.decision().explain()).contains("cpu.max is malformed");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"4,-,-,4", "-,4,-,4", "-,-,0,3"})
    void explicitSettingsStopTheUpdates(String gomaxprocs, String property, String update, int expected) {
        files.put(QUOTA, "300000 100000\n");
        ProcsWatcher watcher = watcher(ProcsSettings.parse(gomaxprocs, property, null, null, update));

        files.put(QUOTA, "200000 100000\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(UNCHANGED);
        assertThat(watcher.decision().procs()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5}) // 3 is the number anyway: setting it stops the updates too
    void aCallStopsTheUpdatesAndSetDefaultResumesThem(int procs) {
        files.put(QUOTA, "300000 100000\n");
        ProcsWatcher watcher = watcher(ProcsSettings.NONE);

        assertThat(watcher.setExplicit(procs, "Go.gomaxprocs(" + procs + ")").explain())
                .isEqualTo("procs=" + procs + ": Go.gomaxprocs(" + procs
                        + ") (by default 3: cpu.max 300000/100000 in /kubepods/x is 3 (affinity 8))");
        files.put(QUOTA, "200000 100000\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(UNCHANGED);
        assertThat(watcher.decision().procs()).isEqualTo(procs);
        assertThat(watcher.decision().explain()).contains("(by default 2: "); // what setDefault would give

        files.put(QUOTA, "400000 100000\n");
        assertThat(watcher.setDefault().procs()).isEqualTo(4);
        assertThat(watcher.decision().procs()).isEqualTo(4);
        files.put(QUOTA, "200000 100000\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(2);
    }

    @Test
    void setDefaultForgetsTheEnvironmentToo() {
        ProcsWatcher watcher = watcher(ProcsSettings.parse("4", null, null, null, null));

        assertThat(watcher.setDefault().procs()).isEqualTo(8);
    }

    @Test
    void aPollThatLosesToAnExplicitSettingHasNoEffect() {
        var meddling = new SystemFiles() {
            @Nullable
            ProcsWatcher target;

            @Override
            public @Nullable String read(String path) throws IOException {
                if (target != null && path.equals(QUOTA)) {
                    target.setExplicit(6, "Go.gomaxprocs(6)");
                }
                return files.read(path);
            }
        };
        ProcsWatcher watcher = new ProcsWatcher(meddling, ProcsSettings.NONE, 5, now);
        meddling.target = watcher;
        files.put(QUOTA, "300000 100000\n");

        assertThat(pollAfterASecond(watcher)).isEqualTo(UNCHANGED);
        assertThat(watcher.decision().procs()).isEqualTo(6);
    }

    @Test
    void spinningIsWastedBelowTheQuotaAlsoWhenTheNumberIsFixed() {
        ProcsWatcher watcher = watcher(ProcsSettings.parse("4", null, null, null, null));
        assertThat(watcher.spinningWastesQuota()).isFalse();

        files.put(QUOTA, "399999 100000\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(UNCHANGED);
        assertThat(watcher.spinningWastesQuota()).isTrue();
        watcher.setExplicit(3, "me");
        assertThat(watcher.spinningWastesQuota()).isFalse();
        files.put(QUOTA, "200000 100000\n");
        assertThat(pollAfterASecond(watcher)).isEqualTo(UNCHANGED);
        assertThat(watcher.spinningWastesQuota()).isTrue();
    }

    @Test
    void spinningIsWastedWhileThrottled() {
        String stat = FakeFiles.LEAF + "cpu.stat";
        files.put(QUOTA, "800000 100000\n").put(stat, "nr_periods 10\nnr_throttled 4\nthrottled_usec 70\n");
        ProcsWatcher watcher = watcher(ProcsSettings.NONE);
        assertThat(watcher.isThrottledNow()).isFalse(); // what happened before the start does not count

        files.put(stat, "nr_periods 20\nnr_throttled 5\nthrottled_usec 90\n");
        pollAfterASecond(watcher);
        assertThat(watcher.isThrottledNow()).isTrue();
        assertThat(watcher.spinningWastesQuota()).isTrue();
        assertThat(watcher.limits().throttling()).isEqualTo(new Throttling(20, 5, 90_000));

        files.put(stat, "nr_periods 30\nnr_throttled 5\nthrottled_usec 90\n");
        pollAfterASecond(watcher);
        assertThat(watcher.isThrottledNow()).isFalse();
        assertThat(watcher.spinningWastesQuota()).isFalse();
    }
}
