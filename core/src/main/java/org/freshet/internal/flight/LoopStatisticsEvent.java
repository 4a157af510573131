package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("org.freshet.LoopStatistics")
@Label("Loop Statistics")
@Category("Freshet")
@Description("Totals of an I/O loop since it started, about once per second")
@StackTrace(false)
final class LoopStatisticsEvent extends Event {
    @Label("Loop")
    String loop;

    @Label("Channels")
    int channels;

    @Label("Tasks Pending")
    int tasksPending;

    @Label("Iterations")
    long iterations;

    @Label("Busy")
    @Timespan(Timespan.NANOSECONDS)
    long busy;

    @Label("Bytes Read")
    @DataAmount
    long bytesRead;

    @Label("Bytes Written")
    @DataAmount
    long bytesWritten;
}
