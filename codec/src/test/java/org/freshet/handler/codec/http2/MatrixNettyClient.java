package org.freshet.handler.codec.http2;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.Await;

/** Netty 4.2's client, for {@link Http2ClientMatrixTest}. */
final class MatrixNettyClient implements MatrixClient {
    @Override
    public List<String> run(MatrixBehaviour behaviour, int port) throws Exception {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            Channel connection = connect(group, port);
            List<String> reports = run(behaviour, connection);
            if (behaviour == MatrixBehaviour.DRAIN) {
                Await.result(connection.closeFuture(), "the end of the connection that the server drains");
                connection = connect(group, port);
            }
            if (behaviour.asksAfter()) {
                reports.add(Await.result(open(connection, MatrixBehaviour.AFTER, new Answer()), "the last answer"));
            }
            Await.result(connection.close(), "the end"); // a loop of Netty's that is shut down may leave it open
            return reports;
        } finally {
            group.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static Channel connect(MultiThreadIoEventLoopGroup group, int port) {
        return new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        Http2FrameCodecBuilder.forClient().build(),
                                        new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
                    }
                })
                .connect("127.0.0.1", port)
                .syncUninterruptibly()
                .channel();
    }

    private static List<String> run(MatrixBehaviour behaviour, Channel connection) {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        List<CompletableFuture<String>> cancelled = new ArrayList<>();
        for (String path : behaviour.paths()) {
            if (behaviour == MatrixBehaviour.CANCEL) {
                cancelled.add(open(connection, MatrixBehaviour.CANCELLED, new CancelledAnswer()));
            }
            boolean isSlow = path.equals(MatrixBehaviour.BIG);
            answers.add(open(connection, path, isSlow ? new SlowAnswer() : new Answer()));
        }
        cancelled.forEach(each -> Await.result(each, "the end of the cancelled streams"));
        List<String> reports = new ArrayList<>();
        answers.forEach(answer -> reports.add(Await.result(answer, "an answer")));
        return reports;
    }

    private static CompletableFuture<String> open(Channel connection, String path, Answer answer) {
        answer.path = path;
        new Http2StreamChannelBootstrap(connection)
                .option(ChannelOption.AUTO_READ, !(answer instanceof SlowAnswer))
                .handler(answer)
                .open()
                .addListener(opened -> {
                    if (opened.isSuccess()) {
                        request((Channel) opened.getNow(), path);
                    } else {
                        answer.report.completeExceptionally(opened.cause());
                    }
                });
        return answer.report;
    }

    private static void request(Channel stream, String path) {
        boolean isEcho = path.equals("/echo");
        DefaultHttp2Headers headers = new DefaultHttp2Headers();
        headers.method(isEcho ? "POST" : "GET")
                .scheme("http")
                .authority("localhost")
                .path(path);
        stream.writeAndFlush(new DefaultHttp2HeadersFrame(headers, !isEcho));
        if (isEcho) {
            for (int i = 0; i < MatrixBehaviour.SMALL_MESSAGES; i++) {
                boolean isLast = i == MatrixBehaviour.SMALL_MESSAGES - 1;
                stream.writeAndFlush(
                        new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(MatrixBehaviour.smallMessage(i)), isLast));
            }
        }
        stream.read();
    }

    /** Collects content. */
    private static class Answer extends SimpleChannelInboundHandler<Http2StreamFrame> {
        private final CompletableFuture<String> report = new CompletableFuture<>();
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();
        private String path;

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, Http2StreamFrame frame) throws IOException {
            if (frame instanceof Http2DataFrame data) {
                data.content().readBytes(content, data.content().readableBytes());
                onContent(ctx);
                endIf(data.isEndStream());
            } else if (frame instanceof Http2HeadersFrame headers) {
                onContent(ctx);
                endIf(headers.isEndStream());
            }
        }

        void onContent(ChannelHandlerContext ctx) {}

        void endIf(boolean isLast) {
            if (isLast) {
                report.complete(MatrixService.report(path, content.toByteArray()));
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof Http2ResetFrame reset) {
                report.completeExceptionally(new IOException("reset: " + reset.errorCode()));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            report.completeExceptionally(new IOException("the stream of " + path + " has ended"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            report.completeExceptionally(cause);
        }
    }

    /** Reads one frame per millisecond. */
    private static final class SlowAnswer extends Answer {
        @Override
        void onContent(ChannelHandlerContext ctx) {
            ctx.executor().schedule(() -> ctx.read(), 1, TimeUnit.MILLISECONDS);
        }
    }

    private static final class CancelledAnswer extends Answer {
        @Override
        void onContent(ChannelHandlerContext ctx) {
            ctx.writeAndFlush(new DefaultHttp2ResetFrame(io.netty.handler.codec.http2.Http2Error.CANCEL));
            ((Answer) this).report.complete("");
        }
    }
}
