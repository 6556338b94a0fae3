package dev.heddle.doctor;

import java.util.Set;

/// A loop that asks whether there is something to do, and neither waits nor yields when there is not.
///
/// @param place where it is, for people
/// @param asks  what it calls to ask
record AskingLoop(String place, Set<String> asks) {}
