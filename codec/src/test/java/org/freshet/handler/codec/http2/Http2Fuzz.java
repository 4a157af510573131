package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.http2.FramePeer.CONTINUATION;
import static org.freshet.handler.codec.http2.FramePeer.END_HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.END_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.PADDED;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/**
 * Properties of a connection that hold for any frames: the same messages on the same streams and the same end however
 * the octets are split, no failures except those that report what the peer did, no internal error sent to the peer, and
 * no stream that outlives the connection.
 *
 * <p>The first octet of an input selects the side, the second the length of pieces. Handlers answer each request as
 * soon as it is complete.
 */
public final class Http2Fuzz {
    private static final int CLIENT = 1;

    /** Streams of a client, opened before the input arrives. */
    private static final int OWN_STREAMS = 3;

    /** More than an input has, because answered streams end when the read ends. */
    private static final int MAX_STREAMS = 10_000;

    private Http2Fuzz() {}

    /** Seed inputs. */
    public static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        FramePeer p = new FramePeer((ChannelUpstreamHandler) (ctx, e) -> {});
        byte[] settings = join(setting(0x3, 10), frame(FramePeer.SETTINGS, FramePeer.ACK, 0));
        byte[] block = p.block(":method", "GET", ":scheme", "http", ":path", "/in-parts", "cookie", "a=b");
        byte[] half = Arrays.copyOf(block, 5);
        byte[] rest = Arrays.copyOfRange(block, 5, block.length);
        seeds.add(seed(0, settings, p.get(1, "/a", "accept", "*/*"), p.get(3, "/b", "accept", "*/*")));
        seeds.add(seed(
                0,
                settings,
                p.request(1, false, "POST", "/c", "content-length", "6"),
                data(1, false, "abc"),
                p.get(3, "/d"),
                data(1, true, "def")));
        seeds.add(seed(
                0,
                settings,
                p.request(1, false, "PUT", "/e"),
                frame(FramePeer.DATA, PADDED, 1, new byte[] {3, 'x', 'y', 0, 0, 0}),
                p.headers(1, true, "x-trailer", "t")));
        seeds.add(seed(
                0,
                settings,
                frame(HEADERS, END_STREAM, 1, half),
                frame(CONTINUATION, END_HEADERS, 1, rest),
                windowUpdate(0, 100),
                reset(1, Http2Error.CANCEL),
                frame(FramePeer.PRIORITY, 0, 5, new byte[] {0, 0, 0, 3, 16}),
                frame(FramePeer.PRIORITY_UPDATE, 0, 0, join(ints(1), "u=1, i".getBytes(US_ASCII))),
                frame(FramePeer.PING, 0, 0, new byte[8]),
                frame(FramePeer.GOAWAY, 0, 0, ints(0, 0))));
        FramePeer s = new FramePeer((ChannelUpstreamHandler) (ctx, e) -> {});
        seeds.add(seed(
                CLIENT,
                settings,
                s.headers(1, false, ":status", "103", "link", "</a>"),
                s.headers(1, false, ":status", "200", "content-length", "3"),
                data(1, true, "abc"),
                s.headers(3, false, ":status", "200"),
                data(3, false, "chunk"),
                s.headers(3, true, "x-trailer", "t"),
                s.headers(5, true, ":status", "304"),
                frame(FramePeer.GOAWAY, 0, 0, ints(5, 0))));
        return seeds;
    }

    private static byte[] seed(int side, byte[]... frames) {
        return join(new byte[] {(byte) side, 7}, join(frames));
    }

    private static byte[] join(byte[]... parts) {
        return ChannelBuffers.copiedBuffer(ChannelBuffers.wrappedBuffer(parts)).array();
    }

    /**
     * The name that Jazzer requires. Loads the classes in advance, because on a busy machine loading takes longer than
     * an input may.
     */
    public static void fuzzerInitialize() {
        seeds().forEach(Http2Fuzz::fuzzerTestOneInput);
    }

    /** The name and signature that Jazzer requires. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 3) {
            return;
        }
        boolean isClient = (data[0] & CLIENT) != 0;
        byte[] input = Arrays.copyOfRange(data, 2, data.length);
        String whole = new Session(isClient).feed(input, input.length);
        for (int size : new int[] {1, 1 + (data[1] & 0x7f)}) {
            String pieces = new Session(isClient).feed(input, size);
            if (!pieces.equals(whole)) {
                throw new AssertionError("in pieces of " + size + ":\n" + pieces + "\nwhole:\n" + whole);
            }
        }
    }

    /** A connection, and the events of its streams. */
    private static final class Session {
        private final boolean isServer;
        private final FramePeer peer;
        private final List<Channel> streams = new ArrayList<>();

        /** By stream number. */
        private final TreeMap<Integer, StringBuilder> seen = new TreeMap<>();

        Session(boolean isClient) {
            isServer = !isClient;
            Http2Settings settings = Http2Settings.defaults().toBuilder()
                    .maxConcurrentStreams(MAX_STREAMS)
                    .nanoClock(() -> 0)
                    .build();
            if (isClient) {
                peer = new FramePeer(new Http2ClientHandler(settings));
                openStreams();
            } else {
                peer = new FramePeer(new Http2ServerHandler(this::pipeline, settings));
                peer.send(Http2ServerHandler.PREFACE);
            }
        }

        private void openStreams() {
            ClientBootstrap bootstrap = new ClientBootstrap(new Http2StreamChannelFactory(peer.channel));
            bootstrap.setPipelineFactory(this::pipeline);
            for (int i = 0; i < OWN_STREAMS; i++) {
                Channel stream =
                        bootstrap.connect(peer.channel.getRemoteAddress()).getChannel();
                HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/" + i);
                request.headers().set("Host", "localhost");
                stream.write(request);
            }
        }

        private ChannelPipeline pipeline() {
            return Channels.pipeline((ChannelUpstreamHandler) this::onEvent);
        }

        private void onEvent(ChannelHandlerContext ctx, ChannelEvent e) {
            Http2StreamChannel stream = (Http2StreamChannel) ctx.getChannel();
            if (!streams.contains(stream)) {
                streams.add(stream);
            }
            if (e instanceof MessageEvent message) {
                append(stream, message.getMessage());
            } else if (e instanceof ExceptionEvent failure) {
                requireBlameless(failure.getCause());
                seen(stream).append('!').append(codeOf(failure.getCause()));
            }
        }

        private StringBuilder seen(Http2StreamChannel stream) {
            return seen.computeIfAbsent(stream.getStreamId(), id -> new StringBuilder());
        }

        /** Content without its boundaries. */
        private void append(Http2StreamChannel stream, Object message) {
            StringBuilder text = seen(stream);
            boolean isWhole;
            if (message instanceof HttpChunk chunk) {
                text.append(
                        chunk.isLast()
                                ? StreamLog.describe(chunk)
                                : chunk.getContent().toString(US_ASCII));
                isWhole = chunk.isLast();
            } else {
                HttpMessage head = (HttpMessage) message;
                text.append(StreamLog.describe(head))
                        .append(head.headers().entries())
                        .append(':');
                isWhole = !head.isChunked();
            }
            if (isWhole && isServer) {
                stream.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            }
        }

        String feed(byte[] input, int size) {
            for (int at = 0; at < input.length && peer.channel.isOpen(); at += size) {
                peer.channel.receive(ChannelBuffers.copiedBuffer(input, at, Math.min(size, input.length - at)));
            }
            boolean isOpen = peer.channel.isOpen();
            StringBuilder result = new StringBuilder(seen.toString()).append(isOpen ? " open" : " closed");
            for (Throwable failure : peer.channel.takeCaught()) {
                requireBlameless(failure);
                result.append('!').append(codeOf(failure));
            }
            peer.channel.close();
            for (Channel stream : streams) {
                if (stream.isOpen()) {
                    throw new AssertionError(stream + " outlives its connection");
                }
            }
            return result.toString();
        }

        /**
         * The progress of an answer, and so the kind of error in a frame, depends on how the octets are split; whether
         * there is an error does not.
         */
        private static Object codeOf(Throwable failure) {
            return failure instanceof Http2Exception told ? told.error() : failure.getClass();
        }

        private static void requireBlameless(Throwable failure) {
            boolean isOurs = failure instanceof Http2Exception told
                    ? told.error() == Http2Error.INTERNAL_ERROR
                    : !(failure instanceof HttpFailure) && !(failure instanceof ClosedChannelException);
            if (isOurs) {
                throw new AssertionError("an internal error", failure);
            }
        }
    }
}
