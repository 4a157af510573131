package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("org.freshet.Drain")
@Label("Drain")
@Category("Freshet")
@Description("Servers were drained")
@StackTrace(false)
final class ServersDrained extends TimedEvent {
    @Label("Report")
    String report;
}
