package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("org.freshet.Overflow")
@Label("Overflow")
@Category("Freshet")
@Description("A write exceeded a channel's limit: it was refused, its thread waited, or the channel was closed")
@StackTrace(false)
final class OverflowEvent extends TimedEvent {
    @Label("Channel")
    String channel;

    @Label("Policy")
    String policy;

    @Label("Waiting")
    @DataAmount
    long waiting;

    @Label("Limit")
    @DataAmount
    long limit;
}
