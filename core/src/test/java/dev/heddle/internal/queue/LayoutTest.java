package dev.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;

/// The padding does what it claims in the JVM that runs this test.
class LayoutTest {
    private static final long APART = 128; // two cache lines: x86 prefetches them in pairs

    private static Map<String, Long> offsets() {
        var offsets = new LinkedHashMap<String, Long>();
        for (var field : ClassLayout.parseClass(LocalRunQueue.class).fields()) {
            offsets.put(field.name(), field.offset());
        }
        return offsets;
    }

    @Test
    void headIsAloneOnItsCacheLines() {
        var offsets = offsets();
        long head = offsets.get("head");
        assertThat(head).as("away from the header and the object before").isGreaterThanOrEqualTo(APART);
        for (String other : new String[] {"tail", "cleared", "runNext", "slots", "mask", "stranded"}) {
            assertThat(Math.abs(offsets.get(other) - head))
                    .as("head to %s", other)
                    .isGreaterThanOrEqualTo(APART);
        }
    }

    @Test
    void whatThievesOnlyReadIsAwayFromWhatTheOwnerWrites() {
        var offsets = offsets();
        for (String written : new String[] {"tail", "cleared", "runNext"}) {
            for (String constant : new String[] {"slots", "mask"}) {
                assertThat(Math.abs(offsets.get(written) - offsets.get(constant)))
                        .as("%s to %s", written, constant)
                        .isGreaterThanOrEqualTo(APART);
            }
        }
    }

    @Test
    void theOwnersFieldsShareACacheLine() {
        var offsets = offsets();
        assertThat(Math.abs(offsets.get("tail") - offsets.get("runNext"))).isLessThan(64);
        assertThat(Math.abs(offsets.get("tail") - offsets.get("cleared"))).isLessThan(64);
    }
}
