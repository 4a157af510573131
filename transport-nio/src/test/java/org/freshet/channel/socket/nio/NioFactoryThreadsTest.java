package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.Channels;
import org.freshet.util.ThreadNameDeterminer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many threads factories use, from which executors, and how they name them. */
class NioFactoryThreadsTest {
    enum Kind {
        SERVER {
            @Override
            ChannelFactory factory(ThreadPoolExecutor bosses, ThreadPoolExecutor workers) {
                return new NioServerSocketChannelFactory(bosses, workers);
            }
        },
        CLIENT {
            @Override
            ChannelFactory factory(ThreadPoolExecutor bosses, ThreadPoolExecutor workers) {
                return new NioClientSocketChannelFactory(bosses, workers);
            }
        },
        DATAGRAM {
            @Override
            ChannelFactory factory(ThreadPoolExecutor bosses, ThreadPoolExecutor workers) {
                return new NioDatagramChannelFactory(workers);
            }
        };

        abstract ChannelFactory factory(ThreadPoolExecutor bosses, ThreadPoolExecutor workers);
    }

    private final List<ChannelFactory> factories = new ArrayList<>();

    @AfterEach
    void release() {
        factories.forEach(ChannelFactory::releaseExternalResources);
    }

    private ChannelFactory released(ChannelFactory factory) {
        factories.add(factory);
        return factory;
    }

    private static ThreadPoolExecutor fixed(int threads) {
        return (ThreadPoolExecutor) Executors.newFixedThreadPool(threads);
    }

    /** With an unbounded queue, so that it does not grow. */
    private static ThreadPoolExecutor queueing(int coreThreads, int maxThreads) {
        return new ThreadPoolExecutor(coreThreads, maxThreads, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }

    @ParameterizedTest
    @EnumSource
    void shouldCreateNoMoreWorkersThanTheirExecutorRuns(Kind kind) {
        for (ThreadPoolExecutor workers : List.of(fixed(1), fixed(2), queueing(1, 3), queueing(0, 3))) {
            int expected = Math.max(1, workers.getCorePoolSize());
            released(kind.factory(fixed(1), workers));
            assertEquals(expected, workers.getActiveCount(), workers::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCreateTwoWorkersPerProcessorIfTheirExecutorHasEnoughThreads(Kind kind) {
        int expected = 2 * Runtime.getRuntime().availableProcessors();
        for (ThreadPoolExecutor workers :
                List.of((ThreadPoolExecutor) Executors.newCachedThreadPool(), fixed(expected + 1))) {
            released(kind.factory(fixed(1), workers));
            assertEquals(expected, workers.getActiveCount(), workers::toString);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVER", "CLIENT"})
    void shouldLeaveAThreadOfASharedExecutorToTheBoss(Kind kind) {
        ThreadPoolExecutor shared = fixed(2);
        released(kind.factory(shared, shared));
        assertEquals(2, shared.getActiveCount());
    }

    @Test
    void shouldCreateAsManyWorkersAsRequested() {
        NioServerSocketChannelFactory servers = new NioServerSocketChannelFactory(3);
        NioClientSocketChannelFactory clients = new NioClientSocketChannelFactory(3);
        released(servers);
        released(clients);
        Recorder[] accepted = new Recorder[6];
        Set<NioWorker> serverWorkers = new HashSet<>();
        Set<NioWorker> clientWorkers = new HashSet<>();
        try (Rig rig = new Rig(servers, clients)) {
            for (int i = 0; i < accepted.length; i++) {
                Recorder recorder = new Recorder();
                Channel server = rig.bind(recorder);
                clientWorkers.add(worker(rig.connected(server, new Recorder())));
                serverWorkers.add(worker(recorder.awaitConnected()));
            }
        }
        assertEquals(3, serverWorkers.size());
        assertEquals(3, clientWorkers.size());
    }

    private static NioWorker worker(Channel channel) {
        return ((NioSocketChannel) channel).getWorker();
    }

    @Test
    void shouldCreateAsManyDatagramWorkersAsRequested() {
        ChannelFactory factory = released(new NioDatagramChannelFactory(2));
        Set<NioLoop> workers = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            NioDatagramChannel channel = (NioDatagramChannel) factory.newChannel(Channels.pipeline(new Recorder()));
            workers.add(channel.loop());
        }
        assertEquals(2, workers.size());
    }

    @Test
    void shouldRefuseACountThatIsNotPositive() {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> new NioServerSocketChannelFactory(0));
        assertEquals("worker count <= 0: 0", refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new NioClientSocketChannelFactory(-1));
        assertThrows(IllegalArgumentException.class, () -> new NioDatagramChannelFactory(0));
    }

    @Test
    void shouldProposeThreadNamesThatDescribeTheirPurpose() {
        List<String> proposed = new CopyOnWriteArrayList<>();
        ThreadNameDeterminer determiner = (current, proposal) -> {
            proposed.add(proposal);
            return "mine-" + proposal;
        };
        NioServerBossPool bosses = new NioServerBossPool(Executors.newCachedThreadPool(), 1, determiner);
        NioWorkerPool workers = new NioWorkerPool(Executors.newCachedThreadPool(), 1, determiner);
        released(new NioServerSocketChannelFactory(bosses, workers));
        assertEquals(2, proposed.size());
        assertTrue(proposed.get(0).matches("freshet-nio-server-boss-\\d+"), proposed::toString);
        assertTrue(proposed.get(1).matches("freshet-nio-worker-\\d+"), proposed::toString);

        Channel channel = released(new NioClientSocketChannelFactory(1)).newChannel(Channels.pipeline(new Recorder()));
        Rig.onLoop(channel, () -> {
            String name = Thread.currentThread().getName();
            assertTrue(name.matches("freshet-nio-worker-\\d+"), name);
        });
    }

    @Test
    void shouldRunTasksOfAWorkerImmediatelyOrLaterAsRequested() {
        Channel channel = released(new NioClientSocketChannelFactory(1)).newChannel(Channels.pipeline(new Recorder()));
        NioWorker worker = worker(channel);
        List<String> order = new CopyOnWriteArrayList<>();
        Rig.onLoop(channel, () -> {
            worker.executeInIoThread(() -> order.add("later"), true);
            worker.executeInIoThread(() -> order.add("at once"), false);
            worker.executeInIoThread(() -> order.add("at once, too"));
            order.add("end");
        });
        Rig.onLoop(channel, () -> {});
        assertEquals(List.of("at once", "at once, too", "end", "later"), order);
        assertThrows(NullPointerException.class, () -> worker.executeInIoThread(null, true));
    }
}
