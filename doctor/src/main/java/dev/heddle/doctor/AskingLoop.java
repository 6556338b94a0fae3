package dev.heddle.doctor;

import java.util.Set;

/// A loop that polls for work, and neither waits nor yields when there is none.
///
/// @param place its place in the code, for display
/// @param asks  the polling calls in it
record AskingLoop(String place, Set<String> asks) {}
