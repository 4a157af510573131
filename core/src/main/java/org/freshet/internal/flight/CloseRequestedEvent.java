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
@Description("Code in this process requested the close of a channel; the stack trace shows which code")
@Enabled(false)
@StackTrace(true)
final class CloseRequestedEvent extends Event {
    @Label("Channel")
    String channel;

    @Label("Reason")
    String reason;
}
