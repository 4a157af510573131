package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.pool.WorkerChooser;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Which worker gets a connection, where it is not one after the other. */
class WorkerSelectionTest {
    private static final class Fake implements WorkerChooser.Candidate {
        boolean isStalled;
        long load;
        int chosen;

        @Override
        public boolean isStalled() {
            return isStalled;
        }

        @Override
        public long load() {
            return load;
        }
    }

    private final List<Fake> workers = List.of(new Fake(), new Fake(), new Fake(), new Fake());
    private final Random random = Seeds.random();

    private final WorkerChooser<Fake> chooser = new WorkerChooser<>(workers, random::nextInt);

    private void place(int count) {
        for (int i = 0; i < count; i++) {
            chooser.choose().load++;
        }
    }

    @Test
    void shouldFillUpThoseWithFewest() {
        workers.get(0).load = 90;
        workers.get(1).load = 10;
        place(200);
        assertEquals(90, workers.get(0).load);
        for (Fake worker : workers.subList(1, 4)) {
            assertEquals(70, worker.load);
        }
    }

    @Test
    void shouldGiveNothingToAWorkerThatIsHeld() {
        workers.get(2).isStalled = true;
        place(100);
        assertEquals(0, workers.get(2).load);
        workers.forEach(worker -> worker.isStalled = true);
        assertNull(chooser.choose());
        workers.get(1).isStalled = false;
        assertSame(workers.get(1), chooser.choose());
    }

    @Test
    void shouldSpreadConnectionsWhereAllHaveAsMany() {
        for (int i = 0; i < 1000; i++) {
            chooser.choose().chosen++;
        }
        for (Fake worker : workers) {
            assertTrue(worker.chosen > 125, "a worker got less than half of its share: " + worker.chosen);
        }
    }

    /** Where both have the same, a task that the watch left on one of them may decide; so one gets far ahead. */
    @Test
    void shouldGiveTheNextConnectionsToTheWorkerThatLostItsOwn() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        NioWorkerPool pool = new NioWorkerPool(threads, 2, null, WorkerSelection.FEWEST_CHANNELS);
        NioServerSocketChannelFactory servers =
                new NioServerSocketChannelFactory(new NioServerBossPool(threads, 1), pool);
        List<ScriptedPeer> peers = new ArrayList<>();
        Map<SocketAddress, NioWorker> placement = new ConcurrentHashMap<>();
        try (Rig rig = new Rig(servers, new NioClientSocketChannelFactory(1))) {
            Channel server = rig.bind(() -> Channels.pipeline(new Greeter(placement)), Map.of());
            for (int i = 0; i < 12; i++) {
                peers.add(placed(server));
            }
            NioWorker full = pool.loops().get(0);
            NioWorker emptied = pool.loops().get(1);
            if (count(placement, full) < count(placement, emptied)) {
                full = emptied;
                emptied = pool.loops().get(0);
            }
            for (ScriptedPeer peer : peers) {
                if (placement.get(peer.localAddress()) == emptied) {
                    peer.close();
                }
            }
            NioWorker idle = emptied;
            Await.until(() -> idle.selector().keyCount() == 0, "the end of the connections of one worker");
            for (int i = 0; i < 2; i++) {
                ScriptedPeer next = placed(server);
                peers.add(next);
                assertSame(emptied, placement.get(next.localAddress()));
            }
        } finally {
            for (ScriptedPeer peer : peers) {
                peer.close();
            }
        }
    }

    private static long count(Map<SocketAddress, NioWorker> placement, NioWorker worker) {
        return placement.values().stream().filter(chosen -> chosen == worker).count();
    }

    /** A connection that its worker has taken. */
    private static ScriptedPeer placed(Channel server) throws Exception {
        ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
        assertEquals("!", peer.send("?").readText(1));
        return peer;
    }

    private static final class Greeter extends SimpleChannelUpstreamHandler {
        private final Map<SocketAddress, NioWorker> placement;

        Greeter(Map<SocketAddress, NioWorker> placement) {
            this.placement = placement;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            NioSocketChannel channel = (NioSocketChannel) e.getChannel();
            placement.put(channel.getRemoteAddress(), channel.getWorker());
            channel.write(ChannelBuffers.wrappedBuffer(new byte[] {'!'}));
        }
    }
}
