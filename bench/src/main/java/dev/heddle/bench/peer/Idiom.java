package dev.heddle.bench.peer;

import java.util.Map;

/// A style of concurrent programs, and the workloads in that style.
public interface Idiom {

    /// Runs `program` in one of the idiom's own threads and waits for its end, because Go's main function is a
    /// goroutine too.
    void run(Program program, Job job) throws Exception;

    /// The workloads by name. A missing one cannot be written in this idiom, or would be the same program as in
    /// another idiom.
    Map<String, Program> programs();
}
