package org.freshet.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.ipc.Server;
import org.apache.avro.ipc.netty.NettyServer;
import org.apache.avro.ipc.netty.NettyTransceiver;
import org.apache.avro.ipc.reflect.ReflectRequestor;
import org.apache.avro.ipc.reflect.ReflectResponder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Avro's published remote calls over Netty 3: server and client. */
class AvroTest {
    private static final int THREADS = 4;
    private static final int CALLS = 200;
    private static final int DEADLINE_SECONDS = 30;

    /** The service of the server. */
    public interface Text {
        String repeat(String text, int times);
    }

    private final List<AutoCloseable> closeables = new ArrayList<>();
    private Server server;

    @BeforeEach
    void start() {
        Text text = (word, times) -> word.repeat(times);
        server = new NettyServer(
                new ReflectResponder(Text.class, text), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.start();
        closeables.add(server::close);
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = closeables.size(); i-- > 0; ) {
            closeables.get(i).close();
        }
    }

    private Text connect() throws Exception {
        NettyTransceiver transceiver =
                new NettyTransceiver(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()));
        closeables.add(transceiver::close);
        return ReflectRequestor.getClient(Text.class, transceiver);
    }

    @Test
    void shouldAnswerSmallAndLargeCalls() throws Exception {
        assertEquals(DropIn.JAR, DropIn.inUse());
        Text text = connect();
        assertEquals("aaa", text.repeat("a", 3));
        assertEquals("0123456789".repeat(100_000), text.repeat("0123456789", 100_000));
    }

    @Test
    void shouldAnswerManyThreadsOverOneConnection() throws Exception {
        Text text = connect();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        closeables.add(threads::shutdownNow);
        List<Callable<String>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            int times = i;
            calls.add(() -> text.repeat("x", times));
        }
        List<Future<String>> answers = threads.invokeAll(calls, DEADLINE_SECONDS, TimeUnit.SECONDS);
        for (int i = 0; i < CALLS; i++) {
            assertEquals("x".repeat(i), answers.get(i).get());
        }
    }

    @Test
    void shouldReportToTheCallerThatTheServerThrew() throws Exception {
        Text text = connect();
        assertThrows(AvroRuntimeException.class, () -> text.repeat("a", -1));
        assertEquals("a", text.repeat("a", 1));
    }
}
