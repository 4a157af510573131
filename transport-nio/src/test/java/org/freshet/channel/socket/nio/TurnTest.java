package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.internal.WaitingThread;
import org.freshet.internal.WakeUps;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a loop does for a channel in one iteration, and what it leaves to the next. On the test's thread. */
class TurnTest {
    private final SteppedLoop<NioServerBoss> boss = new SteppedLoop<>(NioServerBoss::new, Platform.DEFAULT);
    private final SteppedLoop<NioClientBoss> clientBoss = new SteppedLoop<>(NioClientBoss::new, Platform.DEFAULT);
    private final SteppedLoop<NioWorker> worker = new SteppedLoop<>(NioWorker::new, Platform.DEFAULT);
    private final NioServerSocketChannelFactory servers =
            new NioServerSocketChannelFactory(SteppedLoop.bosses(boss), SteppedLoop.workers(worker), Platform.DEFAULT);

    /** Lets the peer send more while a message is handled. */
    private final List<String> toSend = new ArrayList<>(List.of("second", "third"));

    private final List<ChannelBuffer> messages = new ArrayList<>();
    private final Recorder handler = new Recorder() {
        @Override
        void onMessage(MessageEvent e) throws Exception {
            messages.add((ChannelBuffer) e.getMessage());
            send(toSend.remove(0));
        }
    };
    private SocketChannel peer;

    @BeforeEach
    void open() throws IOException {
        peer = SocketChannel.open();
    }

    @AfterEach
    void end() throws IOException {
        peer.close();
        clientBoss.close();
        boss.close();
        worker.close();
    }

    private void accept() throws IOException {
        Channel server = servers.newChannel(Channels.pipeline(new Recorder()));
        server.getConfig().setPipelineFactory(() -> Channels.pipeline(handler));
        server.bind(Rig.FREE_PORT);
        boss.turn();
        peer.connect(server.getLocalAddress());
        boss.turn();
        worker.turn();
        assertEquals(List.of("open", "bound", "connected"), handler.events());
    }

    private void send(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes());
        while (bytes.hasRemaining()) {
            peer.write(bytes);
        }
    }

    @Test
    void shouldNotReadAgainAfterAReadThatDidNotFillItsBuffer() throws IOException {
        accept();
        send("first");
        worker.turn();
        assertEquals(1, messages.size(), "what the peer sent meanwhile is read in the next iteration");
        worker.turn();
        assertEquals(2, messages.size());
    }

    @Test
    void shouldUseABufferOfTheRightSizeForEachMessage() throws IOException {
        accept();
        send("first");
        worker.turn();
        assertEquals(5, messages.get(0).readableBytes());
        assertEquals(5, messages.get(0).capacity());
    }

    @Test
    void shouldFireTheOpeningOnTheLoopAndNotInNewChannel() {
        Recorder server = new Recorder();
        servers.newChannel(Channels.pipeline(server));
        assertEquals(List.of(), server.events());
        boss.turn();
        assertEquals(List.of("open"), server.events());

        Recorder client = new Recorder();
        new NioClientSocketChannelFactory(SteppedLoop.bosses(clientBoss), SteppedLoop.workers(worker), Platform.DEFAULT)
                .newChannel(Channels.pipeline(client));
        assertEquals(List.of(), client.events());
        worker.turn();
        assertEquals(List.of("open"), client.events());
    }

    @Test
    void shouldCloseAtTheEndOfTheIterationButReportClosedImmediately() throws IOException {
        accept();
        Channel[] child = new Channel[1];
        worker.onLoop(() -> {
            child[0] = handler.awaitConnected();
            child[0].close();
            assertFalse(child[0].isOpen());
            assertEquals(List.of("open", "bound", "connected"), handler.events());
        });
        worker.turn();
        assertEquals(List.of("open", "bound", "connected", "disconnected", "unbound", "closed"), handler.events());
    }

    @Test
    void shouldSendTheWritesOfAnIterationAtItsEnd() throws IOException {
        accept();
        peer.configureBlocking(false);
        worker.onLoop(() -> {
            handler.awaitConnected().write(ChannelBuffers.wrappedBuffer(new byte[10]));
            handler.awaitConnected().write(ChannelBuffers.wrappedBuffer(new byte[10]));
            assertEquals(0, received());
        });
        worker.turn();
        assertEquals(20, received());
    }

    @Test
    void shouldSendMoreThan64KiBImmediately() throws IOException {
        accept();
        peer.configureBlocking(false);
        worker.onLoop(() -> {
            handler.awaitConnected().write(ChannelBuffers.wrappedBuffer(new byte[64 * 1024]));
            assertTrue(received() > 0);
        });
    }

    @Test
    void shouldSendEachWriteImmediatelyIfCoalescingIsOff() throws IOException {
        accept();
        peer.configureBlocking(false);
        worker.onLoop(() -> {
            handler.awaitConnected().getConfig().setOption("writeCoalescing", false);
            handler.awaitConnected().write(ChannelBuffers.wrappedBuffer(new byte[10]));
            assertEquals(10, received());
        });
    }

    @Test
    void shouldWakeThreadsBeforeItWaits() {
        CompletableFuture<WaitingThread> waits = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            WaitingThread caller = new WaitingThread(null);
            waits.complete(caller);
            LockSupport.park();
            caller.onAwake();
        });
        thread.start();
        WaitingThread waiting = Await.result(waits, "the thread");
        Await.until(() -> thread.getState() == Thread.State.WAITING, "the thread to wait");
        worker.onLoop(() -> WakeUps.wake(waiting));

        worker.waitingTurn();

        Await.end(thread);
    }

    @Test
    void shouldCloseAServerThatIsBoundWhileItsLoopStops() {
        Recorder recorder = new Recorder();
        Channel server = servers.newChannel(Channels.pipeline(recorder));
        server.bind(Rig.FREE_PORT);
        boss.close();
        assertTrue(server.getCloseFuture().isDone());
        assertEquals(List.of("open", "bound", "unbound", "closed"), recorder.events());
    }

    /** The bytes received. */
    private int received() {
        try {
            return peer.read(ByteBuffer.allocate(1024));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
