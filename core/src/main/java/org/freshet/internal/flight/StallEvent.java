package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("org.freshet.Stall")
@Label("Stall")
@Category("Freshet")
@Description("A handler, listener or task has held an I/O loop for too long")
@StackTrace(false)
final class StallEvent extends Event {
    @Label("Loop")
    String loop;

    @Label("Channel")
    String channel;

    @Label("Handler")
    String handler;

    @Label("Location")
    String location;

    @Label("Held For")
    @Timespan(Timespan.NANOSECONDS)
    long held;
}
