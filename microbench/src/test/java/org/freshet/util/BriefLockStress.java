package org.freshet.util;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads count under the lock. */
@JCStressTest
@Outcome(id = "2", expect = ACCEPTABLE)
@State
public class BriefLockStress {
    private final BriefLock lock = new BriefLock();
    private int count;

    private void increment() {
        lock.lock();
        count++;
        lock.unlock();
    }

    @Actor
    public void first() {
        increment();
    }

    @Actor
    public void second() {
        increment();
    }

    @Arbiter
    public void later(I_Result r) {
        r.r1 = count;
    }
}
