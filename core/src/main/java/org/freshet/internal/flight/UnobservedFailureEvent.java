package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("org.freshet.UnobservedFailure")
@Label("Unobserved Failure")
@Category("Freshet")
@Description("A future failed without a listener or a waiting thread")
@StackTrace(true)
final class UnobservedFailureEvent extends Event {
    @Label("Channel")
    String channel;

    @Label("Cause")
    String cause;
}
