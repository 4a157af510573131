package org.freshet.internal.handler;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** After two threads have requested a task, a run has seen the data of both. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE)
@State
public class CoalescedTaskStress {
    private final CoalescedTask task = new CoalescedTask(this::run);
    private volatile int left;
    private volatile int right;
    private int seenLeft;
    private int seenRight;

    private void run() {
        seenLeft = left;
        seenRight = right;
    }

    @Actor
    public void first() {
        left = 1;
        task.request();
    }

    @Actor
    public void second() {
        right = 1;
        task.request();
    }

    @Arbiter
    public void later(II_Result r) {
        r.r1 = seenLeft;
        r.r2 = seenRight;
    }
}
