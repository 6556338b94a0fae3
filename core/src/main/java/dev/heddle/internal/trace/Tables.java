package dev.heddle.internal.trace;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What the events of a recording refer to by numbers: names and stacks.
public final class Tables {

    private final NameTable names = new NameTable();
    private final StackTable stacks = new StackTable();

    public NameTable names() {
        return names;
    }

    public StackTable stacks() {
        return stacks;
    }

    /// What a file has got already. Drainer only.
    static final class Written {
        private final NameTable.Written names = new NameTable.Written();
        private final StackTable.Written stacks = new StackTable.Written();
    }

    /// Writes what is not in `written` yet. Drainer only.
    void writeNews(TraceFile.Writer file, Written written) throws IOException {
        for (byte @Nullable [] each = names.news(written.names); each != null; each = names.news(written.names)) {
            file.write(Block.Type.NAMES, each);
        }
        for (byte @Nullable [] each = stacks.news(written.stacks); each != null; each = stacks.news(written.stacks)) {
            file.write(Block.Type.STACKS, each);
        }
    }
}
