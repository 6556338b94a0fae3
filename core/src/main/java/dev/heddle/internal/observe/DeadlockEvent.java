package dev.heddle.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// `Go.main` reports a deadlock.
@Name("heddle.Deadlock")
@Label("Deadlock")
@Description("No goroutine can ever run again, and the program ends")
@Category("Heddle")
@StackTrace(false) // of the reporter, which tells nothing
final class DeadlockEvent extends Event {

    @Label("Scheduler")
    String scheduler = "";

    @Label("Message")
    String message = "";

    @Label("Goroutines")
    long goroutines;
}
