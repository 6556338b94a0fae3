package dev.heddle.bench.peer;

/// One workload, written in one way. Runs once per call, and says if its own result is wrong.
@FunctionalInterface
public interface Program {

    /// Runs the workload. What is measured is the time of this call.
    ///
    /// @throws IllegalStateException from [Job#check], if the result is wrong
    void run(Job job) throws Exception;
}
