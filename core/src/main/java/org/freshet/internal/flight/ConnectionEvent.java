package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("org.freshet.Connection")
@Label("Connection")
@Category("Freshet")
@Description("A connection, from start to close")
@Enabled(false)
@StackTrace(false)
final class ConnectionEvent extends TimedEvent {
    @Label("Channel")
    String channel;

    @Label("Accepted")
    boolean isAccepted;

    @Label("Bytes Read")
    @DataAmount
    long bytesRead;

    @Label("Bytes Written")
    @DataAmount
    long bytesWritten;

    @Label("Close Reason")
    String reason;

    @Label("Cause")
    String cause;
}
