package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

@Name("org.freshet.AcceptPaused")
@Label("Accept Paused")
@Category("Freshet")
@Description("A server accepted no connections for a while")
@Threshold("20 ms")
@StackTrace(false)
final class AcceptPausedEvent extends TimedEvent {
    @Label("Channel")
    String channel;

    @Label("Cause")
    String cause;
}
