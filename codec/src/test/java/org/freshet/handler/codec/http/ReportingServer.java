package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Rig;

/**
 * A server on a real socket, for clients written elsewhere. It answers each request with a line that says what it
 * received, see {@link #report}. Some targets have their own answers: a number (that status), {@code /chunks} (chunks
 * and a trailer), {@code /untrailed} (chunks), {@code /long} (a mebibyte), {@code /refuse} (413, then the end), {@code
 * /silent} (no answer).
 */
final class ReportingServer implements AutoCloseable {
    static final String CHUNKS = "one, two, three";
    static final int LONG = 1 << 20;

    private final Rig rig;
    private final Channel channel;
    private final AtomicInteger connections = new AtomicInteger();

    /** @param compressing whether answers are compressed for clients that accept that */
    ReportingServer(SocketTransport transport, boolean compressing) {
        rig = transport.newRig();
        rig.server().setOption("child.tcpNoDelay", true);
        channel = rig.listen(() -> {
            connections.incrementAndGet();
            return new Handlers(compressing);
        });
    }

    /** The number of connections accepted so far. */
    int connections() {
        return connections.get();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    String url(String target) {
        return "http://127.0.0.1:" + address().getPort() + target;
    }

    /** The report about a request. */
    static String report(String method, String target, byte[] content, String trailer) {
        CRC32 crc = new CRC32();
        crc.update(content);
        return report(method, target, content.length, crc, trailer);
    }

    private static String report(String method, String target, long length, CRC32 crc, String trailer) {
        return method + " " + target + " " + length + " " + Long.toHexString(crc.getValue()) + " " + trailer + "\n";
    }

    @Override
    public void close() {
        rig.close();
    }

    /** Creates its channel's pipeline: a rig gives a channel one handler. */
    private static final class Handlers extends SimpleChannelUpstreamHandler {
        private final boolean compressing;

        Handlers(boolean compressing) {
            this.compressing = compressing;
        }

        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            ctx.getPipeline().addLast("codec", new HttpServerCodec());
            if (compressing) {
                ctx.getPipeline().addLast("compressor", new HttpContentCompressor());
            }
            ctx.getPipeline().addLast("reporter", new Reporter());
            ctx.sendUpstream(e);
        }
    }

    private static final class Reporter extends SimpleChannelUpstreamHandler {
        /** Null while no request is being received. */
        private HttpRequest request;

        private final CRC32 crc = new CRC32();
        private long length;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpRequest started) {
                request = started;
                crc.reset();
                length = 0;
                take(started.getContent());
                if (!started.isChunked()) {
                    answer(e.getChannel(), "-");
                } else if (HttpHeaders.is100ContinueExpected(started)) {
                    goOn(e.getChannel());
                }
                return;
            }
            HttpChunk chunk = (HttpChunk) e.getMessage();
            take(chunk.getContent());
            if (chunk.isLast() && request != null) {
                HttpHeaders trailer = ((HttpChunkTrailer) chunk).trailingHeaders();
                answer(e.getChannel(), trailer.isEmpty() ? "-" : trailer.get("X-Sum"));
            }
        }

        private void take(ChannelBuffer content) {
            length += content.readableBytes();
            crc.update(content.toByteBuffer());
        }

        private void goOn(Channel channel) {
            if (request.getUri().equals("/refuse")) {
                HttpResponse refusal =
                        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
                HttpHeaders.setContentLength(refusal, 0);
                HttpHeaders.setKeepAlive(refusal, false);
                channel.write(refusal).addListener(ChannelFutureListener.CLOSE);
                request = null;
            } else {
                channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
            }
        }

        private void answer(Channel channel, String trailer) {
            boolean keepAlive = HttpHeaders.isKeepAlive(request);
            String path = request.getUri();
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status(path));
            if (!keepAlive) {
                HttpHeaders.setKeepAlive(response, false);
            } else if (!request.getProtocolVersion().isAtLeast11()) {
                response.headers().set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.KEEP_ALIVE);
            }
            Object last = response;
            switch (path) {
                case "/silent":
                    return;
                case "/chunks":
                    response.headers().set(HttpHeaders.Names.TRAILER, "X-Sum");
                    writeChunks(channel, response);
                    HttpChunkTrailer end = new DefaultHttpChunkTrailer();
                    end.trailingHeaders().set("X-Sum", CHUNKS.length());
                    last = end;
                    break;
                case "/untrailed":
                    writeChunks(channel, response);
                    last = HttpChunk.LAST_CHUNK;
                    break;
                case "/long":
                    setContent(response, "x".repeat(LONG));
                    break;
                default:
                    setContent(response, report(request.getMethod().getName(), path, length, crc, trailer));
            }
            var written = channel.write(last);
            if (!keepAlive) {
                written.addListener(ChannelFutureListener.CLOSE);
            }
        }

        private static HttpResponseStatus status(String path) {
            return path.matches("/[1-5]\\d\\d")
                    ? HttpResponseStatus.valueOf(Integer.parseInt(path.substring(1)))
                    : HttpResponseStatus.OK;
        }

        private static void setContent(HttpResponse response, String text) {
            response.setContent(ChannelBuffers.copiedBuffer(text, US_ASCII));
            HttpHeaders.setContentLength(response, text.length());
        }

        private static void writeChunks(Channel channel, HttpResponse response) {
            response.setChunked(true);
            channel.write(response);
            for (String chunk : CHUNKS.split("(?<= )")) {
                channel.write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer(chunk, US_ASCII)));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close(); // a client that disconnects, or malformed bytes, which no test here sends
        }
    }
}
