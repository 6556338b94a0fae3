package dev.heddle.doctor;

import dev.heddle.internal.observe.Blocker;
import dev.heddle.internal.observe.Dump;
import dev.heddle.stats.GoroutineStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The threads that wait for one scarce thing in one dump: a permit of a semaphore, a connection of a pool, an entry of
/// a queue that serves as a pool.
///
/// @param key     tells it from others, in all dumps
/// @param name    for display
/// @param option  the setting that makes it larger, for display
/// @param waiters the threads that wait for it
/// @param numbers the number of each waiter's wait, by thread; the same number in the next dump means the same wait
record Scarce(String key, String name, String option, List<GoroutineSample> waiters, Map<Long, Integer> numbers) {

    /// A pool of a library, known by the method in which its users wait.
    private record Known(String className, List<String> methods, String name, String option) {}

    private static final List<Known> LIBRARIES = List.of(
            new Known(
                    "com.zaxxer.hikari.pool.HikariPool",
                    List.of("getConnection"),
                    "HikariCP",
                    "maximumPoolSize of HikariCP"),
            new Known(
                    "org.apache.commons.pool2.impl.GenericObjectPool",
                    List.of("borrowObject"),
                    "the pool of commons-pool2",
                    "maxTotal"),
            new Known(
                    "org.apache.tomcat.jdbc.pool.ConnectionPool",
                    List.of("borrowConnection"),
                    "the JDBC pool of Tomcat",
                    "maxActive"),
            new Known(
                    "com.mchange.v2.resourcepool.BasicResourcePool",
                    List.of("checkoutResource", "awaitAvailable"),
                    "c3p0",
                    "maxPoolSize"),
            new Known("io.agroal.pool.ConnectionPool", List.of("getConnection"), "Agroal", "max-size"),
            new Known(
                    "org.apache.http.pool.AbstractConnPool",
                    List.of("getPoolEntryBlocking"),
                    "the connection pool of HttpClient 4",
                    "setMaxTotal and setDefaultMaxPerRoute"),
            new Known(
                    "com.mongodb.internal.connection.ConcurrentPool",
                    List.of("get"),
                    "the connection pool of the MongoDB driver",
                    "maxPoolSize"),
            new Known(
                    "org.h2.jdbcx.JdbcConnectionPool",
                    List.of("getConnection"),
                    "the JdbcConnectionPool of H2",
                    "setMaxConnections"));

    private static final String SEMAPHORE = "java.util.concurrent.Semaphore";
    private static final String CONDITION = "java.util.concurrent.locks.Condition";

    /// All scarce things of a dump, by key.
    static Map<String, Scarce> in(Dump dump, CodeReader code) {
        Map<String, Blocker> blockers = new HashMap<>();
        dump.blockers().forEach(it -> blockers.put(it.id(), it));
        Map<String, Scarce> all = new LinkedHashMap<>();
        for (GoroutineStats thread : Locks.byId(dump).values()) {
            GoroutineSample sighting = GoroutineSample.of(thread);
            if (!sighting.isWaiting() || sighting.usersTop() == null) {
                continue;
            }
            Blocker blocker = thread.blocker() == null ? null : blockers.get(thread.blocker());
            Scarce kind = kindOf(sighting, blocker, code);
            if (kind != null) {
                Scarce scarce = all.computeIfAbsent(kind.key, _ -> kind);
                scarce.waiters.add(sighting);
                scarce.numbers.put(thread.id(), numberOf(thread.id(), blocker));
            }
        }
        return all;
    }

    /// 0 for a wait at a monitor, which has no number.
    private static int numberOf(long thread, @Nullable Blocker blocker) {
        return blocker == null
                ? 0
                : blocker.line().stream()
                        .filter(it -> it.thread() == thread)
                        .mapToInt(Blocker.Place::number)
                        .findFirst()
                        .orElse(0);
    }

    /// What the thread waits for; null if that is no scarce thing. A semaphore or queue is one if the code
    /// that takes from it also gives back. A worker that waits for a signal or a task only takes.
    private static @Nullable Scarce kindOf(GoroutineSample sighting, @Nullable Blocker blocker, CodeReader code) {
        for (Known library : LIBRARIES) {
            if (sighting.isIn(library.className, library.methods.toArray(String[]::new))
                    && !sighting.waitsFor("IO wait")) { // it opens a connection
                return empty(library.className, library.name, library.option);
            }
        }
        if (blocker != null && blocker.type().equals(SEMAPHORE) && givesBack(sighting, code)) {
            return empty(blocker.id(), "a Semaphore", "the number of permits with which it is made");
        }
        boolean inQueue =
                (blocker != null && blocker.type().equals(CONDITION)) || sighting.waitsFor("chan receive", "chan send");
        Frame top = sighting.usersTop();
        if (inQueue && top != null && givesBackToQueue(sighting, code)) {
            String id = blocker == null ? top.className() + "." + top.method() : blocker.id();
            return empty(
                    id,
                    "a queue that serves as a pool (%s.%s)".formatted(top.className(), top.method()),
                    "the number of entries that are put into it at first");
        }
        return top == null ? null : handWritten(sighting, top, blocker, code);
    }

    /// A pool that the program has written itself, with `wait` and `notify` or a condition: the code that
    /// calls the method which waits also calls another one that wakes a waiter, which is how it gives back.
    private static @Nullable Scarce handWritten(
            GoroutineSample sighting, Frame top, @Nullable Blocker blocker, CodeReader code) {
        boolean waits = WaitKind.of(sighting)
                .filter(it -> it == WaitKind.MONITOR || it == WaitKind.CONDITION)
                .isPresent();
        String id = blocker == null ? sighting.goroutine().blocker() : blocker.id();
        if (!waits || id == null) {
            return null;
        }
        boolean givesBack = sighting.users(DEPTH + 1).stream()
                .skip(1) // the method that waits may wake others for its own reasons
                .anyMatch(it -> code.callsWakingMethod(it, top));
        return givesBack
                ? empty(
                        id,
                        "a pool of the program's own (%s.%s)".formatted(top.className(), top.method()),
                        "the number of entries with which it is made")
                : null;
    }

    private static Scarce empty(String key, String name, String option) {
        return new Scarce(key, name, option, new ArrayList<>(), new HashMap<>());
    }

    /// How many callers may be between the code that takes and the code that uses and gives back.
    private static final int DEPTH = 3;

    private static boolean givesBack(GoroutineSample sighting, CodeReader code) {
        return sighting.users(DEPTH).stream()
                .anyMatch(frame -> code.calls(frame).stream()
                        .anyMatch(it ->
                                it.owner().equals(SEMAPHORE) && it.method().equals("release")));
    }

    private static boolean givesBackToQueue(GoroutineSample sighting, CodeReader code) {
        return sighting.users(DEPTH).stream()
                .anyMatch(frame -> code.queues(frame).givesBack());
    }
}
