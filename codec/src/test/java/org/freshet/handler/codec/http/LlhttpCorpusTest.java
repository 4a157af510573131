package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.junit.jupiter.api.Test;

/** Llhttp's own cases: the same messages and refusals, except for those listed with a reason. */
class LlhttpCorpusTest {
    /** Cases that Freshet intentionally reads differently, and why. */
    private static final Map<String, String> DIFFERENCES = Map.of(
            "llhttp-request-uri-231",
            "a user in an absolute target hides which host it names (RFC 9110 4.2.4)",
            "llhttp-response-connection-553",
            "a message without content has no Transfer-Encoding, as in Netty 3",
            "llhttp-response-connection-349",
            "a message without content has no Transfer-Encoding, as in Netty 3");

    /** Stands for content that a case does not specify. */
    private static final String ANY = "\uffff";

    @Test
    void shouldReadRequestsAsLlhttpDoes() throws IOException {
        check("llhttp-request", true);
    }

    @Test
    void shouldReadResponsesAsLlhttpDoes() throws IOException {
        check("llhttp-response", false);
    }

    private static void check(String name, boolean requests) throws IOException {
        List<String> problems = new ArrayList<>();
        for (Corpus.Case c : Corpus.read(name)) {
            String whole = problem(c, requests, c.bytes().length);
            String byByte = problem(c, requests, 1);
            boolean differs = whole != null || byByte != null;
            if (differs != DIFFERENCES.containsKey(c.id())) {
                problems.add(c.id() + " (" + c.detail().get("name") + "): whole " + whole + "; by byte " + byByte
                        + "\n  " + c.text().replace("\r", "\\r").replace("\n", "\\n"));
            }
        }
        assertEquals("", String.join("\n", problems));
    }

    /** Returns null if the outcome is as expected. */
    private static String problem(Corpus.Case c, boolean requests, int pieceBytes) {
        Outcome outcome = new Outcome(requests, c.bytes(), pieceBytes);
        Object expected = c.detail().get(requests ? "requests" : "responses");
        String end = String.valueOf(c.detail().get("end"));
        if (c.expect().equals("either") && (expected == null || outcome.failure != null)) {
            return null;
        }
        List<String> messages = describe((List<?>) expected, requests);
        if (!outcome.startsWith(messages) || !end.equals("any") && messages.size() != outcome.messages.size()) {
            return "expected " + messages + " but was " + outcome.messages + ", failure " + outcome.failure;
        }
        boolean reject = c.expect().equals("reject") || end.equals("reject");
        boolean mayFail = reject || end.equals("any") || end.equals("close");
        if (reject && outcome.failure == null && !Boolean.TRUE.equals(c.detail().get("wait_ok"))) {
            return "was not refused";
        }
        return outcome.failure == null || mayFail ? null : "was refused: " + outcome.failure.getMessage();
    }

    private static List<String> describe(List<?> expected, boolean requests) {
        List<String> messages = new ArrayList<>();
        for (Object each : expected == null ? List.of() : expected) {
            Map<?, ?> message = (Map<?, ?>) each;
            String line = requests
                    ? message.get("method") + " " + message.get("target")
                    : message.get("status") + " " + message.get("reason");
            StringBuilder headers = new StringBuilder();
            for (Object header : (List<?>) message.get("headers")) {
                headers.append(' ')
                        .append(((List<?>) header).get(0))
                        .append(':')
                        .append(((List<?>) header).get(1));
            }
            Object body = message.get("body");
            String content = body == null ? ANY : new String(Base64.getDecoder().decode((String) body), ISO_8859_1);
            messages.add(line + headers + " <" + content + ">");
        }
        return messages;
    }

    /** The complete messages, and the failure. */
    private static final class Outcome {
        final List<String> messages = new ArrayList<>();
        Throwable failure;
        private String head;
        private final StringBuilder body = new StringBuilder();

        Outcome(boolean requests, byte[] bytes, int pieceBytes) {
            ChannelUpstreamHandler decoder = requests ? new HttpRequestDecoder() : new HttpResponseDecoder();
            DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
            for (int at = 0; at < bytes.length && failure == null; at += pieceBytes) {
                byte[] piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + pieceBytes));
                try {
                    embedder.offer(ChannelBuffers.wrappedBuffer(piece));
                } catch (CodecEmbedderException e) {
                    failure = e.getCause();
                }
                for (Object product = embedder.poll(); product != null; product = embedder.poll()) {
                    take(product);
                }
            }
        }

        private void take(Object product) {
            if (product instanceof HttpMessage) {
                HttpMessage message = (HttpMessage) product;
                StringBuilder text = new StringBuilder();
                text.append(
                        message instanceof HttpRequest
                                ? ((HttpRequest) message).getMethod() + " " + ((HttpRequest) message).getUri()
                                : ((HttpResponse) message).getStatus().toString());
                for (Map.Entry<String, String> header : message.headers()) {
                    text.append(' ').append(header.getKey()).append(':').append(header.getValue());
                }
                head = text.toString();
                body.setLength(0);
                if (!message.isChunked()) {
                    messages.add(head + " <" + message.getContent().toString(ISO_8859_1) + ">");
                }
            } else if (product instanceof HttpChunk) {
                body.append(((HttpChunk) product).getContent().toString(ISO_8859_1));
                if (((HttpChunk) product).isLast()) {
                    messages.add(head + " <" + body + ">");
                }
            }
        }

        boolean startsWith(List<String> expected) {
            if (messages.size() < expected.size()) {
                return false;
            }
            for (int i = 0; i < expected.size(); i++) {
                String wanted = expected.get(i);
                int any = wanted.indexOf(ANY);
                boolean same = any < 0
                        ? wanted.equals(messages.get(i))
                        : messages.get(i).startsWith(wanted.substring(0, any));
                if (!same) {
                    return false;
                }
            }
            return true;
        }
    }
}
