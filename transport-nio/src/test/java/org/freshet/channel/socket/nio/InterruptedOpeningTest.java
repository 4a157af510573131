package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.telemetry.LoopStats;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory runs out when an accepted channel should be opened, before its handlers know it. On the test's thread. */
class InterruptedOpeningTest {
    private final SteppedLoop<NioServerBoss> boss = new SteppedLoop<>(NioServerBoss::new, Platform.DEFAULT);
    private final SteppedLoop<NioWorker> worker = new SteppedLoop<>(NioWorker::new, Platform.DEFAULT);
    private final NioServerSocketChannelFactory factory =
            new NioServerSocketChannelFactory(SteppedLoop.bosses(boss), SteppedLoop.workers(worker), Platform.DEFAULT);
    private final Recorder handler = new Recorder();
    private ServerSocketChannel listener;
    private SocketChannel peer;
    private NioSocketChannel accepted;
    private CapturedLog log;

    @BeforeEach
    void accept() throws IOException {
        log = CapturedLog.start();
        listener = ServerSocketChannel.open().bind(Rig.FREE_PORT);
        peer = SocketChannel.open(listener.getLocalAddress());
        SocketChannel socket = listener.accept();
        socket.configureBlocking(false);
        accepted = new NioSocketChannel(
                factory.newChannel(Channels.pipeline(new Recorder())),
                Channels.pipeline(handler),
                new NioSocketSink(null),
                socket,
                worker.loop());
    }

    @AfterEach
    void end() throws IOException {
        boss.close();
        worker.close();
        peer.close();
        listener.close();
        log.close();
    }

    private void failToOpen() {
        worker.onLoop(() -> worker.loop().onChannelFailed(accepted, new OutOfMemoryError("thrown on purpose")));
        worker.turn();
    }

    @Test
    void shouldOpenTheChannelBeforeItIsClosed() {
        failToOpen();
        assertTrue(accepted.getCloseFuture().isDone());
        assertEquals(Kind.HANDLER_FAILED, accepted.getCloseReason().kind());
        assertEquals(List.of("open", "bound", "connected", "disconnected", "unbound", "closed"), handler.events());
    }

    @Test
    void shouldCountTheConnectionAsOpenedAndClosed() {
        failToOpen();
        LoopStats stats = worker.loop().stats();
        assertEquals(1, stats.getConnectionsOpened());
        assertEquals(1, stats.getConnectionsClosed().get(Kind.HANDLER_FAILED.name()));
    }
}
