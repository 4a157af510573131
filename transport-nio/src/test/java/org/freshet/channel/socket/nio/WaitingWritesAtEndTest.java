package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.internal.EmptiedAccounts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The connection ends while writes of another thread wait for the loop, which notices the end first. On the test's
 * thread: what it requests outside an iteration comes from another thread.
 */
class WaitingWritesAtEndTest {
    private static final int BYTES = 10;

    private final SteppedLoop<NioServerBoss> boss = new SteppedLoop<>(NioServerBoss::new, Platform.DEFAULT);
    private final SteppedLoop<NioWorker> worker = new SteppedLoop<>(NioWorker::new, Platform.DEFAULT);
    private final NioServerSocketChannelFactory servers =
            new NioServerSocketChannelFactory(SteppedLoop.bosses(boss), SteppedLoop.workers(worker), Platform.DEFAULT);
    private final Recorder handler = new Recorder();
    private SocketChannel peer;
    private Channel channel;

    @BeforeEach
    void accept() throws IOException {
        Channel server = servers.newChannel(Channels.pipeline(new Recorder()));
        server.getConfig().setPipelineFactory(() -> Channels.pipeline(handler));
        server.bind(Rig.FREE_PORT);
        boss.turn();
        peer = SocketChannel.open(server.getLocalAddress());
        boss.turn();
        worker.turn();
        channel = handler.awaitConnected();
    }

    @AfterEach
    void end() throws IOException {
        peer.close();
        boss.close();
        worker.close();
    }

    private ChannelFuture write() {
        return channel.write(ChannelBuffers.wrappedBuffer(new byte[BYTES]));
    }

    @Test
    void shouldSendThemToAPeerThatHasOnlyEndedItsOutput() throws IOException {
        peer.shutdownOutput();
        ChannelFuture first = write();
        ChannelFuture second = write();
        worker.turn();
        assertTrue(first.isSuccess(), () -> "" + first);
        assertTrue(second.isSuccess(), () -> "" + second);
        assertEquals(CloseReason.PEER_CLOSED, channel.getCloseReason());
        ByteBuffer received = ByteBuffer.allocate(3 * BYTES);
        while (peer.read(received) >= 0) {}
        assertEquals(2 * BYTES, received.position());
    }

    @Test
    void shouldLetAnEarlierCloseTakeEffectFirst() throws IOException {
        peer.shutdownOutput();
        ChannelFuture before = write();
        channel.close();
        ChannelFuture after = write();
        worker.turn();
        assertTrue(before.isSuccess(), () -> "" + before);
        assertFalse(after.isSuccess());
        assertEquals(CloseReason.LOCAL, channel.getCloseReason());
    }

    @Test
    void shouldReportThemToADrainAsLostIfThePeerResets() throws IOException {
        AtomicBoolean isLosing = new AtomicBoolean();
        EmptiedAccounts.watch(channel, new EmptiedAccounts.Watcher() {
            @Override
            public void onEmptied() {}

            @Override
            public void onLosing() {
                isLosing.set(true);
            }
        });
        peer.setOption(StandardSocketOptions.SO_LINGER, 0);
        peer.close();
        ChannelFuture waiting = write();
        worker.turn();
        EmptiedAccounts.unwatch(channel);
        assertFalse(waiting.isSuccess());
        assertTrue(isLosing.get());
    }
}
