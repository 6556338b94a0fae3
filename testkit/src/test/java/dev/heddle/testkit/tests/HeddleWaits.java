package dev.heddle.testkit.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Chan;
import dev.heddle.Context;
import dev.heddle.ErrGroup;
import dev.heddle.Go;
import dev.heddle.Select;
import dev.heddle.Ticker;
import dev.heddle.Timer;
import dev.heddle.WaitGroup;
import dev.heddle.testkit.Bubble;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// Every way of Heddle's API to wait for an hour, by its name.
final class HeddleWaits {

    private static final Duration HOUR = JdkWaits.HOUR;

    private HeddleWaits() {}

    static Map<String, Bubble.Body> all() {
        Map<String, Bubble.Body> waits = new LinkedHashMap<>();
        waits.put("WaitGroup.await", _ -> waitGroup());
        waits.put("ErrGroup of sleepers", _ -> errGroup());
        waits.put("Context.withTimeout", _ -> context());
        waits.put("Ticker", _ -> ticker());
        waits.put("Timer.after", _ -> Timer.after(HOUR).receive());
        waits.put("Select with timeout", _ -> select());
        waits.put("Chan from a sleeper", _ -> chan());
        return waits;
    }

    private static void waitGroup() throws InterruptedException {
        WaitGroup group = new WaitGroup();
        group.add(1);
        assertThat(group.await(HOUR)).isFalse();
        group.done();
    }

    private static void errGroup() throws Exception {
        ErrGroup group = new ErrGroup();
        group.go(() -> Thread.sleep(HOUR));
        group.go(() -> Thread.sleep(HOUR.dividedBy(2)));
        group.await();
    }

    private static void context() throws InterruptedException {
        Context context = Context.background().withTimeout(HOUR);
        Select.select(Select.receive(context.done()));
        assertThat(context.err()).isNotNull();
    }

    private static void ticker() throws InterruptedException {
        Ticker ticker = Ticker.make(HOUR.dividedBy(4));
        for (int i = 0; i < 4; i++) {
            ticker.c().receive();
        }
        ticker.stop();
    }

    private static void select() throws InterruptedException {
        Chan<String> never = Chan.make();
        Select.Case timeout = Select.timeout(HOUR);
        assertThat(Select.select(Select.receive(never), timeout)).isSameAs(timeout);
    }

    private static void chan() throws InterruptedException {
        Chan<String> chan = Chan.make();
        Go.go(() -> {
            Thread.sleep(HOUR);
            chan.send("hello");
        });
        assertThat(chan.receive()).isEqualTo("hello");
    }
}
