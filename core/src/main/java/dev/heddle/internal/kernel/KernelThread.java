package dev.heddle.internal.kernel;

/// A platform thread of Heddle's own: it acts for goroutines, never by itself.
public interface KernelThread {}
