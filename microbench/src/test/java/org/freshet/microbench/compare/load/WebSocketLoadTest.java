package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.load.WebSocketDialect.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The WebSocket load must detect every way in which a server can answer wrongly; one blocking connection plays the
 * server.
 */
class WebSocketLoadTest {
    private static final int BYTES = 300;
    private static final Load LOAD = new Load(1, BYTES, 4, 0);
    private static final String UPGRADED =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    @ParameterizedTest
    @EnumSource(Content.class)
    void shouldCountEveryEchoedMessage(Content content) throws Exception {
        byte[] right = WebSocketDialect.frame(content, BYTES, false);
        try (OneConnectionServer server = answering(UPGRADED, content, message -> right);
                LoadGenerator generator = LoadGenerator.ofWebSocket(server.port(), LOAD, content)) {
            assertEquals(1, generator.connect().messages());
            assertEquals(
                    1001,
                    generator.run(1001, Duration.ofSeconds(30), done -> {}).messages());
        }
    }

    @ParameterizedTest
    @EnumSource(Content.class)
    void shouldMaskMessagesThatAreEchoedUnmasked(Content content) {
        for (int size : new int[] {1, 125, 126, 65_535, 65_536}) {
            byte[] masked = WebSocketDialect.frame(content, size, true);
            byte[] plain = WebSocketDialect.frame(content, size, false);
            assertEquals(plain.length + 4, masked.length);
            int head = plain.length - size;
            byte[] unmasked = Arrays.copyOfRange(masked, head + 4, masked.length);
            for (int i = 0; i < size; i++) {
                unmasked[i] ^= masked[head + i % 4];
            }
            assertArrayEquals(Arrays.copyOfRange(plain, head, plain.length), unmasked);
        }
    }

    @Test
    void shouldRefuseAnotherAnswerToTheHandshake() throws Exception {
        for (String answer : new String[] {"HTTP/1.1 200 OK\r\n\r\n", UPGRADED.replace("s3p", "S3p")}) {
            try (OneConnectionServer server = answering(answer, Content.TEXT, message -> new byte[1]);
                    LoadGenerator generator = LoadGenerator.ofWebSocket(server.port(), LOAD, Content.TEXT)) {
                IOException failure = assertThrows(IOException.class, generator::connect);
                assertTrue(failure.getMessage().contains("not the answer to an upgrade"), failure::toString);
            }
        }
    }

    @Test
    void shouldFailWhenALaterMessageDiffers() throws Exception {
        byte[] right = WebSocketDialect.frame(Content.UTF8, BYTES, false);
        byte[] wrong = right.clone();
        wrong[BYTES - 5]++;
        try (OneConnectionServer server = answering(UPGRADED, Content.UTF8, message -> message < 100 ? right : wrong);
                LoadGenerator generator = LoadGenerator.ofWebSocket(server.port(), LOAD, Content.UTF8)) {
            generator.connect();
            IOException failure =
                    assertThrows(IOException.class, () -> generator.run(1000, Duration.ofSeconds(30), done -> {}));
            assertTrue(failure.getMessage().contains("differs from the expected one"), failure::toString);
        }
    }

    /** Answers each message by its number. */
    private static OneConnectionServer answering(String handshake, Content content, IntFunction<byte[]> answers)
            throws IOException {
        byte[] expected = WebSocketDialect.frame(content, BYTES, true);
        return new OneConnectionServer((in, out) -> {
            readHead(in);
            out.write(handshake.getBytes(StandardCharsets.US_ASCII));
            for (int message = 0; Arrays.equals(expected, in.readNBytes(expected.length)); message++) {
                out.write(answers.apply(message));
            }
        });
    }

    private static void readHead(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
    }
}
