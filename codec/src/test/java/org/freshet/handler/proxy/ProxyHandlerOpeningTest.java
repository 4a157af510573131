package org.freshet.handler.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ConnectionPendingException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelHandlerLifeCycleException;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Recorder;
import org.freshet.testing.Scarcity;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an application does while the tunnel is being opened. */
@Tag("crypto")
class ProxyHandlerOpeningTest extends ProxyConversation {
    // ---- requests while the tunnel is being opened ----

    /** Reads the SOCKS 4 request and waits until the channel's account shows that it has been sent. */
    private static void takeRequest(ScriptedPeer peer, Channel channel) throws Exception {
        readSocks4Request(peer);
        Await.until(() -> WriteAccount.waitingBytes(channel) == 0, "the request to the proxy to be sent");
    }

    @Test
    void shouldNotBeWritableWhileMuchIsQueued() throws Exception {
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), client);
        Channel channel = connected.getChannel();
        try (ScriptedPeer peer = proxy.accept()) {
            takeRequest(peer, channel);
            channel.write(wrappedBuffer(new byte[64 * 1024 - WriteAccount.MESSAGE_BYTES]));
            assertTrue(channel.isWritable());
            channel.write(wrappedBuffer(new byte[WriteAccount.MESSAGE_BYTES + 1]));
            assertFalse(channel.isWritable());
            peer.send(bytes("005a000000000000"));
            Await.success(connected, "the tunnel");
            peer.read(64 * 1024 + 1);
            Await.until(channel::isWritable, "a writable channel");
        }
    }

    @Test
    void shouldCountQueuedWritesUntilTheyAreSent() throws Exception {
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), client);
        Channel channel = connected.getChannel();
        try (ScriptedPeer peer = proxy.accept()) {
            takeRequest(peer, channel);
            channel.write(wrappedBuffer(new byte[1000]));
            assertEquals(WriteAccount.costOf(1000), WriteAccount.waitingBytes(channel));
            peer.send(bytes("005a000000000000"));
            Await.success(connected, "the tunnel");
            peer.read(1000);
            Await.until(() -> WriteAccount.waitingBytes(channel) == 0, "the empty account");
        }
    }

    @Test
    void shouldApplyTheLimitOfTheChannelToQueuedWrites() throws Exception {
        rig.client().setOption(ChannelOption.WRITE_BUFFER_LIMIT, 100_000);
        rig.client().setOption(ChannelOption.WRITE_OVERFLOW, WriteOverflow.FAIL);
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), client);
        Channel channel = connected.getChannel();
        try (ScriptedPeer peer = proxy.accept()) {
            takeRequest(peer, channel);
            channel.write(wrappedBuffer(new byte[90_000]));
            ChannelFuture beyond = channel.write(wrappedBuffer(new byte[20_000]));
            assertInstanceOf(WriteOverflowException.class, beyond.getCause());
            ChannelFuture fitting = channel.write(wrappedBuffer(new byte[] {1}));
            assertEquals(WriteAccount.costOf(90_000) + WriteAccount.costOf(1), WriteAccount.waitingBytes(channel));
            peer.send(bytes("005a000000000000"));
            assertEquals(1, peer.read(90_001)[90_000]);
            Await.success(fitting, "the last write");
        }
    }

    @Test
    void shouldCloseWhenTooMuchIsQueuedByDefault() throws Exception {
        rig.client().setOption(ChannelOption.WRITE_BUFFER_LIMIT, 100_000);
        Socks4ProxyHandler handler = new Socks4ProxyHandler(proxy.address());
        ChannelFuture connected = connecting(handler, client);
        Channel channel = connected.getChannel();
        ChannelFuture waiting = channel.write(wrappedBuffer(new byte[90_000]));
        ChannelFuture beyond = channel.write(wrappedBuffer(new byte[20_000]));
        Await.failure(beyond, "the write beyond the limit");
        Await.failure(waiting, "the queued write");
        Await.failure(connected, "the tunnel");
        Await.success(channel.getCloseFuture(), "the close");
        assertEquals(CloseReason.Kind.OVERFLOW, channel.getCloseReason().kind());
        assertEquals(0, handler.heldBytes(channel));
    }

    @Test
    void shouldReadTheAnswerEvenIfReadingIsSuspended() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address()), client);
        Channel channel = connected.getChannel();
        ChannelFuture suspended = channel.setReadable(false);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            openTunnel(peer);
            Await.success(connected, "the tunnel");
            Await.success(suspended, "the suspension");
            peer.send("held");
            assertFalse(channel.isReadable());
            channel.setReadable(true);
            client.awaitText("held");
        }
    }

    @Test
    void shouldSendTheWritesOfSeveralThreadsInTheirOrder() throws Exception {
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), client);
        Channel channel = connected.getChannel();
        int each = 2000;
        try (ScriptedPeer peer = proxy.accept()) {
            readSocks4Request(peer);
            Thread[] writers = new Thread[2];
            CountDownLatch half = new CountDownLatch(2);
            for (int i = 0; i < writers.length; i++) {
                int who = i;
                writers[i] = new Thread(() -> {
                    for (int n = 0; n < each; n++) {
                        if (n == each / 2) {
                            half.countDown();
                        }
                        channel.write(wrappedBuffer(new byte[] {(byte) who, (byte) (n >> 8), (byte) n}));
                    }
                });
                writers[i].start();
            }
            Await.latch(half, "half of the writes"); // the others are made while the tunnel opens
            peer.send(bytes("005a000000000000"));
            int[] next = new int[2];
            byte[] received = peer.read(each * writers.length * 3);
            for (int at = 0; at < received.length; at += 3) {
                int n = (received[at + 1] & 0xff) << 8 | received[at + 2] & 0xff;
                assertEquals(next[received[at]]++, n, "of thread " + received[at]);
            }
            for (Thread writer : writers) {
                Await.end(writer);
            }
        }
    }

    @Test
    void shouldLetAHandlerAwaitItsWriteWhenItIsConnected() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Recorder awaiting = new Recorder() {
            @Override
            protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
                if (e instanceof ChannelStateEvent change
                        && change.getState() == ChannelState.CONNECTED
                        && change.getValue() != null) {
                    try {
                        Await.success(ctx.getChannel().write(copiedBuffer("awaited", ISO_8859_1)), "the write");
                    } catch (Throwable t) {
                        failure.set(t);
                    }
                }
            }
        };
        ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), awaiting);
        connected.getChannel().write(copiedBuffer("before ", ISO_8859_1));
        try (ScriptedPeer peer = proxy.accept()) {
            readSocks4Request(peer);
            peer.send(bytes("005a000000000000"));
            assertEquals("before awaited", peer.readText(14));
            assertNull(failure.get());
        }
    }

    @Test
    void shouldRefuseASecondConnect() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address()), client);
        ChannelFuture second = connected.getChannel().connect(TARGET);
        assertInstanceOf(ConnectionPendingException.class, Await.failure(second, "the second connect"));
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            openTunnel(peer);
            Await.success(connected, "the tunnel");
        }
    }

    @Test
    void shouldConnectOneChannelOnly() throws Exception {
        ProxyHandler handler = new Socks4ProxyHandler(proxy.address());
        ChannelFuture connected = connecting(handler, client);
        try (ScriptedPeer peer = proxy.accept()) {
            readSocks4Request(peer);
            peer.send(bytes("005a000000000000"));
            Await.success(connected, "the tunnel");
            Await.until(
                    () -> connected.getChannel().getPipeline().get(Socks4ProxyHandler.class) == null, "its removal");
        }
        assertThrows(ChannelHandlerLifeCycleException.class, () -> Channels.pipeline(handler));
    }

    @Test
    void shouldFailIfItIsRemovedTooEarly() throws Exception {
        ProxyHandler handler = new Socks5ProxyHandler(proxy.address());
        ChannelFuture connected = connecting(handler, client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            connected.getChannel().getPipeline().remove(handler);
            assertEquals("the handler was removed from the pipeline", reason(failure(connected)));
            peer.awaitEnd();
        }
    }

    // ---- without memory ----

    /** Everything completes, whichever step of the opening meets the error. */
    @Test
    void shouldCompleteEverythingIfMemoryRunsOutWhileTheTunnelOpens() {
        boolean wasReached = true;
        for (int step = 0; wasReached; step++) {
            Scarcity scarcity = Scarcity.later(step);
            Socks4ProxyHandler handler = new Socks4ProxyHandler(proxy.address());
            handler.setConnectTimeout(Duration.ZERO);
            MemoryChannel channel = MemoryChannel.open(scarcity.sparedTransport(), handler, new Recorder());
            ChannelFuture connected = scarce(channel, scarcity);
            channel.getPipeline()
                    .sendDownstream(
                            new DownstreamChannelStateEvent(channel, connected, ChannelState.CONNECTED, TARGET));
            MessageEvent first = scarcity.write(channel, wrappedBuffer(new byte[1000]));
            channel.getPipeline().sendDownstream(first);
            ChannelFuture second = channel.write(wrappedBuffer(new byte[1000]));
            scarcity.begin();
            Scarcity.survive(() -> channel.receive(wrappedBuffer(bytes("005a000000000000"))));
            scarcity.end();
            wasReached = scarcity.wasReached();

            assertTrue(connected.isDone(), "the connect");
            assertTrue(first.getFuture().isDone() && second.isDone(), "the writes");
            assertEquals(0, WriteAccount.waitingBytes(channel));
            assertTrue(connected.isSuccess() || !channel.isOpen(), "nothing stays half open");
        }
    }

    /** A future whose completion meets the error, before it has any effect. */
    private static ChannelFuture scarce(Channel channel, Scarcity scarcity) {
        return new DefaultChannelFuture(channel, true) {
            @Override
            public boolean setSuccess() {
                scarcity.step();
                return super.setSuccess();
            }
        };
    }
}
