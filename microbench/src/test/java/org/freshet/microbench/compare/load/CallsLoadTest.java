package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.freshet.microbench.compare.load.CallsLoad.Calls;
import org.junit.jupiter.api.Test;

class CallsLoadTest {
    private static final int REQUEST_BYTES = 1001;
    private static final Calls CALLS = new Calls(3, REQUEST_BYTES, 4, true, 1);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Changes the answer of an honest server. */
    private interface Twist {
        byte[] of(byte[] answer);
    }

    @Test
    void shouldMakeEveryCallOnceAndMeasureEach() throws Exception {
        try (OneConnectionServer server = answering(answer -> answer)) {
            CallsLoad load = new CallsLoad(server.port(), CALLS);
            assertEquals(1, load.connect().messages());
            Outcome outcome = load.run(50, LIMIT, done -> {});
            assertEquals(50, outcome.messages());
            assertEquals(50, outcome.latencyNanos().getTotalCount());
            assertEquals(50, load.connectNanos().getTotalCount());
        }
    }

    @Test
    void shouldEndAtTheTimeLimit() throws Exception {
        try (OneConnectionServer server = answering(answer -> answer)) {
            CallsLoad load = new CallsLoad(server.port(), CALLS);
            Outcome outcome = load.run(Long.MAX_VALUE / 2, Duration.ofMillis(100), done -> {});
            assertTrue(outcome.messages() > 0, "calls were made");
        }
    }

    @Test
    void shouldMakeACallEvenWithAShortTimeLimit() throws Exception {
        try (OneConnectionServer server = answering(answer -> answer)) {
            CallsLoad load = new CallsLoad(server.port(), CALLS);
            assertEquals(
                    3, load.run(Long.MAX_VALUE / 2, Duration.ZERO, done -> {}).messages(), "one by each client");
        }
    }

    @Test
    void shouldDetectAWrongAnswer() throws Exception {
        Twist wrong = answer -> new byte[] {answer[0], (byte) (answer[1] + 1)};
        assertFailure("the answer to call 0 is [", wrong);
    }

    @Test
    void shouldDetectHalfAnAnswer() throws Exception {
        assertFailure("the server did not answer call 0", answer -> new byte[] {answer[0]});
    }

    private static void assertFailure(String message, Twist twist) throws Exception {
        try (OneConnectionServer server = answering(twist)) {
            CallsLoad load = new CallsLoad(server.port(), CALLS);
            IOException failure = assertThrows(IOException.class, load::connect);
            assertTrue(failure.getMessage().startsWith(message), failure::toString);
        }
    }

    private static OneConnectionServer answering(Twist twist) throws IOException {
        return new OneConnectionServer((in, out) -> {
            CallDigest digest = new CallDigest(REQUEST_BYTES);
            assertTrue(digest.take(ByteBuffer.wrap(in.readNBytes(REQUEST_BYTES))));
            out.write(twist.of(digest.answer()));
        });
    }
}
