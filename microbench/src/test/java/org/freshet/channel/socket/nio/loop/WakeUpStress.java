package org.freshet.channel.socket.nio.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.freshet.internal.telemetry.LoopCounters;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A loop that is about to wait sees the task, or is woken for it, or both. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "sees the task")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "is woken")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "sees it, and is woken for nothing")
@State
public class WakeUpStress {
    private static final LoopThread THREAD = new LoopThread();
    private static final LoopCounters COUNTERS = new LoopCounters();
    private static final LoopRecovery RECOVERY = new LoopRecovery();

    private final WaitingProvider provider = new WaitingProvider();
    private final LoopSelector selector = new LoopSelector(provider, key -> {}, COUNTERS);
    private final LoopTasks tasks = new LoopTasks(THREAD, selector, RECOVERY, COUNTERS);
    private final TaskQueue.Task task = new TaskQueue.Link(() -> {});

    @Actor
    public void loop(II_Result r) {
        selector.beginSelect();
        r.r1 = tasks.isEmpty() ? 0 : 1;
    }

    @Actor
    public void user() {
        tasks.submitLink(task);
    }

    @Arbiter
    public void later(II_Result r) {
        r.r2 = provider.isWoken() ? 1 : 0;
    }
}
