package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A call alongside large downloads on the same connection, all without a priority: its answer arrives within twice its
 * fair share. This is measured in bytes the downloads receive from the request to the end of the answer, which doesn't
 * depend on the speed.
 */
class Http2FairShareTest {
    private static final int DOWNLOADS = 10;
    private static final long DOWNLOAD_BYTES = 1L << 30;
    private static final int CALL_BYTES = 1 << 20;
    private static final int CALLS = 20;

    /** What all receive during the call's fair share of time. */
    private static final long MOST_OF_OTHERS = 2L * (DOWNLOADS + 1) * CALL_BYTES - CALL_BYTES;

    /** They don't grow, so that at most a mebibyte is in transit when a call begins. */
    private static final Http2Settings SMALL_WINDOWS =
            Http2Settings.defaults().toBuilder().maxWindowSize(1 << 20).build();

    private static final byte[] PIECE = new byte[64 * 1024];

    private ServerBootstrap server;
    private ClientBootstrap client;
    private Http2ClientConnection connection;

    /** Used on the client's I/O thread, like its handlers. */
    private long downloaded;

    private int begun;

    private final CompletableFuture<Void> allHaveBegun = new CompletableFuture<>();

    private void connect(SocketTransport transport) {
        server = transport.newServer();
        client = transport.newClient();
        server.setPipelineFactory(
                () -> Channels.pipeline(new Http2ServerHandler(() -> Channels.pipeline(new Service()))));
        client.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler(SMALL_WINDOWS)));
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Channel channel = Await.success(client.connect(bound.getLocalAddress()), "a connection")
                .getChannel();
        connection = Http2ClientConnection.of(channel);
    }

    @AfterEach
    void release() {
        client.releaseExternalResources();
        server.releaseExternalResources();
    }

    /**
     * Answers {@code /call} in one message, and everything else with content that is written while the stream is
     * writable.
     */
    private static final class Service extends SimpleChannelUpstreamHandler {
        private long leftBytes;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            if (((HttpRequest) e.getMessage()).getUri().equals("/call")) {
                response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "application/json");
                response.setContent(ChannelBuffers.wrappedBuffer(new byte[CALL_BYTES]));
                e.getChannel().write(response);
                return;
            }
            response.setChunked(true);
            e.getChannel().write(response);
            leftBytes = DOWNLOAD_BYTES;
            goOn(e.getChannel());
        }

        private void goOn(Channel stream) {
            while (leftBytes > 0 && stream.isWritable()) {
                leftBytes -= PIECE.length;
                stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(PIECE)));
                if (leftBytes == 0) {
                    stream.write(HttpChunk.LAST_CHUNK);
                }
            }
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            goOn(e.getChannel());
        }
    }

    private final class Download extends SimpleChannelUpstreamHandler {
        private boolean hasBegun;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpChunk chunk) {
                downloaded += chunk.getContent().readableBytes();
                if (!hasBegun) {
                    hasBegun = true;
                    if (++begun == DOWNLOADS) {
                        allHaveBegun.complete(null);
                    }
                }
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            allHaveBegun.completeExceptionally(
                    new AssertionError("" + e.getChannel().getCloseReason()));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            allHaveBegun.completeExceptionally(e.getCause());
        }
    }

    /** Completes with the number of bytes that the downloads have received meanwhile. */
    private final class Call extends SimpleChannelUpstreamHandler {
        private final CompletableFuture<Long> others = new CompletableFuture<>();
        private long downloadedBefore;
        private int received;

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            downloadedBefore = downloaded;
            e.getChannel().write(request("/call"));
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            boolean isChunk = e.getMessage() instanceof HttpChunk;
            received += isChunk
                    ? ((HttpChunk) e.getMessage()).getContent().readableBytes()
                    : ((HttpResponse) e.getMessage()).getContent().readableBytes();
            if (received == CALL_BYTES) {
                others.complete(downloaded - downloadedBefore);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            others.completeExceptionally(e.getCause());
        }
    }

    private static HttpRequest request(String path) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
        request.headers().set(HttpHeaders.Names.HOST, "localhost");
        return request;
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerACallWithinTwiceItsFairShare(SocketTransport transport) {
        connect(transport);
        for (int i = 0; i < DOWNLOADS; i++) {
            connection
                    .open(Channels.pipeline(new Download()))
                    .addListener(opened -> opened.getChannel().write(request("/download")));
        }
        Await.result(allHaveBegun, "the beginning of all downloads");

        List<Long> others = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            Call call = new Call();
            connection.open(Channels.pipeline(call));
            others.add(Await.result(call.others, "the answer to call " + i));
        }

        assertTrue(others.stream().allMatch(each -> each <= MOST_OF_OTHERS), others::toString);
        Await.until(() -> connection.getOpenStreams() == DOWNLOADS, "the downloads only");
    }
}
