package dev.heddle.bench.peer;

import java.util.Map;

/// A way to write concurrent programs, and the workloads written so.
public interface Idiom {

    /// Runs `program` in one of its own threads, whatever they are here, and waits for its end: Go's main
    /// function is a goroutine too.
    void run(Program program, Job job) throws Exception;

    /// The workloads by name. One that is missing cannot be written in this idiom, or would be somebody else's
    /// program.
    Map<String, Program> programs();
}
