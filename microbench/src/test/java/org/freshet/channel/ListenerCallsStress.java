package org.freshet.channel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads complete chains of futures so long that their last listeners are deferred, and both chains end at the
 * same future. Each thread runs the listeners it deferred, and the common future is completed once.
 */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE)
@State
public class ListenerCallsStress {
    private static final int LENGTH = ListenerCalls.DEEPEST_NESTING + 4;

    private final DefaultChannelFuture end = new DefaultChannelFuture(null, false);
    private final DefaultChannelFuture[] first = chain();
    private final DefaultChannelFuture[] second = chain();
    private final AtomicInteger calls = new AtomicInteger();

    public ListenerCallsStress() {
        end.addListener(f -> calls.incrementAndGet());
    }

    private DefaultChannelFuture[] chain() {
        DefaultChannelFuture[] chain = new DefaultChannelFuture[LENGTH];
        DefaultChannelFuture following = end;
        for (int i = LENGTH - 1; i >= 0; i--) {
            DefaultChannelFuture next = following;
            chain[i] = new DefaultChannelFuture(null, false);
            chain[i].addListener(f -> next.setSuccess());
            following = chain[i];
        }
        return chain;
    }

    private static int isDone(DefaultChannelFuture[] chain) {
        return chain[LENGTH - 1].isDone() ? 1 : 0;
    }

    @Actor
    public void completeFirst(III_Result r) {
        first[0].setSuccess();
        r.r1 = isDone(first);
    }

    @Actor
    public void completeSecond(III_Result r) {
        second[0].setSuccess();
        r.r2 = isDone(second);
    }

    @Arbiter
    public void later(III_Result r) {
        r.r3 = calls.get();
    }
}
