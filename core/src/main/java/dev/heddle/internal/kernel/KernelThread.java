package dev.heddle.internal.kernel;

/// A platform thread that belongs to Heddle. It acts on behalf of goroutines, never on its own.
public interface KernelThread {}
