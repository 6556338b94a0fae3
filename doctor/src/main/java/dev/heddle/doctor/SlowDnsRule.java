package dev.heddle.doctor;

import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Goroutines that wait for the address of a host name.
///
/// The JDK asks the system's resolver by a blocking call, which keeps the carrier thread, and others that want the same
/// name wait behind a lock.
final class SlowDnsRule implements Rule {

    /// Share of the dumps at which a name is looked up. A lookup takes a millisecond and is cached for 30 s.
    private static final double SHARE = 0.3;

    /// Lookups that were seen in two successive dumps, so that they took longer than the time between dumps.
    private static final int LONG_ONES = 3;

    private static final int DUMPS = 3;

    private static final String[] LOOKUPS = {
        "getAddressesFromNameService", "getHostFromNameService", "lookupByName", "lookupByAddress", "lookupAllHostAddr"
    };

    @Override
    public Cause cause() {
        return Cause.SLOW_DNS;
    }

    @Override
    public Optional<Finding> check(Observation seen) {
        List<Dump> dumps = seen.dumps();
        if (dumps.size() < DUMPS) {
            return Optional.empty();
        }
        int looks = 0;
        int inLookup = 0;
        int longOnes = 0;
        Set<Long> before = Set.of();
        GoroutineSample last = null;
        for (Dump dump : dumps) {
            Set<Long> now = new HashSet<>();
            for (GoroutineStats goroutine : dump.goroutines()) {
                GoroutineSample sample = GoroutineSample.of(goroutine);
                if (isInLookup(sample)) {
                    now.add(goroutine.id());
                    last = sample;
                }
            }
            looks += now.isEmpty() ? 0 : 1;
            inLookup += now.size();
            for (Long id : now) {
                longOnes += before.contains(id) ? 1 : 0;
            }
            before = now;
        }
        if (last == null || looks < SHARE * dumps.size() || longOnes < LONG_ONES) {
            return Optional.empty();
        }
        return Optional.of(Finding.of(
                        Cause.SLOW_DNS,
                        "at %d of %d looks a host name was being looked up, by %.1f goroutines on average"
                                .formatted(looks, dumps.size(), (double) inLookup / dumps.size()),
                        "%d times the same goroutine was still at it at the next look, %.0f ms later"
                                .formatted(longOnes, seen.seconds() * 1e3 / dumps.size()))
                .at(last));
    }

    private static boolean isInLookup(GoroutineSample sample) {
        return sample.frames().stream()
                .anyMatch(it -> it.className().startsWith("java.net.Inet") && it.is(it.className(), LOOKUPS)
                        || it.className().equals("java.net.InetAddress$NameServiceAddresses"));
    }
}
