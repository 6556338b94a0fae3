package dev.heddle.internal.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// A client of this JVM, such as `heddle doctor`, named a cause.
@Name("heddle.DoctorFinding")
@Label("Doctor Finding")
@Description("A cause that heddle doctor named")
@Category("Heddle")
@StackTrace(false) // of the reporter, which tells nothing
final class DoctorFindingEvent extends Event {

    @Label("Scheduler")
    String scheduler = "";

    @Label("Cause")
    String cause = "";

    @Label("Title")
    String title = "";

    @Label("Evidence")
    String evidence = "";

    @Label("Remedy")
    String remedy = "";
}
