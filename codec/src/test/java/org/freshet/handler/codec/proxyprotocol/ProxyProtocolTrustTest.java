package org.freshet.handler.codec.proxyprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.OriginalAddress;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.telemetry.Explain;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Which peers are believed, for how long the header may take, and when handlers are notified. */
class ProxyProtocolTrustTest extends ProxiedConnection {
    // ---- which peers are trusted ----

    @Test
    void shouldRefuseAPeerOutsideTheTrustedNetworksBeforeItsFirstByte() {
        MemoryChannel channel = MemoryChannel.connected(STRANGER, new ProxyProtocolDecoder(TRUSTING), states);
        assertFalse(channel.isOpen());
        assertEquals(Kind.REFUSED, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeCaught());
        assertNothingBelieved(channel);
    }

    @Test
    void shouldTrustAPeerWithoutAnIpAddressOnlyIfConfigured() {
        SocketAddress nameless = UnixDomainSocketAddress.of("");
        MemoryChannel channel = MemoryChannel.connected(nameless, new ProxyProtocolDecoder(TRUSTING));
        assertEquals(Kind.REFUSED, channel.getCloseReason().kind());
        channel = MemoryChannel.connected(nameless, new ProxyProtocolDecoder(TRUSTING.withNonIpPeers()));
        channel.receive(bytes(LINE));
        assertEquals(CLIENT, OriginalAddress.of(channel));
        assertFalse(TRUSTING.withNonIpPeers().trusts(STRANGER));
        assertFalse(TRUSTING.withNonIpPeers().trusts(null));
    }

    // ---- when handlers are notified ----

    @Test
    void shouldConnectTheHandlersOnceTheClientIsKnown() {
        List<SocketAddress> clients = new ArrayList<>();
        ChannelHandler application = new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                clients.add(OriginalAddress.of(ctx.getChannel()));
                ctx.getChannel().write("welcome");
            }
        };
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(TRUSTING), states, application);
        assertEquals(List.of("OPEN", "BOUND"), states.seen);
        channel.receive(bytes(LINE + "hello"));
        assertEquals(List.of("OPEN", "BOUND", "CONNECTED"), states.seen);
        assertEquals(List.of(CLIENT), clients);
        assertEquals(List.of("welcome"), channel.takeWritten());
        assertEquals(List.of(bytes("hello")), channel.takeReceived());
        channel.close();
        assertEquals(6, states.seen.size(), states.seen::toString);
    }

    @Test
    void shouldWorkInAnAlreadyConnectedChannel() {
        MemoryChannel channel = MemoryChannel.connected(PROXY, states);
        channel.getPipeline().addFirst("proxy", new ProxyProtocolDecoder(TRUSTING));
        channel.receive(bytes(LINE));
        assertServed(channel, CLIENT, SERVICE);
        channel = MemoryChannel.connected(STRANGER);
        channel.getPipeline().addFirst("proxy", new ProxyProtocolDecoder(TRUSTING));
        assertEquals(Kind.REFUSED, channel.getCloseReason().kind());
    }

    @Test
    void shouldPassNothingToHandlersThatCloseTheChannel() {
        ChannelHandler closing = new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getChannel().close();
            }
        };
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(TRUSTING), states, closing);
        channel.receive(bytes(LINE + "hello"));
        assertEquals(List.of(), channel.takeReceived());
        assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "CONNECTED over", "BOUND over", "OPEN over"), states.seen);
    }

    @Test
    void shouldHideAConnectionThatEndsBeforeItsHeader() {
        MemoryChannel channel = connect(TRUSTING);
        channel.receive(bytes("PROXY TCP4"));
        channel.close();
        assertEquals(List.of("OPEN", "BOUND", "BOUND over", "OPEN over"), states.seen);
        assertEquals(List.of(), channel.takeCaught());
        channel = connect(TRUSTING);
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        assertEquals(Kind.PROTOCOL, channel.getCloseReason().kind());
        channel = connect(TRUSTING);
        channel.receive(bytes(LINE));
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldExplainThatItIsWaiting() throws Exception {
        MemoryChannel channel = connect(TRUSTING);
        channel.receive(bytes("PROXY"));
        String text = Explain.channel(channel).get();
        assertTrue(text.contains("unread bytes: 5\n"), text);
        assertTrue(text.contains("PROXY protocol header: WAITING\n"), text);
    }

    // ---- time ----

    @Test
    void shouldCloseIfTheHeaderIsNotThereInTime() {
        FakeTimer timer = new FakeTimer();
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(TRUSTING, timer), states);
        for (char c : LINE.substring(0, 5).toCharArray()) {
            channel.receive(bytes("" + c));
            timer.advanceMillis(999);
        }
        assertTrue(channel.isOpen());
        timer.advanceMillis(5);
        assertEquals(Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeCaught());
        assertNothingBelieved(channel);
    }

    @Test
    void shouldStopTheTimeOutWhenTheHeaderArrivesOrTheChannelCloses() {
        FakeTimer timer = new FakeTimer();
        ProxyProtocolSettings settings = TRUSTING.withTimeout(Duration.ofMillis(10));
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(settings, timer));
        channel.receive(bytes(LINE));
        MemoryChannel other = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(settings, timer));
        other.close();
        timer.advanceMillis(60_000);
        assertServed(channel, CLIENT, SERVICE);
        assertEquals(Kind.LOCAL, other.getCloseReason().kind());
    }

    @Test
    void shouldLimitTheTimeAlthoughTheTimerIsStopped() {
        FakeTimer timer = new FakeTimer();
        timer.stop();
        ProxyProtocolSettings settings = TRUSTING.withTimeout(Duration.ofMillis(1));
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(settings, timer), states);
        Await.success(channel.getCloseFuture(), "the close");
        Await.until(() -> states.seen.contains("OPEN over"), "its last event, which another thread fires after that");
        assertEquals(Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeCaught());
        assertNothingBelieved(channel);
    }

    // ---- settings ----

    @Test
    void shouldRefuseInvalidSettings() {
        assertThrows(IllegalArgumentException.class, () -> ProxyProtocolSettings.trusting());
        assertThrows(IllegalArgumentException.class, () -> ProxyProtocolSettings.trusting("10.0.0.1"));
        assertThrows(IllegalArgumentException.class, () -> TRUSTING.withTimeout(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> TRUSTING.withMaxBytes(106));
        assertThrows(IllegalArgumentException.class, () -> TRUSTING.withMaxBytes(65_552));
        assertThrows(IllegalArgumentException.class, () -> TRUSTING.withTlvs(ProxyProtocolTlv.CRC32C));
        assertThrows(IllegalArgumentException.class, () -> TRUSTING.withTlvs(256));
        assertEquals(536, TRUSTING.maxBytes());
        assertEquals(Duration.ofSeconds(5), TRUSTING.timeout());
    }
}
