package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("org.freshet.Connect")
@Label("Connect")
@Category("Freshet")
@Description("A client channel's attempt to connect, successful or not")
@Enabled(false)
@StackTrace(false)
final class ConnectEvent extends TimedEvent {
    @Label("Channel")
    String channel;

    @Label("Remote Address")
    String remoteAddress;

    @Label("Cause")
    String cause;
}
