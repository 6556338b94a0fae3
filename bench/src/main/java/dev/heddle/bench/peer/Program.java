package dev.heddle.bench.peer;

/// One workload in one idiom. Runs once per call, and checks its own result.
@FunctionalInterface
public interface Program {

    /// Runs the workload. The time of this call is measured.
    ///
    /// @throws IllegalStateException from [Job#check], if the result is wrong
    void run(Job job) throws Exception;
}
