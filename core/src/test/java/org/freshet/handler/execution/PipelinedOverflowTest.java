package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Parts of answers that their channel has no room for. Two of these parts exceed its limit. */
class PipelinedOverflowTest {
    private static final int LIMIT = 100 * 1024;
    private static final int PART = 60 * 1024;

    private final TaskQueue executor = new TaskQueue();
    private final MemoryChannel channel = MemoryChannel.connected(
            new PipelinedExecutionHandler(executor, new FakeTimer()), new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    ((Runnable) e.getMessage()).run();
                }
            });

    private final List<ChannelFuture> writes = new ArrayList<>();

    @AfterEach
    void close() {
        channel.close();
    }

    private void receive(Runnable request) {
        channel.receive(request);
    }

    private void writePart() {
        writes.add(channel.write(ChannelBuffers.wrappedBuffer(new byte[PART])));
    }

    private void writeTwoParts() {
        writePart();
        writePart();
    }

    /** Runs a request on a thread of its own: it may block. */
    private Thread run(int number) {
        Thread thread = new Thread(() -> executor.run(number));
        thread.start();
        return thread;
    }

    // ---- with BLOCK -------------------------------------------------------------------------------------------------

    @Test
    void shouldBlockTheFirstAnswerUntilThePeerHasReadEnough() {
        channel.limit(LIMIT, WriteOverflow.BLOCK).holdWrites();
        receive(this::writeTwoParts);
        Thread worker = run(0);
        Await.waiting(worker, "the worker");
        assertEquals(1, channel.takeWritten().size());
        channel.completeWrites();
        Await.end(worker);
        assertEquals(1, channel.takeWritten().size());
        assertTrue(channel.isOpen());
    }

    /** The answers before it need the room that it would wait for. */
    @Test
    void shouldNotBlockALaterAnswer() {
        channel.limit(LIMIT, WriteOverflow.BLOCK).holdWrites();
        receive(() -> {});
        receive(this::writeTwoParts);
        Await.end(run(1));
        assertTrue(channel.isOpen(), "the close is a part of this answer");
        executor.run(0);
        assertEquals(Kind.OVERFLOW, channel.getCloseReason().kind());
        assertEquals(1, channel.takeWritten().size());
    }

    @Test
    void shouldNotBlockALaterAnswerWhileOnlyTheTransportTakesRoom() {
        channel.limit(LIMIT, WriteOverflow.BLOCK).holdWrites();
        PipelinedAnswer[] first = {null};
        receive(() -> {
            first[0] = PipelinedAnswer.current().defer();
            writePart();
        });
        receive(this::writePart);
        executor.run(0);
        Await.end(run(0));
        assertTrue(channel.isOpen(), "the close is a part of the later answer");
        first[0].end();
        assertEquals(Kind.OVERFLOW, channel.getCloseReason().kind());
    }

    /** What waits here is sent only after the first answer, so the first answer would wait for itself. */
    @Test
    void shouldNotBlockTheFirstAnswerWhileALaterOneTakesTheRoom() {
        channel.limit(LIMIT, WriteOverflow.BLOCK).holdWrites();
        receive(this::writePart);
        receive(this::writePart);
        Await.end(run(1));
        Await.end(run(0));
        assertEquals(Kind.OVERFLOW, channel.getCloseReason().kind());
    }

    // ---- with FAIL --------------------------------------------------------------------------------------------------

    /** Without the part, the peer would take what follows for the rest of this answer. */
    @Test
    void shouldCloseInTurnAfterAPartThatWasRefused() {
        channel.limit(LIMIT, WriteOverflow.FAIL);
        receive(() -> {});
        receive(this::writeTwoParts);
        executor.run(1);
        assertInstanceOf(WriteOverflowException.class, writes.get(1).getCause());
        assertTrue(channel.isOpen());
        executor.run(0);
        assertEquals(1, channel.takeWritten().size());
        assertFalse(channel.isOpen());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    // ---- futures of users -------------------------------------------------------------------------------------------

    @Test
    void shouldSendOtherPartsIfAFutureRefusesListeners() {
        DefaultChannelFuture refusing = new DefaultChannelFuture(channel, false) {
            @Override
            public void addListener(ChannelFutureListener listener) {
                throw new IllegalStateException("no listeners");
            }
        };
        receive(() -> {
            channel.getPipeline().sendDownstream(new DownstreamMessageEvent(channel, refusing, "one", null));
            channel.write("two");
        });
        executor.runAll();
        assertEquals(List.of("one", "two"), channel.takeWritten());
        assertEquals("no listeners", channel.takeCaught().get(0).getMessage());
    }

    @Test
    void shouldFailTheFutureOfAPartThatCannotBePassedOn() {
        List<Throwable> failures = new ArrayList<>();
        DefaultChannelFuture pending = new DefaultChannelFuture(channel, false) {
            @Override
            public boolean setSuccess() {
                return false;
            }

            @Override
            public boolean setFailure(Throwable cause) {
                failures.add(cause);
                return super.setFailure(cause);
            }

            @Override
            public void addListener(ChannelFutureListener listener) {
                throw new IllegalStateException("no listeners");
            }
        };
        receive(() -> channel.getPipeline().sendDownstream(new DownstreamMessageEvent(channel, pending, "one", null)));
        executor.runAll();
        assertEquals("no listeners", failures.get(0).getMessage());
    }
}
