package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;

/**
 * Properties of the HTTP decoders that hold for any input: the same messages however the bytes are split, no exception
 * but an {@link HttpFailure}, nothing after one, and never more bytes kept than the limits allow. Messages accepted
 * under the standard limits can be encoded, and decode to the same again.
 *
 * <p>The first byte of an input selects decoder and limits, the second the length of pieces, see {@link #fuzzerTestOneInput}.
 */
public final class HttpDecoderFuzz {
    private static final HttpLimits TINY = HttpLimits.standard().toBuilder()
            .maxInitialLineLength(40)
            .maxHeaderSize(80)
            .maxHeaders(5)
            .maxMethodLength(8)
            .maxChunkSize(10)
            .maxChunkLineLength(12)
            .maxChunkOverhead(20)
            .maxTrailerSize(40)
            .maxContentLength(100)
            .build();

    private static final HttpLimits[] LIMITS = {
        HttpLimits.standard(), HttpLimits.strict(), HttpLimits.netty3(), TINY,
    };

    /** The most bytes a decoder with {@link #TINY} needs before it can continue: line, head, and the ends of both. */
    private static final int TINY_KEPT_BYTES = 40 + 80 + 4;

    private static final int RESPONSE = 4;

    private HttpDecoderFuzz() {}

    /** Seed inputs, each for all decoders and limits. */
    static List<byte[]> seeds() {
        List<String> streams = new ArrayList<>(RequestMutator.CONNECTIONS);
        RequestMutator.HEADERS.forEach(header -> streams.add("GET / HTTP/1.1\r\nHost: a\r\n" + header + "\r\nhello"));
        List<String> answers = List.of(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 204 No Content\r\nX: y\r\n\r\n",
                "HTTP/1.0 200 OK\nA: b\n c\n\nuntil the end",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nuntil the end",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nraw",
                "HTTP/1.1 101 WebSocket Protocol Handshake\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Origin: http://a\r\nSec-WebSocket-Location: ws://a/\r\n\r\n0123456789abcdefraw",
                "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\nConnection: close\r\n\r\n");
        List<byte[]> seeds = new ArrayList<>();
        for (int limits = 0; limits < LIMITS.length; limits++) {
            for (String stream : streams) {
                seeds.add(("" + (char) limits + (char) 3 + stream).getBytes(ISO_8859_1));
            }
            for (String stream : answers) {
                seeds.add(("" + (char) (limits | RESPONSE) + (char) 3 + stream).getBytes(ISO_8859_1));
            }
        }
        return seeds;
    }

    /** The name and signature that Jazzer requires. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 3) {
            return;
        }
        HttpLimits limits = LIMITS[data[0] & 3];
        boolean requests = (data[0] & RESPONSE) == 0;
        byte[] input = Arrays.copyOfRange(data, 2, data.length);
        Traffic whole = decoded(requests, limits, input, input.length);
        for (int size : new int[] {1, 1 + (data[1] & 0x7f)}) {
            Traffic pieces = decoded(requests, limits, input, size);
            if (!pieces.isAs(whole)) {
                throw new AssertionError("in pieces of " + size + ":\n" + pieces.text + "\nwhole:\n" + whole.text);
            }
            if (limits == TINY && pieces.maxKept - size + 1 > TINY_KEPT_BYTES) {
                throw new AssertionError(pieces.maxKept + " bytes kept of pieces of " + size);
            }
        }
        if (limits == HttpLimits.standard() && whole.failure == null) {
            assertDecodedAgainAs(whole, requests, limits);
        }
    }

    private static void assertDecodedAgainAs(Traffic whole, boolean requests, HttpLimits limits) {
        EncoderEmbedder<ChannelBuffer> encoder =
                new EncoderEmbedder<>(requests ? new HttpRequestEncoder() : new HttpResponseEncoder());
        try {
            whole.messages.forEach(encoder::offer);
        } catch (CodecEmbedderException e) {
            if (!requests && e.getCause().getMessage().startsWith("chunked must be the last")) {
                return; // content lasts until the connection closes, which must not be sent
            }
            throw e;
        }
        byte[] encoded = ChannelBuffers.wrappedBuffer(encoder.pollAll(new ChannelBuffer[0]))
                .toString(ISO_8859_1)
                .getBytes(ISO_8859_1);
        Traffic again = decoded(requests, limits, encoded, Math.max(1, encoded.length));
        if (!again.textWithoutChunkedCoding().equals(whole.textWithoutChunkedCoding())) {
            throw new AssertionError("encoded and decoded again:\n" + again.text + "\nat first:\n" + whole.text
                    + "\nencoded:\n" + SeenRequest.shown(encoded));
        }
    }

    private static Traffic decoded(boolean requests, HttpLimits limits, byte[] input, int size) {
        Traffic traffic = new Traffic();
        if (requests) {
            Requests decoder = new Requests(limits);
            traffic.feed(decoder, decoder::actualReadableBytes, input, size);
        } else {
            Responses decoder = new Responses(limits);
            traffic.feed(decoder, decoder::actualReadableBytes, input, size);
        }
        return traffic;
    }

    private static final class Requests extends HttpRequestDecoder {
        Requests(HttpLimits limits) {
            super(limits);
        }

        @Override
        protected int actualReadableBytes() {
            return super.actualReadableBytes();
        }
    }

    private static final class Responses extends HttpResponseDecoder {
        Responses(HttpLimits limits) {
            super(limits);
        }

        @Override
        protected int actualReadableBytes() {
            return super.actualReadableBytes();
        }
    }

    /** The output of a decoder. */
    private static final class Traffic {
        /** The encoder adds the path {@code /} to such a target. */
        private static final Pattern NO_PATH = Pattern.compile("^([^/?]+://[^/?]*)([?].*|)$");

        private static final byte[] MORE = "GET /more HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1);

        final List<Object> messages = new ArrayList<>();

        /** Messages in order, with contents joined however they arrived, and the failure's status. */
        final StringBuilder text = new StringBuilder();

        /** Where the content of an unfinished message begins; -1 if the last one has ended. */
        private int contentBegin = -1;

        /** The content before a failure, whose length depends on how the bytes were split. */
        private String contentBeforeFailure = "";

        Throwable failure;
        int maxKept;

        boolean isAs(Traffic other) {
            return text.toString().equals(other.text.toString())
                    && (contentBeforeFailure.startsWith(other.contentBeforeFailure)
                            || other.contentBeforeFailure.startsWith(contentBeforeFailure));
        }

        /** A response that lasted until the connection closed is encoded with the chunked coding. */
        String textWithoutChunkedCoding() {
            return text.toString()
                    .replaceAll("(?i)\nTransfer-Encoding: chunked(?=\n)", "")
                    .replaceAll("(?i)(\nTransfer-Encoding: .*), *chunked(?=\n)", "$1")
                    .replaceAll("(?i)\nTransfer-Encoding: ", "\nTransfer-Encoding: ");
        }

        void feed(ChannelUpstreamHandler decoder, IntSupplier kept, byte[] input, int size) {
            DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
            for (int at = 0; at < input.length; at += size) {
                byte[] piece = Arrays.copyOfRange(input, at, Math.min(input.length, at + size));
                run(() -> embedder.offer(ChannelBuffers.wrappedBuffer(piece)), embedder);
                maxKept = Math.max(maxKept, kept.getAsInt());
            }
            if (failure != null) {
                run(() -> embedder.offer(ChannelBuffers.wrappedBuffer(MORE)), embedder);
            }
            run(embedder::finish, embedder);
        }

        private void run(Runnable step, DecoderEmbedder<Object> embedder) {
            Throwable caught = null;
            try {
                step.run();
            } catch (CodecEmbedderException e) {
                caught = e.getCause();
                if (!(caught instanceof HttpFailure) || e.getSuppressed().length > 0) {
                    throw e;
                }
            }
            boolean failedBefore = failure != null;
            if (failedBefore && (caught != null || embedder.size() > 0)) {
                throw new AssertionError("after " + failure + ": " + embedder + ", " + caught);
            }
            for (Object message = embedder.poll(); message != null; message = embedder.poll()) {
                messages.add(message);
                append(message);
            }
            if (caught != null) {
                failure = caught;
                if (contentBegin >= 0) {
                    contentBeforeFailure = text.substring(contentBegin);
                    text.setLength(contentBegin);
                }
                text.append("\nfailure ")
                        .append(((HttpFailure) caught).suggestedStatus().getCode());
            }
        }

        private void append(Object message) {
            if (message instanceof HttpMessage head) {
                text.append('\n').append(lineOf(head)).append(' ').append(head.getProtocolVersion());
                if (head instanceof HttpResponse response
                        && response.getStatus().getCode() == 101) {
                    response.headers().remove(HttpHeaders.Names.TRANSFER_ENCODING); // which has no meaning there
                }
                append(head.headers());
                text.append(head.isChunked() ? "chunked\n" : "whole\n");
                contentBegin = head.isChunked() ? text.length() : -1;
                append(head.getContent());
            } else if (message instanceof HttpChunk chunk) {
                append(chunk.getContent());
                if (chunk.isLast()) {
                    contentBegin = -1;
                    text.append("\nend\n");
                    append(((HttpChunkTrailer) chunk).trailingHeaders());
                }
            } else {
                append((ChannelBuffer) message);
            }
        }

        private static String lineOf(HttpMessage head) {
            return head instanceof HttpRequest request
                    ? request.getMethod() + " "
                            + NO_PATH.matcher(request.getUri()).replaceFirst("$1/$2")
                    : ((HttpResponse) head).getStatus().toString();
        }

        private void append(HttpHeaders headers) {
            for (Map.Entry<String, String> header : headers) {
                text.append('\n').append(header.getKey()).append(": ").append(header.getValue());
            }
            text.append('\n');
        }

        private void append(ChannelBuffer content) {
            text.append(content.toString(ISO_8859_1));
        }
    }
}
