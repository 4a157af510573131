package org.freshet.channel.socket;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A task either runs or is cancelled. */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "runs")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "is cancelled")
@State
public class ChannelRunnableWrapperStress {
    private int runs;
    private final ChannelRunnableWrapper task = new ChannelRunnableWrapper(null, () -> runs++);

    @Actor
    public void loop() {
        task.run();
    }

    @Actor
    public void user(II_Result r) {
        r.r1 = task.cancel() ? 1 : 0;
    }

    @Arbiter
    public void later(II_Result r) {
        r.r2 = runs;
    }
}
