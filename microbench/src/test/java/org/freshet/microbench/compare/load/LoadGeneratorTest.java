package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.junit.jupiter.api.Test;

/** The load must detect every way in which a server can be wrong; one blocking connection plays the server. */
class LoadGeneratorTest {
    private static final int MESSAGE_BYTES = 100;
    private static final Load LOAD = new Load(1, MESSAGE_BYTES, 4, 1);

    /** The answer of the server under test to {@code bytes[0..count]}, which end at {@code position} of the stream. */
    private interface Answer {
        byte[] to(byte[] bytes, int count, long position);
    }

    @Test
    void shouldCountEveryMessageOfAnHonestServer() throws Exception {
        withServer((bytes, count, position) -> Arrays.copyOf(bytes, count), generator -> {
            assertEquals(1, generator.connect().messages());
            Outcome outcome = generator.run(1001, Duration.ofSeconds(30), done -> {});
            assertEquals(1001, outcome.messages());
            assertEquals(1001, outcome.latencyNanos().getTotalCount());
        });
    }

    @Test
    void shouldStopAtTheTimeLimitAndReceiveEverythingBack() throws Exception {
        withServer((bytes, count, position) -> Arrays.copyOf(bytes, count), generator -> {
            generator.connect();
            Outcome outcome = generator.run(Long.MAX_VALUE, Duration.ofMillis(50), done -> {});
            assertEquals(outcome.messages(), outcome.latencyNanos().getTotalCount());
            assertTrue(outcome.messages() > 0, "something was received");
        });
    }

    @Test
    void shouldDetectAFlippedByte() throws Exception {
        assertFailure("connection 0: byte 4321 differs", (bytes, count, position) -> {
            byte[] answer = Arrays.copyOf(bytes, count);
            long at = 4321 - (position - count);
            if (at >= 0 && at < count) {
                answer[(int) at] ^= 1;
            }
            return answer;
        });
    }

    @Test
    void shouldDetectALostMessageWhenTheNextArrives() throws Exception {
        boolean[] lost = {false};
        assertFailure("connection 0: byte ", (bytes, count, position) -> {
            int from = lost[0] || position < 10 * MESSAGE_BYTES ? 0 : Math.min(count, MESSAGE_BYTES);
            lost[0] |= from > 0;
            return Arrays.copyOfRange(bytes, from, count);
        });
    }

    @Test
    void shouldDetectMoreBytesThanWereSent() throws Exception {
        assertFailure("connection 0: the server sent more than", (bytes, count, position) -> {
            byte[] answer = new byte[count + MESSAGE_BYTES * 100];
            System.arraycopy(bytes, 0, answer, 0, count);
            return position > 20 * MESSAGE_BYTES ? answer : Arrays.copyOf(bytes, count);
        });
    }

    @Test
    void shouldDetectAClosedConnection() throws Exception {
        assertFailure("connection 0: ", (bytes, count, position) -> {
            return position > 20 * MESSAGE_BYTES ? null : Arrays.copyOf(bytes, count);
        });
    }

    @Test
    void shouldRepeatThePatternAfterItsPeriodAndFindTheFirstMismatch() {
        Pattern pattern = new Pattern(7);
        int period = pattern.periodBytes();
        byte[] bytes = new byte[3 * period];
        for (int i = 0; i < bytes.length; i += period) {
            pattern.view(5, period).get(bytes, i, period);
        }
        assertEquals(-1, pattern.mismatch(ByteBuffer.wrap(bytes), 5L + 10L * period));
        bytes[2 * period + 17] ^= 1;
        assertEquals(2 * period + 17, pattern.mismatch(ByteBuffer.wrap(bytes), 5));
        assertEquals(17, pattern.mismatch(ByteBuffer.wrap(bytes).position(2 * period), 5));
    }

    private static void assertFailure(String message, Answer answer) throws Exception {
        withServer(answer, generator -> {
            generator.connect();
            IOException failure =
                    assertThrows(IOException.class, () -> generator.run(1_000_000, Duration.ofSeconds(30), done -> {}));
            assertTrue(failure.getMessage().startsWith(message), failure::toString);
        });
    }

    private interface Use {
        void with(LoadGenerator generator) throws Exception;
    }

    private static void withServer(Answer answer, Use use) throws Exception {
        try (ServerSocket acceptor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread server = new Thread(() -> serve(acceptor, answer), "answering");
            server.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
            server.start();
            try (LoadGenerator generator = new LoadGenerator(acceptor.getLocalPort(), LOAD)) {
                use.with(generator);
            }
            server.join(10_000);
            assertEquals(null, failure.get());
        }
    }

    private static void serve(ServerSocket acceptor, Answer answer) {
        byte[] bytes = new byte[64 * 1024];
        long position = 0;
        try (Socket socket = acceptor.accept()) {
            int count = socket.getInputStream().read(bytes);
            for (; count > 0; count = socket.getInputStream().read(bytes)) {
                position += count;
                byte[] reply = answer.to(bytes, count, position);
                if (reply == null) {
                    return;
                }
                socket.getOutputStream().write(reply);
            }
        } catch (IOException e) {
            // The generator has closed its end, as it does when it detects an error.
        }
    }
}
