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
@Description(
        "More was to wait on a channel than it may hold: a write was refused or its thread waited, or the channel was closed")
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
