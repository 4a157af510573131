package org.freshet.channel.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.handler.stream.PausedInput;
import org.freshet.handler.traffic.ChannelTrafficShapingHandler;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages that handlers hold above the transport count toward the channel's limit. */
class HeldWritesTest {
    private static final LocalAddress NAME = new LocalAddress("held-writes-test");
    private static final int LIMIT = 100_000;
    private static final int PIECE = 10_000;

    private final Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());
    private final Recorder child = new Recorder();

    @AfterEach
    void closeAll() {
        rig.close();
    }

    private Channel connect(WriteOverflow policy, ChannelHandler holder) {
        rig.listen(NAME, () -> child);
        Channel client = rig.connect(NAME, holder, new Recorder());
        client.getConfig().setOption("writeBufferLimit", LIMIT);
        client.getConfig().setOption("writeOverflow", policy);
        return client;
    }

    private static List<ChannelFuture> writePieces(Channel channel, int count) {
        List<ChannelFuture> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            writes.add(channel.write(ChannelBuffers.wrappedBuffer(new byte[PIECE])));
            assertTrue(WriteAccount.waitingBytes(channel) <= LIMIT);
        }
        return writes;
    }

    private static void assertRefused(ChannelFuture write) {
        assertInstanceOf(WriteOverflowException.class, Await.failure(write, "the write beyond the limit"));
    }

    private long received() {
        return child.events().stream().filter("message"::equals).count();
    }

    @Test
    void shouldFlushABufferedWriteHandlerInsteadOfExceedingTheLimit() {
        BufferedWriteHandler holder = new BufferedWriteHandler();
        Channel client = connect(WriteOverflow.CLOSE, holder);
        List<ChannelFuture> writes = writePieces(client, 35);
        holder.flush();
        writes.forEach(write -> Await.success(write, "a write"));
        assertEquals(35, received());
        Await.until(() -> WriteAccount.waitingBytes(client) == 0, "the empty account");
    }

    @Test
    void shouldRefuseWritesThatABufferedWriteHandlerCannotPassOn() {
        BufferedWriteHandler holder = new BufferedWriteHandler();
        Channel client = connect(WriteOverflow.FAIL, holder);
        child.channel().setReadable(false);
        List<ChannelFuture> writes = writePieces(client, 10);
        assertRefused(writes.remove(9));
        child.channel().setReadable(true);
        writes.forEach(write -> Await.success(write, "a write"));
    }

    @Test
    void shouldLimitWritesQueuedBehindAChunkedInput() {
        ChunkedWriteHandler holder = new ChunkedWriteHandler();
        Channel client = connect(WriteOverflow.FAIL, holder);
        PausedInput input = new PausedInput();
        ChannelFuture transfer = client.write(input);
        List<ChannelFuture> writes = writePieces(client, 9);
        assertRefused(writes.remove(8));
        writes.forEach(write -> assertFalse(write.isDone()));
        input.isEnded = true;
        holder.resumeTransfer();
        Await.success(transfer, "the input");
        writes.forEach(write -> Await.success(write, "a write behind it"));
        Await.until(() -> WriteAccount.waitingBytes(client) == 0, "the empty account");
    }

    @Test
    void shouldCountNothingAfterAChunkedWriteHandlerHasFailedItsQueue() {
        ChunkedWriteHandler holder = new ChunkedWriteHandler();
        Channel client = connect(WriteOverflow.FAIL, holder);
        client.write(new PausedInput());
        writePieces(client, 5);
        Await.success(client.close(), "the close");
        Await.until(() -> WriteAccount.waitingBytes(client) == 0, "the empty account");
    }

    @Test
    void shouldLimitWritesDelayedByATrafficShaper() {
        FakeTimer timer = new FakeTimer();
        ChannelTrafficShapingHandler holder = new ChannelTrafficShapingHandler(timer, 1000, 0);
        Channel client = connect(WriteOverflow.FAIL, holder);
        List<ChannelFuture> writes = writePieces(client, 11);
        Await.success(writes.remove(0), "the first write, whose time has come");
        assertRefused(writes.remove(9));
        assertEquals(9 * WriteAccount.costOf(PIECE), WriteAccount.waitingBytes(client));
        writes.forEach(write -> assertFalse(write.isDone()));
        holder.releaseExternalResources();
        writes.forEach(write -> Await.success(write, "a write that waited"));
        Await.until(() -> WriteAccount.waitingBytes(client) == 0, "the empty account");
    }
}
