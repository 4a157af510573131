package org.freshet.internal.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.PipelinedAnswer;
import org.freshet.handler.execution.PipelinedExecutionHandler;
import org.freshet.handler.stream.ChunkedInput;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.internal.drain.ChannelDrain.End;
import org.freshet.internal.drain.ChannelDrain.Outcome;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

class ChannelDrainTest {
    private static final long FOR_EVER = TimeUnit.DAYS.toNanos(1);

    /** Applies the test's action to the event and keeps the event. */
    private static class Answerer extends SimpleChannelUpstreamHandler {
        private final boolean claims;
        private final int holds;
        final List<DrainEvent.Hold> held = new ArrayList<>();
        private DrainEvent event;
        private ChannelHandlerContext ctx;

        Answerer(boolean claims, int holds) {
            this.claims = claims;
            this.holds = holds;
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof DrainEvent drain) {
                event = drain;
                this.ctx = ctx;
                if (claims) {
                    drain.claim();
                }
                for (int i = 0; i < holds; i++) {
                    held.add(drain.hold(ctx, "work " + i));
                }
            }
            super.handleUpstream(ctx, e);
        }
    }

    private static ChannelDrain drain(Channel channel, long quietNanos) {
        return ChannelDrain.start(channel, quietNanos, Runnable::run);
    }

    private static End end(ChannelDrain drain) {
        return Await.result(drain.ended(), "the end of the drain");
    }

    @Test
    void shouldCloseImmediatelyWhenClaimedAndNotHeld() {
        MemoryChannel channel = MemoryChannel.connected(new Answerer(true, 0));

        ChannelDrain drain = drain(channel, FOR_EVER);

        assertFalse(channel.isOpen());
        assertEquals(new End(channel, Outcome.IDLE, List.of(), 0), end(drain));
        assertEquals("the connection was drained", channel.getCloseReason().text());
    }

    @Test
    void shouldReportWritesMadeAfterTheCloseRequestAndCutOff() {
        SimpleChannelHandler keepsOpen = new SimpleChannelHandler() {
            @Override
            public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
                if (e.getFuture() == e.getChannel().getCloseFuture() && !isAsked) {
                    isAsked = true; // it has to send an answer first
                    return;
                }
                ctx.sendDownstream(e);
            }

            private boolean isAsked;
        };
        MemoryChannel channel = MemoryChannel.connected(keepsOpen, new Answerer(true, 0));
        ChannelDrain drain = drain(channel, FOR_EVER);
        assertTrue(channel.isOpen());
        channel.holdWrites();
        channel.write(ChannelBuffers.wrappedBuffer(new byte[1_000]));

        drain.cut();

        End end = end(drain);
        assertEquals(Outcome.CUT, end.outcome());
        assertTrue(end.unsentBytes() >= 1_000, end::toString);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldReportAbandonedWorkAsLostOnceTheLastHoldIsReleased() {
        Answerer answerer = new Answerer(true, 2);
        MemoryChannel channel = MemoryChannel.connected(answerer);
        ChannelDrain drain = drain(channel, 0);

        answerer.held.get(0).abandon();
        assertTrue(channel.isOpen());
        answerer.held.get(1).release();

        assertFalse(channel.isOpen());
        assertEquals(new End(channel, Outcome.LOST, List.of("0 (Answerer): work 0"), 0), end(drain));
    }

    @Test
    void shouldReportAbandonedWorkAsLostIfThePeerClosesFirst() {
        Answerer answerer = new Answerer(true, 2);
        MemoryChannel channel = MemoryChannel.connected(answerer);
        ChannelDrain drain = drain(channel, FOR_EVER);
        answerer.held.get(0).abandon();
        channel.close();
        answerer.held.get(1).release();
        assertEquals(Outcome.LOST, end(drain).outcome());
    }

    @Test
    void shouldStayOpenUntilTheLastHoldIsReleased() {
        Answerer answerer = new Answerer(true, 2);
        MemoryChannel channel = MemoryChannel.connected(answerer);
        ChannelDrain drain = drain(channel, 0);

        answerer.held.get(0).release();
        answerer.held.get(0).release();
        assertTrue(channel.isOpen());
        assertFalse(drain.ended().isDone());

        answerer.held.get(1).release();
        assertFalse(channel.isOpen());
        assertEquals(Outcome.FINISHED, end(drain).outcome());
        answerer.held.get(1).release(); // after the close
    }

    @Test
    void shouldStayOpenForWorkThatBeginsLater() {
        Answerer answerer = new Answerer(true, 1);
        MemoryChannel channel = MemoryChannel.connected(answerer);
        drain(channel, 0);

        DrainEvent.Hold later = answerer.event.hold(answerer.ctx, "more");
        answerer.held.get(0).release();
        assertTrue(channel.isOpen());
        assertEquals(1, answerer.event.getHolds().size());

        later.release();
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldCloseQuietChannelWhoseHandlersDoNotKnowTheEvent() {
        MemoryChannel channel = MemoryChannel.connected();

        ChannelDrain drain = drain(channel, TimeUnit.MILLISECONDS.toNanos(1));

        assertEquals(Outcome.IDLE, end(drain).outcome());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldNotCloseActiveChannelWhoseHandlersDoNotKnowTheEvent() {
        MemoryChannel channel = MemoryChannel.connected();

        ChannelDrain drain = drain(channel, FOR_EVER);
        channel.receive("request");

        assertTrue(channel.isOpen());
        assertEquals(List.of("request"), channel.takeReceived());
        drain.cut();
    }

    @Test
    void shouldCloseOnlyAfterAllWritesWereSent() {
        MemoryChannel channel = MemoryChannel.connected(new Answerer(true, 0)).holdWrites();
        channel.write("answer");

        ChannelDrain drain = drain(channel, FOR_EVER);
        assertTrue(channel.isOpen());

        channel.completeWrites();
        assertFalse(channel.isOpen());
        assertEquals(Outcome.IDLE, end(drain).outcome());
    }

    @Test
    void shouldContinueWhenWorkBeginsWhileTheRestIsSent() {
        Answerer answerer = new Answerer(true, 0);
        MemoryChannel channel = MemoryChannel.connected(answerer).holdWrites();
        channel.write("answer");
        ChannelDrain drain = drain(channel, FOR_EVER);

        DrainEvent.Hold late = answerer.event.hold(answerer.ctx, "late request");
        channel.completeWrites();
        assertTrue(channel.isOpen());

        late.release();
        assertFalse(channel.isOpen());
        assertEquals(Outcome.FINISHED, end(drain).outcome());
    }

    @Test
    void shouldNameTheHolderOfAChannelThatIsCutOff() {
        Answerer answerer = new Answerer(false, 1);
        MemoryChannel channel = MemoryChannel.connected(answerer);
        ChannelDrain drain = drain(channel, 0);

        drain.cut();

        String name = channel.context(answerer).getName();
        assertEquals(new End(channel, Outcome.CUT, List.of(name + " (Answerer): work 0"), 0), end(drain));
        assertTrue(channel.getCloseReason().text().contains("cut off"), () -> "" + channel.getCloseReason());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldDistinguishLostWorkFromPeersThatLeft() {
        MemoryChannel busy = MemoryChannel.connected(new Answerer(true, 1));
        MemoryChannel idle = MemoryChannel.connected();
        ChannelDrain busyDrain = drain(busy, FOR_EVER);
        ChannelDrain idleDrain = drain(idle, FOR_EVER);

        busy.close();
        idle.close();

        assertEquals(Outcome.LOST, end(busyDrain).outcome());
        assertEquals(1, end(busyDrain).holds().size());
        assertEquals(Outcome.DISCONNECTED, end(idleDrain).outcome());
    }

    @Test
    void shouldNameTheWorkLostWhenAPeerLeavesBeforeItWasSent() {
        MemoryChannel channel = MemoryChannel.connected(new Answerer(true, 0)).holdWrites();
        channel.write("answer");
        long waiting = WriteAccount.waitingBytes(channel);
        ChannelDrain drain = drain(channel, 0);

        channel.close();

        assertEquals(new End(channel, Outcome.LOST, List.of(), waiting), end(drain));
    }

    /** A handler that is done has written its answers; only the account knows whether they were sent. */
    @Test
    void shouldNameLostWorkEvenIfItsHandlerWasDone() {
        Answerer answerer = new Answerer(true, 1);
        MemoryChannel channel = MemoryChannel.connected(answerer).holdWrites();
        ChannelDrain drain = drain(channel, 0);
        channel.write("answer");
        long waiting = WriteAccount.waitingBytes(channel);
        answerer.held.get(0).release();

        channel.close();

        assertEquals(new End(channel, Outcome.LOST, List.of(), waiting), end(drain));
    }

    @Test
    void shouldReportNothingLostOnceAHandlerSaysThatOnlyItsGoodbyeIsLeft() {
        Answerer answerer = new Answerer(true, 1);
        MemoryChannel channel = MemoryChannel.connected(answerer).holdWrites();
        ChannelDrain drain = drain(channel, 0);
        channel.write("goodbye");
        answerer.event.complete();
        answerer.held.get(0).release();

        channel.close();

        assertEquals(Outcome.FINISHED, end(drain).outcome());
    }

    @Test
    void shouldNotDrainTwice() {
        Answerer answerer = new Answerer(true, 1);
        MemoryChannel channel = MemoryChannel.connected(answerer);

        ChannelDrain drain = drain(channel, 0);

        assertSame(drain, drain(channel, 0));
        assertEquals(1, answerer.held.size());
        drain.cut();
    }

    @Test
    void shouldEndImmediatelyForAClosedChannel() {
        MemoryChannel channel = MemoryChannel.connected();
        channel.close();

        assertEquals(Outcome.DISCONNECTED, end(drain(channel, 0)).outcome());
    }

    // ---- Freshet's own handlers ----

    @Test
    void shouldWaitForEventsAlreadyInTheExecutor() {
        List<Runnable> tasks = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(tasks::add), new Answerer(true, 0));
        tasks.clear(); // the channel's opening
        channel.receive("request");
        ChannelDrain drain = drain(channel, 0);
        assertTrue(channel.isOpen());

        for (int i = 0; i < tasks.size(); i++) {
            tasks.get(i).run();
        }

        assertEquals(List.of("request"), channel.takeReceived());
        assertFalse(channel.isOpen());
        assertEquals(Outcome.FINISHED, end(drain).outcome());
    }

    /** A handler that releases the channel when notified of the close, which is still waiting in the executor. */
    @Test
    void shouldWaitUntilTheExecutorHasNotifiedHandlersOfTheClose() {
        List<Runnable> tasks = new ArrayList<>();
        Answerer answerer = new Answerer(true, 1) {
            @Override
            public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
                held.get(0).release();
            }
        };
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(tasks::add), answerer);
        ChannelDrain drain = drain(channel, 0);
        runAll(tasks);
        channel.close();
        assertFalse(drain.ended().isDone());

        runAll(tasks);

        assertEquals(Outcome.FINISHED, end(drain).outcome());
    }

    @Test
    void shouldNotWaitForAnExecutorWhoseHandlersDidNotReact() {
        List<Runnable> tasks = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(tasks::add), new Answerer(true, 1));
        ChannelDrain drain = drain(channel, 0);
        runAll(tasks);
        channel.close();
        runAll(tasks);

        assertEquals(Outcome.LOST, end(drain).outcome());
        assertEquals(1, end(drain).holds().size());
    }

    private static void runAll(List<Runnable> tasks) {
        while (!tasks.isEmpty()) {
            tasks.remove(0).run();
        }
    }

    @Test
    void shouldAskTheExecutorBeforeAQuietChannelIsClosed() {
        List<Runnable> tasks = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(tasks::add));
        tasks.clear();
        ChannelDrain drain = drain(channel, 0);
        tasks.remove(0).run(); // the event has passed; the probe that follows it has not
        assertTrue(channel.isOpen());
        assertEquals(1, tasks.size());

        tasks.remove(0).run();

        assertFalse(channel.isOpen());
        assertTrue(drain.ended().isDone());
    }

    @Test
    void shouldDrainEvenIfTheExecutorRefuses() {
        ExecutionHandler refusing = new ExecutionHandler(task -> {
            throw new java.util.concurrent.RejectedExecutionException("full");
        });
        MemoryChannel channel = MemoryChannel.connected(refusing, new Answerer(true, 0));

        drain(channel, FOR_EVER);

        assertFalse(channel.isOpen());
    }

    @Test
    void shouldWaitForAnswersThatAreDue() {
        List<PipelinedAnswer> answers = new ArrayList<>();
        ChannelHandler business = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, org.freshet.channel.MessageEvent e) {
                answers.add(PipelinedAnswer.current().defer());
            }
        };
        MemoryChannel channel = MemoryChannel.connected(
                new PipelinedExecutionHandler(Runnable::run, new FakeTimer()), business, new Answerer(true, 0));
        channel.receive("first");
        drain(channel, FOR_EVER);
        channel.receive("second");
        assertTrue(channel.isOpen());

        answers.get(1).write("2");
        answers.get(1).end();
        assertTrue(channel.isOpen());
        answers.get(0).write("1");
        answers.get(0).end();

        assertEquals(List.of("1", "2"), channel.takeWritten().subList(0, 2));
        assertFalse(channel.isOpen());
    }

    /** Sends given chunks when asked to. */
    private static final class Source implements ChunkedInput {
        private Object next;
        private boolean ended;

        @Override
        public boolean hasNextChunk() {
            return next != null;
        }

        @Override
        public Object nextChunk() {
            Object chunk = next;
            next = null;
            return chunk;
        }

        @Override
        public boolean isEndOfInput() {
            return ended && next == null;
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldWaitForTransfers() {
        ChunkedWriteHandler chunks = new ChunkedWriteHandler();
        MemoryChannel channel = MemoryChannel.connected(chunks, new Answerer(true, 0));
        Source source = new Source();
        channel.write(source);
        drain(channel, FOR_EVER);
        assertTrue(channel.isOpen());

        source.next = "the last chunk";
        source.ended = true;
        chunks.resumeTransfer();

        assertEquals("the last chunk", channel.takeWritten().get(0));
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldEndAtWhateverStepMemoryRunsOut() {
        boolean wasReached = true;
        for (int point = 0; wasReached; point++) {
            Scarcity scarcity = new Scarcity(point);
            MemoryChannel scarce =
                    MemoryChannel.connected(new SimpleChannelHandler()).scarceTasks(scarcity);
            Await.result(
                    ChannelDrain.start(scarce, TimeUnit.MILLISECONDS.toNanos(20), Runnable::run)
                            .ended(),
                    "the end");
            assertFalse(scarce.isOpen());
            wasReached = scarcity.wasReached();
        }
    }
}
