package org.freshet.internal.handler;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.StressChannel;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The transport's last request is the one wanted, when threads suspend, resume and request concurrently. Results are
 * interest ops.
 */
public class ReadSuspensionStress {
    static class Suspendable extends SimpleChannelHandler {
        final StressChannel channel;
        final ReadSuspension suspension;

        Suspendable() {
            channel = new StressChannel(Channels.pipeline(this));
            suspension = ReadSuspension.at(channel.getPipeline().getContext(this));
        }

        @Override
        public void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            suspension.request(e);
        }

        final int asked() {
            return channel.askedInterestOps();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE)
    @State
    public static class SuspendWhileAnotherResumes extends Suspendable {
        public SuspendWhileAnotherResumes() {
            suspension.suspend();
        }

        @Actor
        public void first() {
            suspension.suspend();
        }

        @Actor
        public void second() {
            suspension.resume();
        }

        @Arbiter
        public void later(II_Result r) {
            r.r1 = asked();
            suspension.resume();
            r.r2 = asked();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE)
    @State
    public static class ResumeWhileAHandlerAboveStops extends Suspendable {
        public ResumeWhileAHandlerAboveStops() {
            suspension.suspend();
        }

        @Actor
        public void resume() {
            suspension.resume();
        }

        @Actor
        public void above() {
            channel.setInterestOps(Channel.OP_NONE);
        }

        @Arbiter
        public void later(II_Result r) {
            r.r1 = asked();
            suspension.suspend();
            suspension.resume();
            r.r2 = asked();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE)
    @State
    public static class SuspendWhileAHandlerAboveReads extends Suspendable {
        public SuspendWhileAHandlerAboveReads() {
            channel.setInterestOps(Channel.OP_NONE);
        }

        @Actor
        public void suspend() {
            suspension.suspend();
        }

        @Actor
        public void above() {
            channel.setInterestOps(Channel.OP_READ);
        }

        @Arbiter
        public void later(II_Result r) {
            r.r1 = asked();
            suspension.resume();
            r.r2 = asked();
        }
    }
}
