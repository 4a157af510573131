package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioDatagramChannelFactory;
import org.freshet.channel.socket.oio.OioDatagramChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests on a channel take effect in the order in which they were made, on whatever threads: every pair of requests
 * has the same outcome as when the second one waits for the first.
 */
class RequestOrderTest {
    private static final InetSocketAddress FREE_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static final Set<TwoRequests> CONCURRENT = EnumSet.complementOf(EnumSet.of(TwoRequests.ONE_BY_ONE));

    /** The state that a pair of requests leaves. */
    private record Outcome(TwoRequests.Ends ends, String state, String sent) {}

    private interface Scenario {
        Outcome run(
                TwoRequests way,
                Map.Entry<String, Function<Channel, ChannelFuture>> first,
                Map.Entry<String, Function<Channel, ChannelFuture>> second)
                throws Exception;
    }

    /**
     * The states after pairs whose second request waits for the first, by subject and requests: the same for each way.
     */
    private static final Map<List<Object>, Outcome> expected = new HashMap<>();

    /**
     * Runs every pair both ways, and reports those with different outcomes.
     *
     * @param subject the kind of channel, its transport and its state, for which {@code requests} are made
     */
    private static void assertSameOutcomes(
            List<Object> subject,
            TwoRequests way,
            Map<String, Function<Channel, ChannelFuture>> requests,
            Scenario scenario)
            throws Exception {
        List<String> differences = new ArrayList<>();
        for (Map.Entry<String, Function<Channel, ChannelFuture>> first : requests.entrySet()) {
            for (Map.Entry<String, Function<Channel, ChannelFuture>> second : requests.entrySet()) {
                List<Object> pair = List.of(subject, first.getKey(), second.getKey());
                if (!expected.containsKey(pair)) {
                    expected.put(pair, scenario.run(TwoRequests.ONE_BY_ONE, first, second));
                }
                Outcome actual = scenario.run(way, first, second);
                if (!actual.equals(expected.get(pair))) {
                    differences.add(first.getKey() + ", " + second.getKey() + ": expected " + expected.get(pair)
                            + ", actual " + actual);
                }
            }
        }
        assertEquals(List.of(), differences, () -> String.join("\n", differences));
    }

    private static ChannelFuture write(Channel channel, String text, SocketAddress receiver) {
        return channel.write(copiedBuffer(text, StandardCharsets.ISO_8859_1), receiver);
    }

    // ---- connections ------------------------------------------------------------------------------------------------

    static Stream<Arguments> connections() {
        return Stream.of(Pair.NIO_NIO, Pair.OIO_NIO, Pair.NIO_OIO, Pair.OIO_OIO, Pair.UNIX, Pair.LOCAL)
                .flatMap(pair -> CONCURRENT.stream().map(way -> Arguments.of(pair, way)));
    }

    @ParameterizedTest
    @MethodSource("connections")
    void shouldKeepTheOrderOfRequestsOfAConnection(Pair pair, TwoRequests way) throws Exception {
        Map<String, Function<Channel, ChannelFuture>> requests = new LinkedHashMap<>();
        requests.put("write", channel -> write(channel, "1", null));
        requests.put("suspend", channel -> channel.setReadable(false));
        requests.put("resume", channel -> channel.setReadable(true));
        requests.put("bind", channel -> channel.bind(pair.freeAddress()));
        requests.put("connect", channel -> channel.connect(channel.getRemoteAddress()));
        requests.put("disconnect", Channel::disconnect);
        requests.put("unbind", Channel::unbind);
        requests.put("end output", Channels::shutdownOutput);
        requests.put("close", Channel::close);
        try (Rig rig = pair.rig()) {
            rig.server().setOption("child.allowHalfClosure", true); // so that a peer of an ended output can respond
            Recorder[] accepted = new Recorder[1];
            Channel server = rig.listen(pair.freeAddress(), () -> accepted[0]);
            assertSameOutcomes(List.of("connection", pair), way, requests, (oneWay, first, second) -> {
                accepted[0] = new Recorder();
                Recorder made = new Recorder();
                Channel channel = rig.connect(server.getLocalAddress(), made);
                accepted[0].awaitEvent("connected");
                return connectionOutcome(channel, oneWay.make(channel, first, second), made, accepted[0]);
            });
        }
    }

    /** Checks whether the connection still works, and closes it. */
    private static Outcome connectionOutcome(Channel channel, TwoRequests.Ends ends, Recorder made, Recorder accepted) {
        String state = "closed";
        if (channel.isOpen()) {
            state = channel.isReadable() ? "readable" : "suspended";
            if (channel.isReadable()) {
                write(accepted.channel(), "from the peer", null);
                made.awaitText("from the peer");
            }
            channel.close();
        }
        made.awaitClosed();
        Await.until(
                () -> accepted.events().contains("inputShutdown")
                        || accepted.events().contains("closed"),
                "the end at the peer");
        accepted.channel().close();
        accepted.awaitClosed();
        assertEquals("closed", made.events().get(made.events().size() - 1), () -> "events: " + made.events());
        return new Outcome(ends, state, accepted.text());
    }

    // ---- sockets that are not connected -----------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("connections")
    void shouldKeepTheOrderOfRequestsOfAnOpenSocket(Pair pair, TwoRequests way) throws Exception {
        Map<String, Function<Channel, ChannelFuture>> requests = new LinkedHashMap<>();
        requests.put("write", channel -> write(channel, "1", null));
        requests.put("suspend", channel -> channel.setReadable(false));
        requests.put("resume", channel -> channel.setReadable(true));
        requests.put("bind", channel -> channel.bind(pair.freeAddress()));
        requests.put("end output", Channels::shutdownOutput);
        requests.put("close", Channel::close);
        try (Rig rig = pair.rig()) {
            assertSameOutcomes(List.of("socket", pair), way, requests, (oneWay, first, second) -> {
                Recorder made = new Recorder();
                Channel channel = rig.client().getFactory().newChannel(Channels.pipeline(made));
                made.awaitEvent("open");
                TwoRequests.Ends ends = oneWay.make(channel, first, second);
                String state = channel.isOpen() ? "bound " + channel.isBound() + " " + channel.isReadable() : "closed";
                channel.close();
                made.awaitClosed();
                return new Outcome(ends, state, "");
            });
        }
    }

    // ---- servers ----------------------------------------------------------------------------------------------------

    static Stream<Arguments> servers() {
        return Stream.of(Pair.NIO_NIO, Pair.OIO_OIO, Pair.UNIX, Pair.LOCAL) // each transport's server once
                .flatMap(pair -> Stream.of(false, true)
                        .flatMap(isBound -> CONCURRENT.stream().map(way -> Arguments.of(pair, isBound, way))));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void shouldKeepTheOrderOfRequestsOfAServer(Pair pair, boolean isBound, TwoRequests way) throws Exception {
        Map<String, Function<Channel, ChannelFuture>> requests = new LinkedHashMap<>();
        requests.put("bind", channel -> Channels.bind(channel, pair.freeAddress()));
        requests.put("unbind", Channel::unbind);
        requests.put("end output", Channels::shutdownOutput);
        requests.put("close", Channel::close);
        requests.put("suspend", channel -> Channels.setInterestOps(channel, Channel.OP_NONE));
        requests.put("resume", channel -> Channels.setInterestOps(channel, Channel.OP_READ));
        requests.put("write", channel -> write(channel, "1", null));
        try (Rig rig = pair.rig()) {
            assertSameOutcomes(List.of("server", pair, isBound), way, requests, (oneWay, first, second) -> {
                Recorder made = new Recorder();
                Channel channel = rig.server().getFactory().newChannel(Channels.pipeline(made));
                made.awaitEvent("open");
                if (isBound) {
                    Await.success(channel.bind(pair.freeAddress()), "the bind");
                }
                TwoRequests.Ends ends = oneWay.make(channel, first, second);
                String state = channel.isOpen() ? "bound " + channel.isBound() : "closed";
                channel.close();
                List<String> events = new ArrayList<>(made.awaitClosed().events());
                assertEquals("closed", events.remove(events.size() - 1), events::toString);
                Collections.sort(events); // over OIO, failures are reported on another thread than success
                return new Outcome(ends, state, "events: " + events);
            });
        }
    }

    // ---- datagrams --------------------------------------------------------------------------------------------------

    /** The initial state of a datagram channel. */
    private enum Beginning {
        OPEN,
        BOUND,
        CONNECTED
    }

    /** The transports with datagrams. */
    private enum Datagrams {
        NIO(NioDatagramChannelFactory::new),
        OIO(OioDatagramChannelFactory::new);

        private final Supplier<ChannelFactory> factory;

        Datagrams(Supplier<ChannelFactory> factory) {
            this.factory = factory;
        }
    }

    static Stream<Arguments> datagrams() {
        return Stream.of(Datagrams.values())
                .flatMap(transport -> Stream.of(Beginning.values())
                        .flatMap(beginning -> CONCURRENT.stream().map(way -> Arguments.of(transport, beginning, way))));
    }

    @ParameterizedTest
    @MethodSource("datagrams")
    void shouldKeepTheOrderOfRequestsOfADatagramChannel(Datagrams transport, Beginning beginning, TwoRequests way)
            throws Exception {
        ChannelFactory factory = transport.factory.get();
        try (Receiver a = new Receiver();
                Receiver b = new Receiver()) {
            Map<String, Function<Channel, ChannelFuture>> requests = new LinkedHashMap<>();
            requests.put("write", channel -> write(channel, "1", null));
            requests.put("write to A", channel -> write(channel, "2", a.address()));
            requests.put("write to B", channel -> write(channel, "3", b.address()));
            requests.put("connect to A", channel -> channel.connect(a.address()));
            requests.put("connect to B", channel -> channel.connect(b.address()));
            requests.put("disconnect", Channel::disconnect);
            requests.put("bind", channel -> channel.bind(FREE_PORT));
            requests.put("unbind", Channel::unbind);
            requests.put("suspend", channel -> channel.setReadable(false));
            requests.put("resume", channel -> channel.setReadable(true));
            requests.put("end output", Channels::shutdownOutput);
            requests.put("close", Channel::close);
            assertSameOutcomes(List.of("datagrams", transport, beginning), way, requests, (oneWay, first, second) -> {
                Recorder made = new Recorder();
                Channel channel = factory.newChannel(Channels.pipeline(made));
                made.awaitEvent("open");
                begin(channel, beginning, a.address());
                TwoRequests.Ends ends = oneWay.make(channel, first, second);
                String state = stateOf(channel, a, b);
                channel.close();
                made.awaitClosed();
                return new Outcome(ends, state, "A: " + a.receiveAll() + ", B: " + b.receiveAll());
            });
        } finally {
            factory.releaseExternalResources();
        }
    }

    private static void begin(Channel channel, Beginning beginning, SocketAddress peer) {
        if (beginning != Beginning.OPEN) {
            Await.success(channel.bind(FREE_PORT), "the bind");
        }
        if (beginning == Beginning.CONNECTED) {
            Await.success(channel.connect(peer), "the connect");
        }
    }

    private static String stateOf(Channel channel, Receiver a, Receiver b) {
        if (!channel.isOpen()) {
            return "closed";
        }
        SocketAddress peer = channel.getRemoteAddress();
        String to = peer == null ? "nobody" : peer.equals(a.address()) ? "A" : peer.equals(b.address()) ? "B" : "?";
        return "bound " + channel.isBound() + ", connected to " + to + ", readable " + channel.isReadable();
    }

    @ParameterizedTest
    @MethodSource("datagrams")
    void shouldSendToThePeerThatWasConnectedLast(Datagrams transport, Beginning beginning, TwoRequests way)
            throws Exception {
        ChannelFactory factory = transport.factory.get();
        try (Receiver a = new Receiver();
                Receiver b = new Receiver()) {
            Recorder made = new Recorder();
            Channel channel = factory.newChannel(Channels.pipeline(made));
            made.awaitEvent("open");
            begin(channel, beginning, a.address());
            List<ChannelFuture> futures = new ArrayList<>();
            way.make(
                    channel,
                    () -> {
                        futures.add(channel.disconnect());
                        futures.add(channel.connect(b.address()));
                    },
                    () -> {
                        futures.add(write(channel, "1", null));
                        futures.add(channel.disconnect());
                        futures.add(channel.connect(a.address()));
                        futures.add(write(channel, "2", null));
                    });
            futures.forEach(future -> Await.success(future, "every request"));
            assertEquals("1", b.receiveAll());
            assertEquals("2", a.receiveAll());
        } finally {
            factory.releaseExternalResources();
        }
    }

    /** A socket that receives datagrams. Over the loopback interface they have arrived when the send returns. */
    private static final class Receiver implements AutoCloseable {
        private final DatagramChannel socket;

        Receiver() throws IOException {
            socket = DatagramChannel.open().bind(FREE_PORT);
            socket.configureBlocking(false);
        }

        InetSocketAddress address() {
            return (InetSocketAddress) socket.socket().getLocalSocketAddress();
        }

        String receiveAll() throws IOException {
            StringBuilder text = new StringBuilder();
            ByteBuffer datagram = ByteBuffer.allocate(100);
            while (socket.receive(datagram.clear()) != null) {
                text.append(StandardCharsets.ISO_8859_1.decode(datagram.flip()));
            }
            return text.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
