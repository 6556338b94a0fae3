package dev.heddle.doctor;

import java.util.Set;

/// A loop that asks whether something has happened, pauses for a fixed time or yields, and asks again.
///
/// @param place  its place in the code, for display
/// @param asks   what it asks; a field if it calls nothing
/// @param pauses the calls by which it passes the time
record PollingLoop(String place, Set<String> asks, Set<String> pauses) {}
