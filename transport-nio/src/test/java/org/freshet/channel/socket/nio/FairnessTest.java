package org.freshet.channel.socket.nio;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.FixedReceiveBufferSizePredictor;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.socket.nio.receive.StreamReceiver;
import org.freshet.channel.socket.nio.send.StreamSender;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No channel takes more than a bounded share of a loop's iteration, counted in iterations rather than in time. */
class FairnessTest {
    private final Rig rig = new Rig();
    private final List<ScriptedPeer> peers = new ArrayList<>();

    @AfterEach
    void release() throws Exception {
        for (ScriptedPeer peer : peers) {
            peer.close();
        }
        rig.close();
    }

    private ScriptedPeer connect(Channel server) throws Exception {
        ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
        peers.add(peer);
        return peer;
    }

    @Test
    void shouldLimitTheReadsPerIteration() throws Exception {
        int space = 1024;
        int messages = 100;
        TurnCounter counter = new TurnCounter();
        Recorder accepted = new Recorder() {
            @Override
            void onMessage(MessageEvent e) throws Exception {
                counter.count(loopOf(e.getChannel()));
                super.onMessage(e);
            }
        };
        Channel server = rig.bind(
                () -> Channels.pipeline(accepted),
                Map.of("child.receiveBufferSizePredictor", new FixedReceiveBufferSizePredictor(space)));
        ScriptedPeer peer = connect(server);
        Channel channel = accepted.awaitConnected();
        Await.success(channel.setReadable(false), "the end of reading");
        peer.send(new byte[space * messages]);
        Await.success(channel.setReadable(true), "reading again");
        accepted.awaitReceived(space * messages);
        Rig.onLoop(channel, () -> assertTrue(counter.most() <= 4, () -> counter.most() + " reads in an iteration"));
    }

    @Test
    void shouldLimitTheWritesPerIteration() throws Exception {
        int messages = 200;
        int spinCount = 3;
        TurnCounter counter = new TurnCounter();
        Recorder accepted = new Recorder();
        Channel server = rig.bind(
                () -> Channels.pipeline(accepted),
                Map.of("child.writeSpinCount", spinCount, "child.writeCoalescing", false));
        ScriptedPeer peer = connect(server);
        Channel channel = accepted.awaitConnected();
        Rig.holding(channel, () -> {
            for (int i = 0; i < messages; i++) {
                channel.write(wrappedBuffer(new byte[10])).addListener(sent -> counter.count(loopOf(channel)));
            }
        });
        peer.read(10 * messages);
        Rig.onLoop(channel, () -> {
            assertEquals(messages, counter.total());
            assertEquals(spinCount, counter.most(), "writes in an iteration");
        });
    }

    @Test
    void shouldReadAWholeSegmentAtMostAfterAFullReadInATurn() throws Exception {
        Map<Long, List<Integer>> readsByTurn = new ConcurrentSkipListMap<>();
        Recorder accepted = new Recorder() {
            @Override
            void onMessage(MessageEvent e) throws Exception {
                int bytes = ((ChannelBuffer) e.getMessage()).readableBytes();
                long turn = loopOf(e.getChannel()).turns();
                readsByTurn
                        .computeIfAbsent(turn, reads -> new CopyOnWriteArrayList<>())
                        .add(bytes);
                super.onMessage(e);
            }
        };
        Channel server = rig.bind(() -> Channels.pipeline(accepted), Map.of("receiveBufferSize", 1 << 20));
        ScriptedPeer peer = connect(server);
        Channel channel = accepted.awaitConnected();
        int most = 0;
        for (int round = 1; most < 2 && round <= 100; round++) { // until what the peer sent comes in more than one read
            Await.success(channel.setReadable(false), "the end of reading");
            peer.send(new byte[2 * StreamReceiver.RECEIVE_BYTES]);
            Await.success(channel.setReadable(true), "reading again");
            accepted.awaitReceived(2 * StreamReceiver.RECEIVE_BYTES * round);
            most = readsByTurn.values().stream().mapToInt(List::size).max().orElse(0);
        }
        assertTrue(most >= 2, "the peer's bytes came one read at a time");
        readsByTurn.forEach((turn, reads) -> reads.stream()
                .skip(1)
                .forEach(bytes -> assertTrue(bytes <= StreamSender.SEGMENT_BYTES, () -> "read " + reads)));
    }

    @Test
    void shouldServeASlowPeerAmongTheWritesToAFastOne() throws Exception {
        NioWorkerPool oneWorker = new NioWorkerPool(Executors.newCachedThreadPool(), 1);
        NioServerSocketChannelFactory servers =
                new NioServerSocketChannelFactory(Executors.newCachedThreadPool(), 1, oneWorker);
        List<Channel> channels = new ArrayList<>();
        CountDownLatch connected = new CountDownLatch(2);
        Channel server = servers.newChannel(Channels.pipeline(new Recorder()));
        server.getConfig()
                .setPipelineFactory(() -> Channels.pipeline(new Recorder() {
                    @Override
                    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
                        if (EventNames.of(e).equals("connected")) {
                            channels.add(ctx.getChannel());
                            connected.countDown();
                        }
                    }
                }));
        Await.success(server.bind(Rig.FREE_PORT), "the bind");
        connect(server);
        connect(server);
        Await.latch(connected, "both connections");
        List<Integer> order = new ArrayList<>();
        Channel fast = channels.get(0);
        Channel slow = channels.get(1);
        fast.getConfig().setOption("writeSpinCount", 1);
        CountDownLatch sent = new CountDownLatch(6);
        Rig.holding(fast, () -> {
            for (int i = 0; i < 3; i++) { // one staging buffer each, so each takes an iteration
                write(fast, 1, StreamSender.STAGING_BYTES, order, sent);
            }
            for (int i = 0; i < 3; i++) {
                write(slow, 2, 1, order, sent);
            }
        });
        Await.latch(sent, "all writes");
        assertEquals(List.of(1, 2, 2, 2, 1, 1), order);
        servers.releaseExternalResources();
    }

    private static void write(Channel channel, int number, int bytes, List<Integer> order, CountDownLatch sent) {
        channel.write(wrappedBuffer(new byte[bytes])).addListener(f -> {
            order.add(number);
            sent.countDown();
        });
    }

    @Test
    void shouldLimitTheAcceptsPerIteration() throws Exception {
        int connections = 150;
        int bound = 64;
        TurnCounter counter = new TurnCounter();
        AtomicInteger accepted = new AtomicInteger();
        ChannelPipeline pipeline = Channels.pipeline(new Recorder() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
                if (EventNames.of(e).equals("childOpen")) {
                    counter.count(((NioServerSocketChannel) ctx.getChannel()).boss());
                    accepted.incrementAndGet();
                }
            }
        });
        Channel server = rig.servers.newChannel(pipeline);
        server.getConfig().setOption("backlog", 2 * connections);
        server.getConfig().setPipelineFactory(() -> Channels.pipeline(new Recorder()));
        Await.success(server.bind(Rig.FREE_PORT), "the bind");
        Rig.holding(server, () -> {
            for (int i = 0; i < connections; i++) {
                connect(server);
            }
        });
        Await.until(() -> accepted.get() == connections, () -> accepted + " accepted");
        Rig.onLoop(server, () -> assertEquals(bound, counter.most(), "connections accepted in an iteration"));
    }

    private static NioLoop loopOf(Channel channel) {
        return ((NioSocketChannel) channel).loop();
    }

    /** How often something happened in each iteration of a loop. Loop only. */
    private static final class TurnCounter {
        private final Map<Long, Integer> countByTurn = new TreeMap<>();

        void count(NioLoop loop) {
            countByTurn.merge(loop.turns(), 1, Integer::sum);
        }

        int most() {
            return countByTurn.values().stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(0);
        }

        int total() {
            return countByTurn.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    /**
     * Like a writer of chunks: it writes whenever the channel is writable, and each share of the queue is sent
     * immediately.
     */
    @Test
    void shouldLimitTheWritesPerIterationOfAHandlerThatWritesWhileWritable() throws Exception {
        int spinCount = 2;
        int chunks = 64;
        TurnCounter counter = new TurnCounter();
        Runnable[] onWritable = {() -> {}};
        Recorder accepted = new Recorder() {
            @Override
            void onState(ChannelStateEvent e) throws Exception {
                super.onState(e);
                onWritable[0].run();
            }
        };
        Channel server = rig.bind(
                () -> Channels.pipeline(accepted),
                Map.of("child.writeSpinCount", spinCount, "child.sendBufferSize", 8 * 1024 * 1024));
        ScriptedPeer peer = connect(server);
        Channel channel = accepted.awaitConnected();
        int[] left = {chunks};
        Runnable writer = () -> {
            while (left[0] > 0 && channel.isWritable()) {
                left[0]--;
                channel.write(wrappedBuffer(new byte[StreamSender.STAGING_BYTES]))
                        .addListener(sent -> counter.count(loopOf(channel)));
            }
        };
        Rig.onLoop(channel, () -> {
            onWritable[0] = writer;
            writer.run();
        });
        peer.read(chunks * StreamSender.STAGING_BYTES);
        Rig.onLoop(channel, () -> {
            assertEquals(chunks, counter.total());
            assertTrue(counter.most() <= spinCount, () -> counter.most() + " writes in an iteration");
        });
    }
}
