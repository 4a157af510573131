package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.request.StateRequest;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Memory runs out in the middle of a loop's work on a channel, at a point that the test chooses. The channel is closed,
 * and every other request on it has an outcome. Iteration by iteration, on the test's thread.
 */
class InterruptedRequestsTest {
    /** Fails to handle its first failure. */
    private static final class StarvedFuture extends DefaultChannelFuture {
        private boolean hasThrown;

        StarvedFuture(Channel channel) {
            super(channel, false);
        }

        @Override
        public boolean setFailure(Throwable cause) {
            if (!hasThrown) {
                hasThrown = true;
                throw new OutOfMemoryError("thrown on purpose");
            }
            return super.setFailure(cause);
        }
    }

    private final SteppedLoop<NioDatagramWorker> stepped = new SteppedLoop<>(NioDatagramWorker::new, Platform.DEFAULT);
    private final NioDatagramChannelFactory factory =
            new NioDatagramChannelFactory(SteppedLoop.workers(stepped), null, Platform.DEFAULT);
    private final Recorder handler = new Recorder();
    private final StarvedPipeline pipeline = new StarvedPipeline();
    private CapturedLog log;
    private NioDatagramChannel channel;

    @BeforeEach
    void open() {
        log = CapturedLog.start();
        pipeline.addLast("recorder", handler);
        channel = (NioDatagramChannel) factory.newChannel(pipeline);
        channel.bind(Rig.FREE_PORT);
        stepped.turn();
        channel.connect(new InetSocketAddress(channel.getLocalAddress().getAddress(), 9));
        stepped.turn();
        assertEquals(List.of("open", "bound", "connected"), handler.events());
    }

    @AfterEach
    void close() {
        stepped.close();
        log.close();
    }

    private void onAnotherThread(Runnable action) {
        Thread other = new Thread(action);
        other.start();
        Await.end(other);
    }

    private void write(ChannelFuture future) {
        ChannelPipeline of = channel.getPipeline();
        of.sendDownstream(new DownstreamMessageEvent(channel, future, DatagramRig.bytes("1"), null));
    }

    @Test
    void shouldEndACloseThatWasInterruptedBeforeTheCloseFutureWasComplete() {
        ChannelFuture behind = Channels.future(channel);
        channel.close();
        stepped.loop()
                .submit(() -> onAnotherThread(() -> {
                    write(new StarvedFuture(channel)); // is refused after the socket was closed
                    write(behind);
                }));
        stepped.turn();
        stepped.turn();
        assertTrue(channel.getCloseFuture().isDone());
        assertFalse(behind.isSuccess());
        assertTrue(behind.isDone());
        assertEquals(List.of("open", "bound", "connected", "disconnected", "unbound", "closed"), handler.events());
    }

    @Test
    void shouldFireTheEventsAfterTheOneThatFailed() {
        pipeline.failOn("disconnected");
        channel.close();
        stepped.turn();
        stepped.turn();
        assertTrue(channel.getCloseFuture().isDone());
        assertEquals(List.of("open", "bound", "connected", "unbound", "closed"), handler.events());
    }

    @Test
    void shouldCarryOutTheRequestsAfterOneThatCannotEvenBeRefused() {
        ChannelFuture behind = Channels.future(channel);
        channel.request(new StarvedFuture(channel), () -> {
            throw new IllegalStateException("thrown on purpose");
        });
        channel.request(behind, behind::setSuccess);
        stepped.turn();
        assertTrue(behind.isSuccess());
        assertTrue(channel.getCloseFuture().isDone(), "the channel is closed");
    }

    @Test
    void shouldRefuseTheRequestsAfterOneThatCannotBeRefused() {
        ChannelFuture behind = Channels.future(channel);
        StateRequest first = StateRequest.of(new StarvedFuture(channel), () -> {});
        first.next = StateRequest.of(behind, () -> {});
        assertThrows(OutOfMemoryError.class, () -> StateRequest.refuseAll(first, new ClosedChannelException()));
        assertTrue(behind.isDone());
    }
}
