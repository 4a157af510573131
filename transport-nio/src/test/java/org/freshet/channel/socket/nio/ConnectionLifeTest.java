package org.freshet.channel.socket.nio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.util.List;
import java.util.Map;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.FixedReceiveBufferSizePredictorFactory;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionLifeTest {
    private static final List<String> WHOLE_LIFE =
            List.of("open", "bound", "connected", "disconnected", "unbound", "closed");

    private final Rig rig = new Rig();

    @AfterEach
    void release() {
        rig.close();
    }

    @Test
    void shouldFireTheSameEventsInTheSameOrderAtBothEnds() {
        Recorder accepted = new Recorder();
        Recorder made = new Recorder();
        Channel client = rig.connected(rig.bind(accepted), made);
        accepted.awaitConnected();
        Await.success(client.close(), "the close");
        made.awaitClosed();
        accepted.awaitClosed();
        assertEquals(WHOLE_LIFE, made.events());
        assertEquals(WHOLE_LIFE, accepted.events());
    }

    @Test
    void shouldNotifyTheParentBeforeAndAfterTheLifeOfEachChild() {
        Recorder parent = new Recorder();
        Recorder accepted = new Recorder();
        ServerBootstrap bootstrap = new ServerBootstrap(rig.servers);
        bootstrap.setParentHandler(parent);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(accepted));
        Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Channel client = rig.connected(server, new Recorder());
        assertSame(server, accepted.awaitConnected().getParent());
        Await.success(client.close(), "the close");
        accepted.awaitClosed();
        Await.until(() -> parent.events().contains("childClosed"), "childClosed at the parent");
        server.close();
        parent.awaitClosed();
        assertEquals(List.of("open", "bound", "childOpen", "childClosed", "unbound", "closed"), parent.events());
    }

    @Test
    void shouldReturnItsAddressesWhileConnectedAndAfterwards() {
        Channel server = rig.bind(new Recorder());
        Channel client = rig.connected(server, new Recorder());
        InetSocketAddress local = (InetSocketAddress) client.getLocalAddress();
        assertEquals(server.getLocalAddress(), client.getRemoteAddress());
        assertTrue(client.isBound() && client.isConnected() && client.isOpen());
        Await.success(client.close(), "the close");
        assertEquals(local, client.getLocalAddress());
        assertEquals(server.getLocalAddress(), client.getRemoteAddress());
        assertFalse(client.isBound() || client.isConnected() || client.isOpen());
    }

    @Test
    void shouldCloseWhenThePeerEndsItsStream() throws Exception {
        Recorder accepted = new Recorder();
        Channel server = rig.bind(accepted);
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.send("bye").endOutput();
            accepted.awaitClosed();
            assertEquals("bye", new String(accepted.received(), US_ASCII));
            assertEquals(List.of(), accepted.failures());
            peer.awaitEnd();
        }
    }

    @Test
    void shouldDeliverASmallWriteFollowedByClose() throws Exception {
        Channel server = rig.bind(new Recorder() {
            @Override
            void onMessage(MessageEvent e) {
                e.getChannel().write(e.getMessage());
                e.getChannel().close();
            }
        });
        for (int i = 0; i < 50; i++) {
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("hello");
                assertEquals("hello", new String(peer.readToEnd(), US_ASCII));
            }
        }
    }

    @Test
    void shouldDeliverManySmallWritesFollowedByCloseEvenUncoalesced() throws Exception {
        int writes = 100;
        Recorder accepted = new Recorder();
        Channel server = rig.bind(() -> Channels.pipeline(accepted), Map.of("child.writeCoalescing", false));
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            Channel channel = accepted.awaitConnected();
            Rig.holding(channel, () -> {
                for (int i = 0; i < writes; i++) {
                    channel.write(copiedBuffer("x", US_ASCII));
                }
                channel.close();
            });
            assertEquals(writes, peer.readToEnd().length);
        }
    }

    @Test
    void shouldDeliverASmallWriteFollowedByCloseFromAnotherThread() throws Exception {
        Recorder accepted = new Recorder();
        Channel server = rig.bind(accepted);
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            Channel channel = accepted.awaitConnected();
            ChannelFuture written = channel.write(copiedBuffer("hello", US_ASCII));
            channel.close();
            assertEquals("hello", new String(peer.readToEnd(), US_ASCII));
            Await.success(written, "the write");
        }
    }

    @Test
    void shouldEchoHoweverTheInputIsFragmented() throws Exception {
        Channel server = rig.bind(new Recorder() {
            @Override
            void onMessage(MessageEvent e) {
                e.getChannel().write(e.getMessage());
            }
        });
        byte[] sent = new byte[300_000];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = (byte) (i * 31 + (i >> 8));
        }
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.send(sent);
            assertArrayEquals(sent, peer.read(sent.length));
            peer.sendInFragments(sent, 10_007);
            assertArrayEquals(sent, peer.read(sent.length));
        }
    }

    @Test
    void shouldFailWritesBeforeConnectAndAfterClose() {
        Channel channel = rig.clients.newChannel(Channels.pipeline(new Recorder()));
        assertInstanceOf(
                NotYetConnectedException.class,
                Await.failure(channel.write(copiedBuffer("x", US_ASCII)), "a write before connect"));
        Await.success(channel.close(), "the close");
        assertInstanceOf(
                ClosedChannelException.class,
                Await.failure(channel.write(copiedBuffer("x", US_ASCII)), "a write after close"));
    }

    @Test
    void shouldCompleteEveryCloseFutureAndNotLetUsersCompleteIt() {
        Channel client = rig.connected(rig.bind(new Recorder()), new Recorder());
        ChannelFuture own = Channels.future(client);
        Rig.onLoop(client, () -> {
            client.close();
            client.close();
            client.disconnect();
            client.unbind();
        });
        Await.success(client.getCloseFuture(), "the close");
        Channels.close(client.getPipeline().getContext(Recorder.class), own);
        Await.success(own, "a close of a closed channel");
    }

    @Test
    void shouldBeClosedForHandlersAfterCloseWasRequested() {
        Recorder made = new Recorder() {
            @Override
            void onState(ChannelStateEvent e) throws Exception {
                super.onState(e);
                if (events().size() == 3) {
                    Channel channel = e.getChannel();
                    ChannelFuture close = channel.close();
                    assertFalse(channel.isOpen() || channel.isBound() || channel.isConnected(), "after close()");
                    assertFalse(close.isDone(), "closed before the handler has returned");
                    assertEquals(3, events().size(), "no event interrupts a handler");
                }
            }
        };
        rig.connect(rig.bind(new Recorder()), made);
        made.awaitClosed();
        assertEquals(WHOLE_LIFE, made.events());
        assertEquals(List.of(), made.failures());
    }

    @Test
    void shouldBeClosedForTheCallerWhenCloseReturns() {
        Channel server = rig.bind(new Recorder());
        Channel client = rig.connect(server, new Recorder()).getChannel();
        for (Channel channel : List.of(client, server)) {
            ChannelFuture close = channel.close();
            assertFalse(channel.isOpen() || channel.isBound() || channel.isConnected(), channel + " after close()");
            Await.success(close, "the close");
        }
    }

    @Test
    void shouldStopReadingImmediatelyAndResume() throws Exception {
        Recorder accepted = new Recorder() {
            @Override
            void onMessage(MessageEvent e) throws Exception {
                super.onMessage(e);
                e.getChannel().setReadable(false);
            }
        };
        Channel server = rig.bind(
                () -> Channels.pipeline(accepted),
                Map.of("child.receiveBufferSizePredictorFactory", new FixedReceiveBufferSizePredictorFactory(10)));
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.send("0123456789abcdefghij");
            accepted.awaitReceived(10);
            Channel channel = accepted.awaitConnected();
            Rig.onLoop(channel, () -> assertFalse(channel.isReadable()));
            assertEquals(10, accepted.receivedBytes(), "nothing more within the batch");
            Await.success(channel.setReadable(true), "setReadable");
            accepted.awaitReceived(20);
            Rig.onLoop(channel, () -> {});
            assertTrue(
                    accepted.events().containsAll(List.of("interest -W", "interest RW")), accepted.events()::toString);
        }
    }

    @Test
    void shouldRefuseToAwaitOnTheThreadThatWouldCompleteTheFuture() {
        Channel client = rig.connected(rig.bind(new Recorder()), new Recorder());
        Rig.onLoop(client, () -> {
            ChannelFuture pending = client.getCloseFuture();
            IllegalStateException refusal = null;
            try {
                pending.awaitUninterruptibly();
            } catch (IllegalStateException e) {
                refusal = e;
            }
            assertTrue(refusal != null && refusal.getMessage().contains("I/O thread"), "refused with a reason");
        });
    }

    @Test
    void shouldHaveNoRemoteAddressAsAServer() {
        Channel server = rig.bind(new Recorder());
        assertNull(server.getRemoteAddress());
        assertTrue(server.isBound());
        assertFalse(server.isConnected());
        assertInstanceOf(UnsupportedOperationException.class, Await.failure(server.write("x"), "a write to a server"));
    }
}
