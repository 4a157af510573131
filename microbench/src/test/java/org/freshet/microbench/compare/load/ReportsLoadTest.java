package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ReportsLoadTest {
    private static final int MESSAGE_BYTES = 1000;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void shouldReturnTheServersReports() throws Exception {
        try (OneConnectionServer server = reporting(text -> text);
                ReportsLoad load = new ReportsLoad(server.port(), MESSAGE_BYTES, 1)) {
            load.connect();
            Outcome outcome = load.run(40, LIMIT, done -> {});
            assertEquals(40, outcome.messages());
            assertEquals(40, outcome.latencyNanos().getTotalCount());
            assertEquals(3, load.decoderCallsPerFrame());
            assertEquals(1234, load.receiveBufferBytes());
        }
    }

    @Test
    void shouldMeasureWhenDecoderCallsRepeatAndTheFirstWindowIsUsedUp() throws Exception {
        AtomicInteger frames = new AtomicInteger();
        int irregular = 400; // more than the first window
        try (OneConnectionServer server = reporting(
                        text -> text, () -> frames.incrementAndGet() > irregular ? 2 : frames.get() % 2 == 0 ? 1 : 3);
                ReportsLoad load = new ReportsLoad(server.port(), MESSAGE_BYTES, 1)) {
            load.connect();
            assertEquals(irregular + 3, frames.get());
        }
    }

    @Test
    void shouldDetectThatTheServerReceivedAnotherText() throws Exception {
        assertFailure(text -> (char) (text.charAt(0) ^ 1) + text.substring(1));
    }

    @Test
    void shouldDetectThatTheServerReceivedLess() throws Exception {
        assertFailure(text -> text.substring(1));
    }

    private static void assertFailure(UnaryOperator<String> received) throws Exception {
        try (OneConnectionServer server = reporting(received);
                ReportsLoad load = new ReportsLoad(server.port(), MESSAGE_BYTES, 1)) {
            IOException failure = assertThrows(IOException.class, load::connect);
            assertTrue(
                    failure.getMessage().startsWith("frame 0: the server reports FrameReport[length="),
                    failure::toString);
        }
    }

    private static OneConnectionServer reporting(UnaryOperator<String> received) throws IOException {
        return reporting(received, () -> 3);
    }

    private static OneConnectionServer reporting(UnaryOperator<String> received, IntSupplier decoderCalls)
            throws IOException {
        return new OneConnectionServer((in, out) -> {
            while (true) {
                byte[] text = new byte[MESSAGE_BYTES];
                in.readFully(text);
                assertEquals(FrameReport.DELIMITER, in.readByte());
                String got = received.apply(new String(text, StandardCharsets.US_ASCII));
                out.write(FrameReport.on(got, decoderCalls.getAsInt(), 1234).toBytes());
            }
        });
    }
}
