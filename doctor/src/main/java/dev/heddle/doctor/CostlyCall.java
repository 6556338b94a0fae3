package dev.heddle.doctor;

import java.util.List;
import java.util.Optional;

/// Calls of the JDK that cost far more than their line of code shows. A program that works well calls none of them so
/// often that most of its CPU time goes there.
///
/// The table is the whole knowledge: which frames show the call, what it is called in a report, and what to do instead.
enum CostlyCall {
    FAILURE(
            0.2,
            "attempts that fail, and their exceptions",
            "The attempts at PLACE fail and are made again: pause between two of them, longer each time and with some randomness, give up after a few, and stop asking for a while when most fail (circuit breaker). If the exception is the ordinary answer, return a value instead (Optional, a result record).",
            List.of(
                    in("java.lang.Throwable", "fillInStackTrace"),
                    in("java.lang.StackTraceElement"),
                    in("sun.nio.ch.Net", "connect", "connect0", "pollConnect", "pollConnectNow", "socket0"),
                    in("sun.nio.ch.NioSocketImpl", "connect", "create"))),
    EXPRESSION(
            0.5,
            "the matching of a regular expression",
            "A repetition inside a repetition, or two in a row that match the same text, are tried in all combinations when the text does not match at PLACE: make them possessive (*+, ++) or atomic ((?>...)), exclude the separator from the repeated class ([^,]* instead of .*), or parse by hand; and limit the length of the text.",
            List.of(in("java.util.regex.*"))),
    COUNTING(
            0.4,
            "a walk through all entries of a collection",
            "The call at PLACE walks through all entries each time: keep a counter (LongAdder, AtomicInteger) beside a ConcurrentLinkedQueue or use a queue that knows its size (LinkedBlockingQueue); ask a HashSet or HashMap for membership instead of a list; get by index from an ArrayList, not from a LinkedList.",
            List.of(
                    in("java.util.concurrent.ConcurrentLinkedQueue", "size", "contains", "remove", "succ"),
                    in("java.util.concurrent.ConcurrentLinkedDeque", "size", "contains", "removeFirstOccurrence"),
                    in("java.util.concurrent.LinkedTransferQueue", "size", "countOfMode", "contains", "remove"),
                    in("java.util.concurrent.LinkedBlockingQueue", "contains", "remove"),
                    in("java.util.concurrent.LinkedBlockingDeque", "contains", "remove"),
                    in("java.util.concurrent.ArrayBlockingQueue", "contains", "remove"),
                    in("java.util.concurrent.ConcurrentSkipListMap", "containsValue"),
                    in("java.util.concurrent.ConcurrentHashMap", "containsValue", "contains"),
                    in("java.util.concurrent.CopyOnWriteArrayList", "indexOf", "indexOfRange", "contains"),
                    in("java.util.HashMap", "containsValue"),
                    in("java.util.PriorityQueue", "indexOf", "contains", "remove"),
                    in("java.util.LinkedList", "node", "indexOf", "contains", "removeFirstOccurrence"),
                    in("java.util.ArrayList", "indexOf", "indexOfRange", "lastIndexOf", "contains"),
                    in("java.util.ImmutableCollections$ListN", "indexOf", "contains"),
                    in("java.util.ArrayDeque", "contains", "removeFirstOccurrence"),
                    in("java.util.AbstractCollection", "contains", "remove", "containsAll", "removeAll", "retainAll"))),
    COPYING(
            0.4,
            "copies of a whole collection or text",
            "The call at PLACE copies all that is there to add a little: collect in a StringBuilder or an ArrayList and copy once; use a ConcurrentHashMap or ConcurrentLinkedQueue where a CopyOnWriteArrayList is written often; take from the end of an ArrayList, or from an ArrayDeque, instead of remove(0).",
            List.of(
                    in("java.util.concurrent.CopyOnWriteArrayList", "add", "remove", "set", "addIfAbsent", "removeIf"),
                    in("java.util.concurrent.CopyOnWriteArraySet", "add", "remove"),
                    in("java.util.ArrayList", "fastRemove"),
                    in("java.lang.StringConcatHelper*"),
                    in("java.lang.String", "concat"))),
    COLLISIONS(
            0.5,
            "keys that fall into the same bin of a hash table",
            "The keys of the map at PLACE have the same hash code, or few different ones: make hashCode depend on all fields that differ (a record does), and do not change a key that is in a map. A HashMap that several threads change without a lock may also have a circle in a bin: use a ConcurrentHashMap.",
            List.of(
                    in("java.util.HashMap$TreeNode"),
                    in("java.util.concurrent.ConcurrentHashMap$TreeBin"),
                    in("java.util.concurrent.ConcurrentHashMap$TreeNode"))),
    STACKS(
            0.3,
            "pictures of stacks",
            "The call at PLACE walks a stack each time: do not log the caller's line (location, %L, %M) nor call Thread.getStackTrace in a hot path; pass what is needed as a parameter.",
            List.of(
                    in("java.lang.Thread", "getStackTrace", "getAllStackTraces", "dumpThreads", "dumpStack"),
                    in("java.lang.StackStreamFactory*"),
                    in("java.lang.StackWalker"))),
    LOOKING_UP(
            0.4,
            "classes, resources and services that are looked up anew",
            "The call at PLACE searches the class path each time: look it up once and keep it in a static final field.",
            List.of(
                    in("java.lang.ClassLoader", "getResource", "getResources", "getResourceAsStream"),
                    in("java.lang.Class", "forName", "forName0", "getResourceAsStream"),
                    in("java.util.ServiceLoader*"),
                    in("java.util.ResourceBundle*"))),
    PREPARING(
            0.5,
            "objects that are made anew for each use and meant to be kept",
            "What is made at PLACE is expensive to make and can be kept: a static final Pattern, DateTimeFormatter, factory or key, made once.",
            List.of(
                    in("java.util.regex.Pattern", "compile"),
                    in("java.time.format.DateTimeFormatterBuilder"),
                    in("java.text.SimpleDateFormat", "initialize", "<init>"),
                    in("java.text.DecimalFormatSymbols", "initialize"),
                    in("javax.xml.*"),
                    in("com.sun.org.apache.xerces.internal.jaxp.*"),
                    in("java.security.KeyPairGenerator*"),
                    in("java.net.http.HttpClient", "newHttpClient"))),
    DEEP_COPY(
            0.5,
            "the serialization of objects",
            "The objects at PLACE are written and read again by Java serialization: copy them by a constructor, or make them immutable (records) and share them.",
            List.of(in("java.io.ObjectOutputStream"), in("java.io.ObjectInputStream"))),
    COLLECTING(
            0.3,
            "collections of garbage that the program asks for",
            "Delete the call of System.gc at PLACE, or start the JVM with -XX:+DisableExplicitGC: the collector knows when it has to work.",
            List.of(in("java.lang.Runtime", "gc"), in("java.lang.System", "gc")));

    /// A class, or a prefix of class names if it ends with `*`, and its methods; all if none is named.
    private record Shown(String className, List<String> methods) {
        boolean by(Frame frame) {
            boolean isClass = className.endsWith("*")
                    ? frame.className().startsWith(className.substring(0, className.length() - 1))
                    : frame.className().equals(className);
            return isClass && (methods.isEmpty() || methods.contains(frame.method()));
        }
    }

    private static Shown in(String className, String... methods) {
        return new Shown(className, List.of(methods));
    }

    private final double share;
    private final String words;
    private final String remedy;
    private final List<Shown> shown;

    CostlyCall(double share, String words, String remedy, List<Shown> shown) {
        this.share = share;
        this.words = words;
        this.remedy = remedy;
        this.shown = shown;
    }

    /// The call that this thread has made from the program's own code; empty if it is another one.
    static Optional<CostlyCall> of(GoroutineSample sighting) {
        List<Frame> called =
                sighting.frames().stream().takeWhile(it -> !it.isUsers()).toList();
        if (called.size() == sighting.frames().size()) {
            return Optional.empty(); // no code of the program called it
        }
        for (CostlyCall kind : List.of(PREPARING, EXPRESSION)) { // the compiler of expressions has frames of both
            if (kind.isShownBy(called)) {
                return Optional.of(kind);
            }
        }
        for (CostlyCall kind : values()) {
            if (kind.isShownBy(called)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    private boolean isShownBy(List<Frame> called) {
        return called.stream().anyMatch(frame -> shown.stream().anyMatch(it -> it.by(frame)));
    }

    /// The share of the pictures of one place, 0 to 1, from which on this call is what the place is busy with.
    double share() {
        return share;
    }

    /// Whether these pictures of the call prove it. A connection that is opened looks the same whether it fails or not;
    /// only an exception tells.
    boolean isProvenBy(List<GoroutineSample> pictures) {
        return this != FAILURE || pictures.stream().anyMatch(it -> it.isIn("java.lang.Throwable", "fillInStackTrace"));
    }

    /// Whether a program that works on a batch may well spend its time so.
    boolean isOrdinary() {
        return this == EXPRESSION || this == DEEP_COPY;
    }

    /// What it is, in a few words.
    String words() {
        return words;
    }

    /// What to do instead, at this place.
    String remedyAt(String place) {
        return remedy.replace("PLACE", place);
    }
}
