package org.freshet.channel.socket.nio;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.nio.channels.SelectionKey;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.loop.TaskQueue;
import org.freshet.channel.socket.nio.loop.WaitingProvider;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** In a complete iteration of a loop no wake-up is lost: the loop waits only if it will be woken for the task. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "does not wait")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "does not wait, and is woken for nothing")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "waits, and is woken")
@State
public class LoopTurnStress {
    private static final class Loop extends NioLoop {
        Loop(WaitingProvider provider) {
            super(new Platform(provider, () -> 1));
        }

        @Override
        LoopRole role() {
            return LoopRole.WORKER;
        }

        @Override
        void onReady(SelectionKey key) {
            throw new AssertionError("there are no keys");
        }
    }

    private final WaitingProvider provider = new WaitingProvider();
    private final Loop loop = new Loop(provider);
    private final TaskQueue.Task task = new TaskQueue.Link(() -> {});

    @Actor
    public void loop() {
        loop.attach();
        loop.runTurn();
        loop.detach();
    }

    @Actor
    public void user() {
        loop.tasks().submitLink(task);
        provider.end();
    }

    @Arbiter
    public void later(II_Result r) {
        r.r1 = provider.hasWaited() ? 1 : 0;
        r.r2 = provider.isWoken() ? 1 : 0;
    }
}
