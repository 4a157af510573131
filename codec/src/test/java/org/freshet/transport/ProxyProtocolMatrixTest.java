package org.freshet.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.AcceptGuard;
import org.freshet.bootstrap.Drain;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OriginalAddress;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolDecoder;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolEncoder;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolHeader;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolSettings;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolVersion;
import org.freshet.handler.ipfilter.IpFilterRuleHandler;
import org.freshet.handler.ipfilter.IpFilterRuleList;
import org.freshet.handler.ipfilter.IpNetworks;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The PROXY protocol over every pair of transports: the header, limits per address, filters, slow proxies and a drain.
 */
class ProxyProtocolMatrixTest {
    private static final IpNetworks LOOPBACK = IpNetworks.of("127.0.0.0/8", "::1/128");
    private static final ProxyProtocolSettings TRUSTING =
            ProxyProtocolSettings.trusting(LOOPBACK).withNonIpPeers();
    private static final InetSocketAddress SERVICE = new InetSocketAddress("198.51.100.1", 443);

    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final BlockingQueue<Channel> connected = new LinkedBlockingQueue<>();

    /** Echoes, and greets a client with its address. */
    private final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            accepted.add(e.getChannel());
            ctx.sendUpstream(e);
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            connected.add(e.getChannel());
            ctx.sendUpstream(e);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    private static final class Collected extends SimpleChannelUpstreamHandler {
        private final StringBuffer text = new StringBuffer();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            text.append(((ChannelBuffer) e.getMessage()).toString(ISO_8859_1));
        }
    }

    private Channel listen(Rig rig, Pair pair, ProxyProtocolSettings settings, ChannelHandler... more) {
        rig.server().setPipelineFactory(() -> {
            var pipeline = Channels.pipeline(new ProxyProtocolDecoder(settings));
            for (ChannelHandler handler : more) {
                pipeline.addLast("more", handler);
            }
            pipeline.addLast("application", new Application());
            return pipeline;
        });
        return rig.server().bind(pair.freeAddress());
    }

    private static InetSocketAddress client(int number) {
        return new InetSocketAddress("203.0.113." + number, 4711);
    }

    private static ProxyProtocolEncoder encoder(ProxyProtocolVersion version, int client) {
        return new ProxyProtocolEncoder(version, ProxyProtocolHeader.proxied(client(client), SERVICE), true);
    }

    private static Channel take(BlockingQueue<Channel> channels) throws InterruptedException {
        Channel channel = channels.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertTrue(channel != null, "timed out waiting for a channel");
        return channel;
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendTheHeaderBeforeTheWritesOfOtherThreads(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            SocketAddress address = listen(rig, pair, TRUSTING).getLocalAddress();
            for (int i = 0; i < 20; i++) {
                ProxyProtocolVersion version = ProxyProtocolVersion.values()[i % 2];
                Collected collected = new Collected();
                ChannelFuture connecting = rig.connecting(address, encoder(version, 1 + i), collected);
                Await.success(connecting, "the connection");
                CountDownLatch written = new CountDownLatch(2);
                for (int writer = 0; writer < 2; writer++) { // immediately, perhaps before the connected event
                    new Thread(() -> {
                                connecting.getChannel().write(copiedBuffer("hello", ISO_8859_1));
                                written.countDown();
                            })
                            .start();
                }
                Await.latch(written, "the writers");
                Await.until(() -> collected.text.length() == 10, () -> "an echo: " + collected.text);
                assertEquals("hellohello", collected.text.toString());
                Channel served = take(connected);
                assertEquals(client(1 + i), OriginalAddress.of(served));
                assertEquals(SERVICE, OriginalAddress.destinationOf(served));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCountConnectionsForTheirClients(Pair pair) throws Exception {
        InetAddress proxy = InetAddress.getLoopbackAddress();
        AcceptGuard guard = AcceptGuard.builder().perAddress(1).build();
        try (Rig rig = pair.rig()) {
            rig.server().setAcceptGuard(guard);
            SocketAddress address = listen(rig, pair, TRUSTING).getLocalAddress();
            Channel first = null;
            for (int number = 1; number <= 3; number++) { // all from one proxy
                Channel connection = rig.connect(address, encoder(ProxyProtocolVersion.V2, number));
                first = first == null ? connection : first;
                take(accepted);
                take(connected);
                assertEquals(1, guard.getOpenConnections(client(number).getAddress()));
            }
            rig.connect(address, encoder(ProxyProtocolVersion.V2, 1));
            Channel refused = take(accepted);
            Await.done(refused.getCloseFuture(), "the close of the client's second connection");
            assertEquals(Kind.REFUSED, refused.getCloseReason().kind());
            assertEquals(1, guard.getRefusedByCause().get("address"));
            assertTrue(connected.isEmpty());
            Await.done(first.close(), "the close of the first");
            Await.until(() -> guard.getOpenConnections(client(1).getAddress()) == 0, "room for the client");
            Await.until(() -> guard.getOpenConnections(proxy) == 0, "room for the proxy, which the refused one took");
            rig.connect(address, encoder(ProxyProtocolVersion.V2, 1));
            assertEquals(client(1), OriginalAddress.of(take(connected)));
        }
        assertEquals(0, guard.getOpenConnections());
        for (int number = 1; number <= 3; number++) {
            assertEquals(0, guard.getOpenConnections(client(number).getAddress()));
        }
        assertEquals(0, guard.getOpenConnections(proxy));
    }

    @ParameterizedTest
    @EnumSource
    void shouldFilterByClientAfterTheDecoder(Pair pair) throws Exception {
        IpFilterRuleHandler filter = new IpFilterRuleHandler(new IpFilterRuleList("-i:203.0.113.2"));
        try (Rig rig = pair.rig()) {
            SocketAddress address = listen(rig, pair, TRUSTING, filter).getLocalAddress();
            for (int number = 1; number <= 3; number++) {
                rig.connect(address, encoder(ProxyProtocolVersion.V1, number));
                Channel channel = take(accepted);
                if (number == 2) {
                    Await.done(channel.getCloseFuture(), "the close by the filter");
                    assertEquals(Kind.REFUSED, channel.getCloseReason().kind());
                    assertTrue(connected.isEmpty());
                } else {
                    assertEquals(channel, take(connected));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefusePeersThatAreNotTrusted(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            SocketAddress address = listen(rig, pair, ProxyProtocolSettings.trusting("10.0.0.0/8"))
                    .getLocalAddress();
            rig.connecting(address, encoder(ProxyProtocolVersion.V2, 1));
            Channel channel = take(accepted);
            Await.done(channel.getCloseFuture(), "the close of an untrusted connection");
            assertEquals(Kind.REFUSED, channel.getCloseReason().kind());
            assertTrue(connected.isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseConnectionsThatWaitForAHeaderInADrain(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            SocketAddress address = listen(rig, pair, TRUSTING).getLocalAddress();
            Channel silent = rig.connect(address);
            silent.write(copiedBuffer("PROXY TCP4", ISO_8859_1));
            Channel served = rig.connect(address, encoder(ProxyProtocolVersion.V2, 1));
            take(accepted);
            take(accepted);
            take(connected);
            var report = Drain.of(rig.server())
                    .quietPeriod(Duration.ofMillis(1))
                    .deadline(Duration.ofSeconds(25))
                    .start();
            assertEquals(List.of(), Await.result(report, "the drain").cutOff());
            Await.done(silent.getCloseFuture(), "the end of the silent one");
            Await.done(served.getCloseFuture(), "the end of the other one");
        }
    }

    /** A header that arrives byte by byte keeps a connection open no longer than silence does. */
    @ParameterizedTest
    @EnumSource
    void shouldNotWaitForASlowHeader(Pair pair) throws Exception {
        assumeTrue(pair == Pair.NIO_NIO || pair == Pair.OIO_OIO, "once for each transport of a server");
        List<ScriptedPeer> peers = new ArrayList<>();
        try (Rig rig = pair.rig()) {
            SocketAddress address = listen(rig, pair, TRUSTING.withTimeout(Duration.ofMillis(200)))
                    .getLocalAddress();
            for (int i = 0; i < 10; i++) {
                peers.add(ScriptedPeer.connect(address).sendByteByByte("PROXY TCP4 20".getBytes(ISO_8859_1)));
            }
            for (ScriptedPeer peer : peers) {
                peer.awaitEnd();
                Channel channel = take(accepted);
                Await.done(channel.getCloseFuture(), "the close");
                assertEquals(Kind.TIMED_OUT, channel.getCloseReason().kind());
            }
            try (ScriptedPeer patient = ScriptedPeer.connect(address)) {
                patient.sendByteByByte("PROXY TCP4 203.0.113.1 198.51.100.1 4711 443\r\nhello".getBytes(ISO_8859_1));
                assertEquals("hello", patient.readText(5));
            }
        } finally {
            for (ScriptedPeer peer : peers) {
                peer.close();
            }
        }
    }
}
