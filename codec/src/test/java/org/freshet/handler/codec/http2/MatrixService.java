package org.freshet.handler.codec.http2;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/**
 * What the clients of {@link Http2ClientMatrixTest} request, and a record of what happened to their connections and
 * streams.
 *
 * <ul>
 * <li>{@code /big/LENGTH} and {@code /small/NAME} are downloads, the former written while the stream is writable.
 * <li>{@code /held/COUNT/LENGTH} is a download that stops halfway until its connection has COUNT of them. Then the
 * connection is drained, and they continue.
 * <li>{@code /echo} sends each chunk back as it arrives.
 * </ul>
 *
 * <p>Any thread may read the records; a connection's streams belong to its I/O thread.
 */
final class MatrixService {
    private static final int PIECE = 16 * 1024;

    /** All content repeats this; its length is a prime number, so that swapped pieces are noticed. */
    private static final byte[] PATTERN = new byte[251];

    static {
        for (int i = 0; i < PATTERN.length; i++) {
            PATTERN[i] = (byte) i;
        }
    }

    private final Map<Channel, List<Download>> connections = new ConcurrentHashMap<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    ChannelPipeline pipeline() {
        return Channels.pipeline(new Requests());
    }

    /** Connections with at least one request, including closed ones. */
    List<Channel> connections() {
        return List.copyOf(connections.keySet());
    }

    /** Why streams ended early, and the exceptions caught on them. */
    List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** Octets of a download, starting from a given one. */
    static byte[] content(int from, int length) {
        byte[] content = new byte[length];
        for (int i = 0; i < length; i++) {
            content[i] = PATTERN[(from + i) % PATTERN.length];
        }
        return content;
    }

    /** How a client reports the data it received. */
    static String report(String path, byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(content);
            return path + " " + content.length + " " + HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * The expected report of a download; LENGTH is the path's last part, and a path without a number has a fixed
     * length.
     */
    static String report(String path) {
        return report(path, content(0, length(path)));
    }

    private static int length(String path) {
        String last = path.substring(path.lastIndexOf('/') + 1);
        return last.matches("\\d+") ? Integer.parseInt(last) : path.length();
    }

    /** An answer that is written while the stream is writable. */
    private static final class Download {
        private final Channel stream;
        private final int length;
        private int limit;
        private int written;

        Download(Channel stream, int length, int limit) {
            this.stream = stream;
            this.length = length;
            this.limit = limit;
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            HttpHeaders.setContentLength(response, length);
            response.setChunked(true);
            stream.write(response);
        }

        void goOn() {
            while (written < limit && stream.isWritable()) {
                byte[] piece = content(written, Math.min(PIECE, limit - written));
                written += piece.length;
                stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(piece)));
                if (written == length) {
                    stream.write(HttpChunk.LAST_CHUNK);
                }
            }
        }

        void continueToTheEnd() {
            limit = length;
            goOn();
        }
    }

    private final class Requests extends SimpleChannelUpstreamHandler {
        private Download download;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpRequest request) {
                begin(ctx.getChannel(), request.getUri());
                echo(ctx.getChannel(), request.getContent(), !request.isChunked());
            } else if (e.getMessage() instanceof HttpChunk chunk) {
                echo(ctx.getChannel(), chunk.getContent(), chunk.isLast());
            }
        }

        private void begin(Channel stream, String path) {
            List<Download> held = connections.computeIfAbsent(stream.getParent(), each -> new ArrayList<>());
            if (path.equals("/echo")) {
                HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                response.setChunked(true);
                stream.write(response);
                return;
            }
            int length = length(path);
            boolean isHeld = path.startsWith("/held/");
            download = new Download(stream, length, isHeld ? length / 2 : length);
            download.goOn();
            if (isHeld) {
                held.add(download);
                if (held.size() == Integer.parseInt(path.split("/")[2])) {
                    stream.getParent()
                            .getPipeline()
                            .get(Http2ServerHandler.class)
                            .drain();
                    held.forEach(Download::continueToTheEnd);
                }
            }
        }

        private void echo(Channel stream, ChannelBuffer content, boolean isLast) {
            if (download != null) {
                return;
            }
            if (content.readable()) {
                stream.write(new DefaultHttpChunk(content));
            }
            if (isLast) {
                stream.write(HttpChunk.LAST_CHUNK);
            }
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (download != null) {
                download.goOn();
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            CloseReason reason = ctx.getChannel().getCloseReason();
            if (reason.cause() != null) {
                failures.add(reason.cause());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            failures.add(e.getCause());
        }
    }
}
