package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The load must detect every way in which a server can deliver wrongly; a thread with two sockets plays the server. */
class FanoutLoadTest {
    private static final int MESSAGE_BYTES = 50;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Changes what the silent listener receives. */
    private interface Delivery {
        byte[] of(byte[] message);
    }

    @Test
    void shouldCountEachDeliveryOfAnHonestServer() throws Exception {
        withServer(FanoutLoad.GREETING, message -> message, 1, load -> {
            assertEquals(2, load.connect().messages());
            Outcome outcome = load.run(7, LIMIT, done -> {});
            assertEquals(14, outcome.messages());
            assertEquals(7, outcome.latencyNanos().getTotalCount());
        });
    }

    @Test
    void shouldSendBurstsUntilAllMessagesAreSent() throws Exception {
        withServer(FanoutLoad.GREETING, message -> message, 3, load -> {
            load.connect();
            Outcome outcome = load.run(7, LIMIT, done -> {});
            assertEquals(14, outcome.messages());
            assertEquals(3, outcome.latencyNanos().getTotalCount());
        });
    }

    @Test
    void shouldRefuseAServerThatDoesNotGreet() throws Exception {
        withServer((byte) '?', message -> message, 1, load -> assertFailure("the server sent no greeting", load));
    }

    @Test
    void shouldDetectAWrongByte() throws Exception {
        Delivery wrong = message -> {
            message[20] ^= 1;
            return message;
        };
        withServer(FanoutLoad.GREETING, wrong, 1, load -> assertFailure("byte 20 differs from the byte sent", load));
    }

    @Test
    void shouldDetectMoreBytesThanWereSent() throws Exception {
        Delivery more = message -> new byte[MESSAGE_BYTES + 1];
        withServer(FanoutLoad.GREETING, more, 1, load -> assertFailure("the server sent more than the 50 bytes", load));
    }

    private static void assertFailure(String message, FanoutLoad load) {
        IOException failure = assertThrows(IOException.class, () -> {
            load.connect();
            load.run(3, LIMIT, done -> {});
        });
        assertTrue(failure.getMessage().startsWith(message), failure::toString);
    }

    private interface Use {
        void with(FanoutLoad load) throws Exception;
    }

    private static void withServer(byte greeting, Delivery delivery, int burst, Use use) throws Exception {
        Thread server;
        try (ServerSocket acceptor = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            server = new Thread(() -> serve(acceptor, greeting, delivery), "delivering");
            server.start();
            try (FanoutLoad load = new FanoutLoad(acceptor.getLocalPort(), 2, MESSAGE_BYTES, burst, 1)) {
                use.with(load);
            }
        }
        server.join(10_000);
        assertFalse(server.isAlive(), "the server has ended");
    }

    private static void serve(ServerSocket acceptor, byte greeting, Delivery delivery) {
        try (Socket speaker = acceptor.accept()) {
            speaker.getOutputStream().write(greeting);
            try (Socket listener = acceptor.accept()) {
                listener.getOutputStream().write(greeting);
                byte[] message = speaker.getInputStream().readNBytes(MESSAGE_BYTES);
                while (message.length > 0) {
                    speaker.getOutputStream().write(message);
                    listener.getOutputStream().write(delivery.of(message));
                    message = speaker.getInputStream().readNBytes(MESSAGE_BYTES);
                }
            }
        } catch (IOException e) {
            // The load has closed its end, as it does when it detects an error.
        }
    }
}
