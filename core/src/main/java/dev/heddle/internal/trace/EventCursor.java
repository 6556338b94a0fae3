package dev.heddle.internal.trace;

/// Decodes the events of one buffer one after the other into its own fields, and makes no objects but texts.
final class EventCursor {

    private static final int MOST_NUMBERS = 4;

    private final EventDecoder.Buffer buffer;
    private final boolean withTexts;
    private long goroutine;

    /// The event that was decoded last; [EventKind#CHUNK] before the first.
    EventKind kind = EventKind.CHUNK;

    /// Nanoseconds since the recording began.
    long time;

    /// The Java id of the thread that wrote it.
    long writer;

    /// The scheduler that it concerns; -1: none.
    int scheduler;

    /// Its numbers, in the order of its fields; of a name, the id. The others are 0.
    final long[] numbers = new long[MOST_NUMBERS];

    /// The id of its name; 0: it has none.
    long name;

    /// The text of its text field; empty: it has none, or texts are skipped.
    String text = "";

    EventCursor(EventDecoder.Buffer buffer, boolean withTexts) {
        this.buffer = buffer;
        this.withTexts = withTexts;
    }

    /// Decodes the next event, which is there.
    ///
    /// @throws ByteSource.Damage if it cannot be decoded
    void read(ByteSource in) throws ByteSource.Damage {
        int code = in.next();
        EventKind found = EventKind.of(code);
        if (found == null) {
            throw new ByteSource.Damage("there is no event of kind " + code);
        }
        kind = found;
        writer = buffer.thread();
        scheduler = buffer.scheduler();
        name = 0;
        text = "";
        if (found == EventKind.CHUNK) {
            time = in.unsigned();
            goroutine = 0;
        } else {
            time += in.unsigned();
            if (buffer.isForeign()) {
                writer = in.unsigned();
                scheduler = (int) in.signed();
            }
        }
        int count = 0;
        for (Field.Code each : found.codes) {
            switch (each) {
                case UNSIGNED -> numbers[count++] = in.unsigned();
                case SIGNED -> numbers[count++] = in.signed();
                case GOROUTINE -> {
                    goroutine += in.signed();
                    numbers[count++] = goroutine;
                }
                case NAME -> {
                    name = in.unsigned();
                    numbers[count++] = name;
                }
                case TEXT -> {
                    if (withTexts) {
                        text = in.text();
                    } else {
                        in.skipText();
                    }
                }
            }
        }
        while (count < MOST_NUMBERS) {
            numbers[count++] = 0;
        }
    }
}
