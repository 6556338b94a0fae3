package dev.heddle.testkit;

/// What [Bubble#check] did, if no schedule failed.
///
/// @param schedules how many schedules ran
/// @param distinct  how many of them were different
/// @param steps     choices made, in all schedules together
/// @param complete  whether these were all schedules within the bound of [Strategy#EXHAUSTIVE]
public record Report(int schedules, int distinct, long steps, boolean complete) {}
