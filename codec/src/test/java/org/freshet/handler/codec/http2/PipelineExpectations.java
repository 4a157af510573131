package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.freshet.handler.codec.compression.ZlibStreams;
import org.freshet.handler.codec.http2.PipelineAsk.Answer;

/** The expected requests and answers for a set of options: each answer shows all of them. For the test's thread. */
final class PipelineExpectations {
    static final String SMALL_FILE = "content of the file";
    static final String LARGE_FILE = "a line of a longer file\n".repeat(400);

    private static final int COMPRESSED_FROM = 1024;

    private final PipelineWire wire;
    private final Set<PipelineOption> options;

    /** The status of each answer, as in an access log. */
    private final List<Integer> answered = new ArrayList<>();

    PipelineExpectations(PipelineWire wire, Set<PipelineOption> options) {
        this.wire = wire;
        this.options = options;
    }

    boolean has(PipelineOption option) {
        return options.contains(option);
    }

    /** The expected access log, sorted. */
    List<Integer> logged() {
        return answered.stream().sorted().toList();
    }

    /** Adds to the request what activates the options. */
    PipelineAsk ask(PipelineAsk ask) {
        PipelineAsk full = ask;
        if (has(PipelineOption.DECOMPRESS) && ask.content().length > 0) {
            full = full.withContent(ZlibStreams.gzipped(ask.content())).with("content-encoding", "gzip");
        }
        if (has(PipelineOption.FORWARDED)) {
            full = full.with("x-forwarded-for", "203.0.113.7")
                    .with("x-forwarded-proto", "https")
                    .with("x-forwarded-host", "shop.example");
        }
        if (has(PipelineOption.COMPRESS)) {
            full = full.with("accept-encoding", "gzip");
        }
        return has(PipelineOption.CORS) ? full.with("origin", PipelineOption.ORIGIN) : full;
    }

    // ---- answers ----------------------------------------------------------------------------------------------------

    /** A text from the application, or a file. */
    void requireOk(PipelineAsk ask, Answer answer, String text) throws IOException {
        requireStatus(ask, answer, 200);
        requireMark(answer, true);
        boolean isOfBuffers = ask.target().equals("/chunked"); // these follow a head that states their length
        boolean isCompressed = has(PipelineOption.COMPRESS) && text.length() >= COMPRESSED_FROM && !isOfBuffers;
        assertEquals(isCompressed ? "gzip" : null, answer.header("content-encoding"), () -> ask + ": " + answer);
        if (ask.isHead()) {
            assertEquals(0, answer.content.length, () -> ask + ": " + answer);
        } else if (isCompressed) {
            try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(answer.content))) {
                assertEquals(text, new String(plain.readAllBytes(), ISO_8859_1));
            }
        } else {
            assertEquals(text, new String(answer.content, ISO_8859_1), () -> ask + ": " + answer);
        }
    }

    /** The application's report about where a request came from. */
    void requireFrom(PipelineAsk ask, Answer answer, String address) {
        requireStatus(ask, answer, 200);
        requireMark(answer, true);
        String text = new String(answer.content, ISO_8859_1);
        assertTrue(text.endsWith(" for " + address), text);
    }

    void requireBig(Answer answer) {
        requireStatus(PipelineAsk.get("/big"), answer, 200);
        requireMark(answer, true);
        assertTrue(PipelineServer.isBig(answer.content), answer::toString);
    }

    /** An error answer from the pipeline. */
    void requireRefused(PipelineAsk ask, Answer answer, int status) {
        requireStatus(ask, answer, status);
        requireMark(answer, false);
        String content = new String(answer.content, ISO_8859_1);
        if (ask.isHead()) {
            assertEquals("", content);
        } else if (has(PipelineOption.ERROR_PAGES)) {
            assertEquals(PipelineOption.page(status), content);
        } else {
            assertTrue(content.startsWith(status + " "), () -> ask + ": " + answer);
        }
        assertEquals(status == 405, answer.headers.containsKey("allow"), () -> ask + ": " + answer);
    }

    /** More fields than allowed: HTTP/2 answers this before there is a pipeline. */
    void requireRefusedFields(PipelineAsk ask, Answer answer) {
        if (wire.isHttp2) {
            assertEquals(431, answer.status, answer::toString);
            assertNull(answer.cut, answer::toString);
        } else {
            requireRefused(ask, answer, 431);
        }
    }

    void requirePreflight(Answer answer) {
        assertEquals(2, answer.status / 100, answer::toString);
        requireStatus(PipelineAsk.of("OPTIONS", "/text"), answer, answer.status);
        assertEquals(0, answer.content.length, answer::toString);
    }

    /** The answer after which the connection is no longer HTTP, and the status that handlers gave it. */
    void requireOpened(Answer answer, int status, int logged) {
        assertEquals(status, answer.status, answer::toString);
        assertNull(answer.cut, answer::toString);
        answered.add(logged);
    }

    private void requireStatus(PipelineAsk ask, Answer answer, int status) {
        answered.add(status);
        assertEquals(status, answer.status, () -> ask + ": " + answer);
        assertNull(answer.cut, () -> ask + ": " + answer);
        assertEquals(!has(PipelineOption.NO_DATE), answer.header("date") != null, () -> ask + ": " + answer);
        boolean isRefusedFirst = status == 431 || status == 421; // before any handler checks its origin
        boolean isFromPage = has(PipelineOption.CORS) && !isRefusedFirst;
        assertEquals(
                isFromPage ? PipelineOption.ORIGIN : null,
                answer.header("access-control-allow-origin"),
                () -> ask + ": " + answer);
        assertEquals(
                has(PipelineOption.DEFAULT_HEADER) ? "set" : null,
                answer.header("x-default"),
                () -> ask + ": " + answer);
        if (wire.isHttp2) {
            assertNull(answer.header("connection"), () -> ask + ": " + answer);
            assertNull(answer.header("transfer-encoding"), () -> ask + ": " + answer);
        }
    }

    private void requireMark(Answer answer, boolean isOfHandler) {
        boolean isMarked = isOfHandler && has(PipelineOption.FIRST_HANDLER);
        assertEquals(isMarked, answer.headers.containsKey("x-first"), answer::toString);
    }
}
