package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("org.freshet.Unwritable")
@Label("Unwritable")
@Category("Freshet")
@Description("A channel was not writable, because its peer read too slowly")
@Enabled(false)
@StackTrace(false)
final class UnwritableEvent extends TimedEvent {
    @Label("Channel")
    String channel;
}
