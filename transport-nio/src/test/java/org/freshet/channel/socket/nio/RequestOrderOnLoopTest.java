package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NotYetConnectedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.loop.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests by other threads and by the loop, iteration by iteration: what the test requests outside an iteration comes
 * from another thread.
 */
class RequestOrderOnLoopTest {
    /** Runs an action at each event of a kind. */
    private static final class Acting extends Recorder {
        private String event = "interest";
        private Consumer<NioDatagramChannel> action = channel -> {};

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            super.handleUpstream(ctx, e);
            if (EventNames.of(e).equals(event)) {
                action.accept((NioDatagramChannel) ctx.getChannel());
            }
        }
    }

    private final SteppedLoop<NioDatagramWorker> stepped = new SteppedLoop<>(NioDatagramWorker::new, Platform.DEFAULT);
    private final NioDatagramChannelFactory factory =
            new NioDatagramChannelFactory(SteppedLoop.workers(stepped), null, Platform.DEFAULT);
    private final Acting handler = new Acting();
    private NioDatagramChannel channel;
    private DatagramChannel a;
    private DatagramChannel b;

    @BeforeEach
    void open() throws IOException {
        a = DatagramChannel.open().bind(Rig.FREE_PORT);
        b = DatagramChannel.open().bind(Rig.FREE_PORT);
        a.configureBlocking(false);
        b.configureBlocking(false);
        channel = (NioDatagramChannel) factory.newChannel(Channels.pipeline(handler));
    }

    @AfterEach
    void close() throws IOException {
        stepped.close();
        a.close();
        b.close();
    }

    private static InetSocketAddress addressOf(DatagramChannel socket) throws IOException {
        return (InetSocketAddress) socket.getLocalAddress();
    }

    private static String receivedBy(DatagramChannel socket) throws IOException {
        StringBuilder text = new StringBuilder();
        ByteBuffer datagram = ByteBuffer.allocate(100);
        while (socket.receive(datagram.clear()) != null) {
            text.append(StandardCharsets.ISO_8859_1.decode(datagram.flip()));
        }
        return text.toString();
    }

    @Test
    void shouldConnectBeforeItWritesEvenIfAFlushComesFirst() throws IOException {
        channel.bind(Rig.FREE_PORT);
        stepped.turn();
        channel.connect(addressOf(a));
        ChannelFuture write = channel.write(DatagramRig.bytes("1"));
        stepped.onLoop(() -> channel.write(DatagramRig.bytes("2"))); // schedules a flush before the task of the connect
        stepped.turn();
        assertTrue(write.isSuccess(), () -> "" + write);
        assertEquals("12", receivedBy(a));
    }

    @Test
    void shouldSendToTheNewPeerAfterADisconnect() throws IOException {
        channel.connect(addressOf(a));
        stepped.turn();
        channel.write(DatagramRig.bytes("1"));
        channel.disconnect();
        channel.connect(addressOf(b));
        channel.write(DatagramRig.bytes("2"));
        stepped.turn();
        assertEquals("1", receivedBy(a));
        assertEquals("2", receivedBy(b));
    }

    @Test
    void shouldNotNameThePeerWhileADisconnectIsPending() throws IOException {
        channel.connect(addressOf(a));
        stepped.turn();
        assertEquals(addressOf(a), channel.getRemoteAddress());
        channel.disconnect();
        assertEquals(null, channel.getRemoteAddress());
        assertFalse(channel.isConnected());
        ChannelFuture write = channel.write(DatagramRig.bytes("1"));
        stepped.turn();
        assertInstanceOf(NotYetConnectedException.class, write.getCause());
        assertEquals("", receivedBy(a));
    }

    @Test
    void shouldApplyTheLoopsRequestsAfterEarlierRequestsOfOthers() {
        channel.setReadable(false);
        stepped.onLoop(() -> {
            channel.setReadable(true);
            assertTrue(channel.isReadable());
        });
        stepped.turn();
        assertTrue(channel.isReadable());
    }

    /** The handler sees the first of three requests take effect and makes a fourth. */
    @Test
    void shouldApplyAHandlersRequestAfterAllEarlierOnes() {
        stepped.turn();
        List<ChannelFuture> done = new ArrayList<>();
        handler.action = told -> {
            handler.action = again -> {};
            told.setReadable(true).addListener(done::add);
        };
        channel.setReadable(false);
        channel.setReadable(true);
        ChannelFuture third = channel.setReadable(false);
        third.addListener(done::add);
        stepped.turn();
        assertEquals(2, done.size());
        assertEquals(third, done.get(0));
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldLimitNestedCallsHoweverManyRequestsWait() {
        stepped.turn();
        int requests = 20_000;
        int[] depth = new int[2];
        handler.action = told -> {
            depth[1] = Math.max(depth[1], ++depth[0]);
            told.setUserDefinedWritability(1, true);
            told.write(DatagramRig.bytes("x"));
            depth[0]--;
        };
        for (int i = 0; i < requests; i++) {
            channel.setReadable(i % 2 != 0);
        }
        ChannelFuture last = channel.setReadable(false);
        stepped.turn();
        assertTrue(last.isSuccess(), () -> "" + last);
        assertTrue(depth[1] < 20, () -> "nested calls: " + depth[1]);
        assertFalse(channel.isReadable());
    }

    @Test
    void shouldFailWritesMadeBeforeTheConnect() throws IOException {
        stepped.turn();
        stepped.onLoop(() -> {
            ChannelFuture write = channel.write(DatagramRig.bytes("1"));
            ChannelFuture connect = channel.connect(uncheckedAddressOf(a));
            assertTrue(connect.isSuccess(), () -> "" + connect);
            assertFalse(write.isSuccess(), () -> "" + write);
        });
        assertEquals("", receivedBy(a));
    }

    private static InetSocketAddress uncheckedAddressOf(DatagramChannel socket) {
        try {
            return addressOf(socket);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A listener of the last datagram to the old peer writes another one, which is meant for the new peer. */
    @Test
    void shouldQueueAListenersWritesDuringADisconnectBehindIt() throws IOException {
        channel.connect(addressOf(a));
        stepped.turn();
        channel.write(DatagramRig.bytes("1")).addListener(sent -> channel.write(DatagramRig.bytes("3")));
        channel.disconnect();
        channel.connect(addressOf(b));
        channel.write(DatagramRig.bytes("2"));
        stepped.turn();
        stepped.turn();
        assertEquals("1", receivedBy(a));
        assertEquals("23", receivedBy(b));
    }

    /** The close sends what is queued, and the handler is notified while the socket is still open. */
    @Test
    void shouldCloseOnceWhenAHandlerAwaitsAPendingClose() throws IOException {
        channel.connect(addressOf(a));
        stepped.turn();
        handler.event = "writeComplete";
        handler.action = told -> assertTrue(told.close().awaitUninterruptibly().isSuccess());
        channel.write(DatagramRig.bytes("1"));
        channel.close();
        stepped.turn();
        assertEquals("1", receivedBy(a));
        assertEquals(List.of("open", "bound", "connected", "disconnected", "unbound", "closed"), handler.events());
    }

    @Test
    void shouldRefuseRequestsAfterTheLoopHasStopped() {
        stepped.turn();
        stepped.close();
        assertTrue(channel.close().isSuccess());
        assertFalse(channel.setReadable(false).isSuccess());
        assertFalse(channel.write(DatagramRig.bytes("1")).isSuccess());
        assertTrue(channel.unbind().isSuccess());
    }

    /**
     * The connect sends the first message before it takes effect; the listener's write at that point is meant for the
     * new peer.
     */
    @Test
    void shouldSendAListenersWritesDuringAConnectOnTheLoop() throws IOException {
        channel.bind(Rig.FREE_PORT);
        stepped.turn();
        InetSocketAddress peer = addressOf(a);
        stepped.onLoop(() -> {
            channel.write(DatagramRig.bytes("1"), peer).addListener(sent -> channel.write(DatagramRig.bytes("2")));
            channel.connect(peer);
        });
        stepped.turn();
        assertEquals("12", receivedBy(a));
    }

    /** A listener of a message that fails, as when a channel closes, makes a request while others wait. */
    @Test
    void shouldApplyTheRequestOfARefusedWritesListenerAfterAllEarlierOnes() {
        stepped.turn();
        List<String> done = new ArrayList<>();
        stepped.onLoop(channel::close);
        channel.write(DatagramRig.bytes("1"))
                .addListener(refused -> channel.setReadable(false).addListener(f -> done.add("listener's")));
        channel.setReadable(true).addListener(f -> done.add("other thread's"));
        stepped.turn();
        stepped.turn();
        assertEquals(List.of("other thread's", "listener's"), done);
    }

    /** Each request is made in the event of the previous one. */
    @Test
    void shouldNotOccupyTheLoopForAHandlerThatAnswersEachRequestWithAnother() {
        stepped.turn();
        handler.action = told -> told.setReadable(!told.isReadable());
        channel.setReadable(false);
        stepped.turn();
        int afterOneTurn = handler.events().size();
        stepped.turn();
        assertTrue(handler.events().size() > afterOneTurn, "the handler continues in the next iteration");
        handler.action = told -> {};
        stepped.turn();
    }

    @Test
    void shouldCarryOutARequestAwaitedWithinAnotherRequest() throws IOException {
        channel.bind(Rig.FREE_PORT);
        stepped.turn();
        InetSocketAddress peer = addressOf(a);
        List<ChannelFuture> awaited = new ArrayList<>();
        handler.action = told -> {
            handler.action = again -> {};
            awaited.add(told.setReadable(true).awaitUninterruptibly());
            awaited.add(told.write(DatagramRig.bytes("1"), peer).awaitUninterruptibly());
            awaited.add(told.close().awaitUninterruptibly());
        };
        channel.setReadable(false);
        stepped.turn();
        assertEquals(3, awaited.size());
        assertTrue(awaited.stream().allMatch(ChannelFuture::isSuccess), () -> "" + awaited);
        assertEquals("1", receivedBy(a));
    }
}
