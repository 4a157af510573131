package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.junit.jupiter.api.Test;

/**
 * The HTTP load must detect every way in which a server can answer wrongly; one blocking connection plays the server.
 */
class HttpLoadTest {
    private static final Load LOAD = new Load(1, 0, 4, 0);
    private static final String RIGHT = answer("200 OK", "text/plain", HttpDialect.CONTENT);

    @Test
    void shouldSendARequestOfTheAgreedSize() {
        assertEquals(324, HttpDialect.request().length);
    }

    @Test
    void shouldCountEveryAnswer() throws Exception {
        try (OneConnectionServer server = answering(request -> RIGHT);
                LoadGenerator generator = LoadGenerator.ofRequests(server.port(), LOAD)) {
            assertEquals(1, generator.connect().messages());
            assertEquals(
                    1001,
                    generator.run(1001, Duration.ofSeconds(30), done -> {}).messages());
        }
    }

    @Test
    void shouldRefuseAnAnswerWithAnotherStatus() throws Exception {
        assertRefused("unexpected answer", request -> answer("404 Not Found", "text/plain", HttpDialect.CONTENT));
    }

    @Test
    void shouldRefuseAnAnswerOfAnotherType() throws Exception {
        assertRefused("unexpected answer", request -> answer("200 OK", "text/html", HttpDialect.CONTENT));
    }

    @Test
    void shouldRefuseOtherContent() throws Exception {
        assertRefused("unexpected content", request -> answer("200 OK", "text/plain", "Hello, Wurld!"));
    }

    @Test
    void shouldRefuseAnAnswerThatChanges() throws Exception {
        assertRefused("differ", request -> RIGHT.replace("OK\r\n", "OK\r\nX-Count: " + request + "\r\n"));
    }

    @Test
    void shouldFailWhenALaterAnswerDiffers() throws Exception {
        // The first two are requested while the load is created, the third while it connects.
        try (OneConnectionServer server = answering(request -> request < 100 ? RIGHT : RIGHT.replace('!', '?'));
                LoadGenerator generator = LoadGenerator.ofRequests(server.port(), LOAD)) {
            generator.connect();
            IOException failure =
                    assertThrows(IOException.class, () -> generator.run(1000, Duration.ofSeconds(30), done -> {}));
            assertTrue(failure.getMessage().contains("differs from the expected one"), failure::toString);
        }
    }

    @Test
    void shouldFailWhenThereAreMoreAnswersThanRequests() throws Exception {
        try (OneConnectionServer server = answering(request -> request < 100 ? RIGHT : RIGHT.repeat(100));
                LoadGenerator generator = LoadGenerator.ofRequests(server.port(), LOAD)) {
            generator.connect();
            IOException failure =
                    assertThrows(IOException.class, () -> generator.run(1000, Duration.ofSeconds(30), done -> {}));
            assertTrue(failure.getMessage().contains("sent more than the answer"), failure::toString);
        }
    }

    private static void assertRefused(String part, IntFunction<String> answers) throws Exception {
        try (OneConnectionServer server = answering(answers)) {
            IOException failure = assertThrows(IOException.class, () -> LoadGenerator.ofRequests(server.port(), LOAD));
            assertTrue(failure.getMessage().contains(part), failure::toString);
        }
    }

    private static String answer(String status, String type, String content) {
        return "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\nContent-Length: " + content.length()
                + "\r\n\r\n" + content;
    }

    /** Answers each request by its number, counted over all connections. */
    private static OneConnectionServer answering(IntFunction<String> answers) throws IOException {
        int[] requests = {0};
        return new OneConnectionServer((in, out) -> {
            while (true) {
                readRequest(in);
                write(out, answers.apply(requests[0]++));
            }
        });
    }

    private static void readRequest(DataInputStream in) throws IOException {
        byte[] expected = HttpDialect.request();
        byte[] request = in.readNBytes(expected.length);
        if (!Arrays.equals(expected, request)) {
            throw new EOFException("the load closed its end, or sent another request");
        }
    }

    private static void write(OutputStream out, String answer) throws IOException {
        out.write(answer.getBytes(StandardCharsets.US_ASCII));
    }
}
