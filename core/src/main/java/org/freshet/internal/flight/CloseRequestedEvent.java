package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("org.freshet.CloseRequested")
@Label("Close Requested")
@Category("Freshet")
@Description("Code of this process asks for the close of a channel; the stack says which")
@Enabled(false)
@StackTrace(true)
final class CloseRequestedEvent extends Event {
    @Label("Channel")
    String channel;

    @Label("Reason")
    String reason;
}
