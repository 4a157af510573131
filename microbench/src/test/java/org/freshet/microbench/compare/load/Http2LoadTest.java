package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.microbench.compare.load.Http2Load.Requests;
import org.junit.jupiter.api.Test;

class Http2LoadTest {
    private static final Requests REQUESTS = new Requests(1, 5, 0, 13);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int LAST_OF_WARM = 9;

    /** An error in a server's answer on a stream, which consists of head and content. */
    private interface Twist {
        void send(Answers answers, int streamId) throws IOException;
    }

    /** Frames sent by a server. */
    private static final class Answers {
        private final HpackEncoder encoder = new HpackEncoder();
        private final OutputStream out;

        Answers(OutputStream out) {
            this.out = new BufferedOutputStream(out); // small writes would wait for acknowledgements
        }

        void frame(int type, int flags, int streamId, byte... payload) throws IOException {
            ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
            Http2Dialect.putHeader(frame, payload.length, type, flags, streamId);
            out.write(frame.put(payload).array());
        }

        void head(int streamId, String status, String... more) throws IOException {
            byte[] block = new byte[256];
            int length = encoder.begin(block, 0);
            length = encoder.encode(":status", status, block, length);
            length = encoder.encode("content-type", "text/plain", block, length);
            length = encoder.encode("content-length", "13", block, length);
            for (int i = 0; i < more.length; i += 2) {
                length = encoder.encode(more[i], more[i + 1], block, length);
            }
            frame(Http2Dialect.HEADERS, Http2Dialect.END_HEADERS, streamId, Arrays.copyOf(block, length));
        }

        void content(int streamId, String content) throws IOException {
            frame(Http2Dialect.DATA, Http2Dialect.END_STREAM, streamId, content.getBytes(StandardCharsets.US_ASCII));
        }

        void right(int streamId) throws IOException {
            head(streamId, "200");
            content(streamId, HttpDialect.CONTENT);
        }
    }

    @Test
    void shouldMakeEveryRequestOnceAndMeasureEach() throws Exception {
        try (OneConnectionServer server = answering(Answers::right);
                Http2Load load = new Http2Load(server.port(), REQUESTS)) {
            assertEquals(1, load.connect().messages());
            Outcome outcome = load.run(5000, LIMIT, done -> {});
            assertEquals(5000, outcome.messages());
            assertEquals(5000, outcome.latencyNanos().getTotalCount());
        }
    }

    @Test
    void shouldEndAtTheTimeLimit() throws Exception {
        try (OneConnectionServer server = answering(Answers::right);
                Http2Load load = new Http2Load(server.port(), REQUESTS)) {
            load.connect();
            Outcome outcome = load.run(Long.MAX_VALUE / 2, Duration.ofMillis(100), done -> {});
            assertTrue(outcome.messages() > 0, "requests were made");
        }
    }

    @Test
    void shouldDetectAWrongByteInAnyAnswer() {
        assertFailure("wrong content on stream 11 after 0 bytes", (answers, streamId) -> {
            answers.head(streamId, "200");
            answers.content(streamId, "Hello, World?");
        });
    }

    @Test
    void shouldDetectContentThatIsTooShort() {
        assertFailure("stream 11 ends after 5 bytes", (answers, streamId) -> {
            answers.head(streamId, "200");
            answers.content(streamId, "Hello");
        });
    }

    @Test
    void shouldCheckLaterHeadsThatDiffer() {
        assertFailure("unexpected answer: ", (answers, streamId) -> {
            answers.head(streamId, "404");
            answers.content(streamId, HttpDialect.CONTENT);
        });
    }

    @Test
    void shouldAcceptLaterHeadsThatDifferButAreRight() throws Exception {
        Twist dated = (answers, streamId) -> {
            answers.head(streamId, "200", "date", "second " + streamId / 10);
            answers.content(streamId, HttpDialect.CONTENT);
        };
        try (OneConnectionServer server = answering(dated);
                Http2Load load = new Http2Load(server.port(), REQUESTS)) {
            load.connect();
            assertEquals(50, load.run(50, LIMIT, done -> {}).messages());
        }
    }

    @Test
    void shouldDetectADuplicateAnswer() {
        assertFailure("a frame for stream 11, which is not open", (answers, streamId) -> {
            answers.right(streamId);
            answers.right(streamId);
        });
    }

    @Test
    void shouldDetectAReset() {
        assertFailure(
                "the server has reset stream 11, code 7",
                (answers, streamId) -> answers.frame(Http2Dialect.RST_STREAM, 0, streamId, new byte[] {0, 0, 0, 7}));
    }

    @Test
    void shouldCheckTheFirstAnswer() throws Exception {
        try (OneConnectionServer server = answering((answers, streamId) -> answers.head(streamId, "404"));
                Http2Load load = new Http2Load(server.port(), REQUESTS)) {
            IOException failure = assertThrows(IOException.class, load::connect);
            assertTrue(failure.getMessage().startsWith("unexpected answer: "), failure::toString);
        }
    }

    /** The first answers are right, the later ones are not. */
    private static void assertFailure(String message, Twist wrong) throws AssertionError {
        Twist twist = (answers, streamId) -> {
            if (streamId <= LAST_OF_WARM) {
                answers.right(streamId);
            } else {
                wrong.send(answers, streamId);
            }
        };
        IOException failure = assertThrows(IOException.class, () -> {
            try (OneConnectionServer server = answering(twist);
                    Http2Load load = new Http2Load(server.port(), new Requests(1, 1, 0, 13))) {
                load.connect();
                load.run(50, LIMIT, done -> {});
            }
        });
        assertTrue(failure.getMessage().contains(message), failure::toString);
    }

    private static OneConnectionServer answering(Twist twist) throws IOException {
        return new OneConnectionServer((in, out) -> {
            in.readNBytes(24);
            Answers answers = new Answers(out);
            answers.frame(Http2Dialect.SETTINGS, 0, 0);
            while (true) {
                serveFrame(in, answers, twist);
            }
        });
    }

    private static void serveFrame(DataInputStream in, Answers answers, Twist twist) throws IOException {
        int lengthAndType = in.readInt();
        in.readByte();
        int streamId = in.readInt();
        in.readFully(new byte[lengthAndType >>> 8]);
        if ((lengthAndType & 0xff) == Http2Dialect.HEADERS) {
            twist.send(answers, streamId);
            answers.out.flush();
        }
    }
}
