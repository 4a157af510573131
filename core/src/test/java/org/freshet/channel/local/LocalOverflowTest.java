package org.freshet.channel.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The limit on messages that the other end has not read. */
class LocalOverflowTest {
    private static final LocalAddress NAME = new LocalAddress("local-overflow-test");
    private static final int LIMIT = 100_000;
    private static final int PIECE = 10_000;

    private final Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());
    private final Recorder child = new Recorder();

    @AfterEach
    void closeAll() {
        rig.close();
    }

    private Channel connectToUnreadChild(WriteOverflow policy) {
        rig.listen(NAME, () -> child);
        Channel client = rig.connect(NAME, new Recorder());
        client.getConfig().setOption("writeBufferLimit", LIMIT);
        client.getConfig().setOption("writeOverflow", policy);
        child.channel().setReadable(false);
        return client;
    }

    private static ChannelFuture writePiece(Channel channel) {
        ChannelFuture written = channel.write(ChannelBuffers.wrappedBuffer(new byte[PIECE]));
        assertTrue(WriteAccount.waitingBytes(channel) <= LIMIT);
        return written;
    }

    /** Nine pieces fit: each counts a little more than its bytes. */
    private static List<ChannelFuture> fill(Channel channel) {
        List<ChannelFuture> writes = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            writes.add(writePiece(channel));
        }
        writes.forEach(write -> assertFalse(write.isDone()));
        return writes;
    }

    @Test
    void shouldCloseAndFailQueuedWritesWhenTheLimitIsExceeded() {
        Channel client = connectToUnreadChild(WriteOverflow.CLOSE);
        List<ChannelFuture> writes = fill(client);
        writes.add(writePiece(client));
        Await.done(client.getCloseFuture(), "the close");
        assertEquals(Kind.OVERFLOW, client.getCloseReason().kind());
        for (ChannelFuture write : writes) {
            ChannelClosedException failure =
                    assertInstanceOf(ChannelClosedException.class, Await.failure(write, "a write"));
            assertEquals(client.getCloseReason(), failure.getReason());
        }
        child.channel().setReadable(true);
        child.awaitClosed();
    }

    @Test
    void shouldFailOnlyThatWriteAndContinue() {
        Channel client = connectToUnreadChild(WriteOverflow.FAIL);
        List<ChannelFuture> writes = fill(client);
        assertInstanceOf(WriteOverflowException.class, Await.failure(writePiece(client), "the write beyond the limit"));
        child.channel().setReadable(true);
        writes.forEach(write -> Await.success(write, "a write below the limit"));
        Await.success(writePiece(client), "a later write");
        assertTrue(client.isOpen());
    }

    @Test
    void shouldBlockTheWriterUntilTheOtherEndReads() throws Exception {
        Channel client = connectToUnreadChild(WriteOverflow.BLOCK);
        fill(client);
        List<ChannelFuture> blocked = new ArrayList<>();
        Thread writer = new Thread(() -> blocked.add(writePiece(client)));
        writer.start();
        child.channel().setReadable(true);
        Await.end(writer);
        Await.success(blocked.get(0), "the write that waited");
    }

    @Test
    void shouldWakeTheWriterWhenTheChannelCloses() throws Exception {
        Channel client = connectToUnreadChild(WriteOverflow.BLOCK);
        fill(client);
        List<ChannelFuture> blocked = new ArrayList<>();
        Thread writer = new Thread(() -> blocked.add(writePiece(client)));
        writer.start();
        client.close();
        Await.end(writer);
        assertInstanceOf(ChannelClosedException.class, Await.failure(blocked.get(0), "the write that waited"));
    }

    @Test
    void shouldCloseAnEndWhoseMessagesAreNotRead() {
        Channel client = connectToUnreadChild(WriteOverflow.CLOSE);
        client.getConfig().setOption("writeStallTimeoutMillis", 20);
        ChannelClosedException failure =
                assertInstanceOf(ChannelClosedException.class, Await.failure(writePiece(client), "the write"));
        assertEquals(Kind.TIMED_OUT, failure.getReason().kind());
        Await.done(client.getCloseFuture(), "the close");
    }
}
