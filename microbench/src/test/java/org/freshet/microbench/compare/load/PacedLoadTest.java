package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacedLoadTest {
    private static final int REQUESTS_PER_SECOND = 2000;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int BATCH = 2;
    private static final int THREADS = 2;

    /** Connections accepted by the test itself. */
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** Answers a batch of requests. */
    private interface Answers {
        List<SlowRequest> to(List<SlowRequest> batch);
    }

    @Test
    void shouldCountAnswersAndCheckTheirOrder() throws Exception {
        try (OneConnectionServer server = answering(batch -> batch);
                PacedLoad load = new PacedLoad(server.port(), REQUESTS_PER_SECOND)) {
            load.connect();
            long answers = answersOf(load, 100);
            assertTrue(answers > 0 && answers <= 100, () -> "answers: " + answers);
            assertTrue(load.isInOrder());
            assertTrue(load.isInOrderOfCustomers());
            assertEquals(THREADS, load.threads());
        }
    }

    @Test
    void shouldDetectSwappedAnswersOfDifferentCustomers() throws Exception {
        assertFalse(
                SlowRequest.numbered(0).customer() == SlowRequest.numbered(1).customer());
        Answers firstTwoSwapped = batch -> {
            if (batch.get(0).number() == 0) {
                Collections.reverse(batch);
            }
            return batch;
        };
        try (OneConnectionServer server = answering(firstTwoSwapped);
                PacedLoad load = new PacedLoad(server.port(), REQUESTS_PER_SECOND)) {
            load.connect();
            answersOf(load, 100);
            assertFalse(load.isInOrder());
            assertTrue(load.isInOrderOfCustomers());
        }
    }

    @Test
    void shouldDetectSwappedAnswersOfOneCustomer() throws Exception {
        List<SlowRequest> all = new ArrayList<>();
        Answers allReversed = batch -> {
            all.addAll(batch);
            List<SlowRequest> answers = new ArrayList<>();
            if (all.size() == 400) {
                Collections.reverse(all);
                answers.addAll(all);
            }
            return answers;
        };
        try (OneConnectionServer server = answering(allReversed);
                PacedLoad load = new PacedLoad(server.port(), REQUESTS_PER_SECOND)) {
            load.connect();
            answersOf(load, 400);
            for (int i = 0; load.isInOrderOfCustomers() && i < 1000; i++) {
                answersOf(load, 2); // the server may be slow; it answers these with nothing
            }
            assertFalse(load.isInOrderOfCustomers());
        }
    }

    @Test
    void shouldRefuseAnUnexpectedAnswer() throws Exception {
        Answers twice = batch -> List.of(batch.get(0), batch.get(0));
        try (OneConnectionServer server = answering(twice);
                PacedLoad load = new PacedLoad(server.port(), REQUESTS_PER_SECOND)) {
            load.connect();
            IOException failure = assertThrows(IOException.class, () -> load.run(10_000, LIMIT, done -> {}));
            assertTrue(
                    failure.getMessage().startsWith("an unexpected answer: SlowRequest[number=0"), failure::toString);
        }
    }

    @Test
    void shouldSendInRotationOverItsConnectionsAndCheckTheOrderOfEach() throws Exception {
        int connections = 3;
        try (ServerSocket acceptor = new ServerSocket(0, connections, InetAddress.getLoopbackAddress());
                PacedLoad load = new PacedLoad(acceptor.getLocalPort(), REQUESTS_PER_SECOND, connections)) {
            FutureTask<List<Integer>> serving = new FutureTask<>(() -> {
                accept(acceptor, connections);
                List<Integer> numbers = new ArrayList<>();
                for (int i = 29; i >= 0; i--) { // the last connection first: connections have no order
                    Socket socket = sockets.get(i % connections);
                    byte[] bytes = socket.getInputStream().readNBytes(SlowRequest.BYTES);
                    numbers.add(SlowRequest.readFrom(ByteBuffer.wrap(bytes)).number());
                    socket.getOutputStream()
                            .write(SlowRequest.readFrom(ByteBuffer.wrap(bytes)).answer());
                }
                return numbers;
            });
            Thread server = new Thread(serving, "rotation-server");
            server.start();
            load.connect();
            for (int answers = 0; answers < 30; ) {
                answers += Math.toIntExact(answersOf(load, 30));
            }
            List<Integer> numbers = serving.get(10, TimeUnit.SECONDS);
            for (int i = 0; i < 30; i++) {
                assertEquals((29 - i) % connections, numbers.get(i) % connections);
            }
            assertTrue(load.isInOrder());
            server.join();
        }
    }

    @Test
    void shouldRefuseAnAnswerOnAnotherConnection() throws Exception {
        try (ServerSocket acceptor = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
                PacedLoad load = new PacedLoad(acceptor.getLocalPort(), REQUESTS_PER_SECOND, 2)) {
            FutureTask<Void> serving = new FutureTask<>(() -> {
                accept(acceptor, 2);
                byte[] bytes = sockets.get(0).getInputStream().readNBytes(SlowRequest.BYTES);
                sockets.get(1)
                        .getOutputStream()
                        .write(SlowRequest.readFrom(ByteBuffer.wrap(bytes)).answer());
                return null;
            });
            Thread server = new Thread(serving, "confused-server");
            server.start();
            load.connect();
            IOException failure = assertThrows(IOException.class, () -> load.run(100_000, LIMIT, done -> {}));
            assertTrue(failure.getMessage().startsWith("an unexpected answer: SlowRequest[number=0"));
            server.join();
        }
    }

    private void accept(ServerSocket acceptor, int count) throws IOException {
        while (sockets.size() < count) {
            sockets.add(acceptor.accept());
        }
    }

    @AfterEach
    void closeSockets() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private static long answersOf(PacedLoad load, int requests) throws IOException {
        return load.run(requests, LIMIT, done -> {}).messages();
    }

    private static OneConnectionServer answering(Answers answers) throws IOException {
        return new OneConnectionServer((in, out) -> {
            byte[] bytes = new byte[SlowRequest.BYTES];
            while (true) {
                List<SlowRequest> batch = new ArrayList<>();
                for (int i = 0; i < BATCH; i++) {
                    in.readFully(bytes);
                    batch.add(SlowRequest.readFrom(ByteBuffer.wrap(bytes)));
                }
                for (SlowRequest answered : answers.to(batch)) {
                    out.write(answered.answerBy(answered.number() % THREADS));
                }
            }
        });
    }
}
