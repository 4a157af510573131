package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.ssl.Bytes.random;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.ClientSocketChannelFactory;
import org.freshet.channel.socket.ServerSocketChannelFactory;
import org.freshet.handler.stream.ChunkedInput;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;

/** Shared by tests over sockets: Freshet servers and clients on one of the transports, and the events they receive. */
abstract class TlsSockets {
    final ServerSocketChannelFactory servers;

    final ClientSocketChannelFactory clients;

    final ExecutorService threads = Executors.newCachedThreadPool();

    /** The handlers of the connections accepted by the server. */
    final BlockingQueue<SslHandler> accepted = new LinkedBlockingQueue<>();

    final BlockingQueue<Throwable> caught = new LinkedBlockingQueue<>();

    final Transport transport;

    TlsSockets(Transport transport) {
        this.transport = transport;
        servers = transport.servers();
        clients = transport.clients();
    }

    @AfterEach
    void release() {
        clients.releaseExternalResources();
        servers.releaseExternalResources();
        threads.shutdownNow();
    }

    static javax.net.ssl.SSLContext jdk(SslContextBuilder builder) throws SSLException {
        return ((JdkSslContext) builder.build()).context();
    }

    Channel serve(SslContextBuilder builder, SimpleChannelUpstreamHandler application) throws SSLException {
        SslContext context = builder.build();
        ChannelPipelineFactory pipelines = () -> {
            SslHandler handler = context.newHandler();
            accepted.add(handler);
            return Channels.pipeline(handler, application, new Watch());
        };
        ServerBootstrap bootstrap = new ServerBootstrap(servers);
        bootstrap.setPipelineFactory(pipelines);
        return bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    Channel connect(int port, SslHandler handler, SimpleChannelUpstreamHandler... application) {
        ClientBootstrap bootstrap = new ClientBootstrap(clients);
        bootstrap.setPipelineFactory(() -> {
            var pipeline = Channels.pipeline(handler);
            for (SimpleChannelUpstreamHandler next : application) {
                pipeline.addLast("application", next);
            }
            pipeline.addLast("watch", new Watch());
            return pipeline;
        });
        ChannelFuture connected = bootstrap.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return Await.success(connected, "a connection").getChannel();
    }

    static int port(Channel server) {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    /** A blocking client that trusts the server. */
    static SSLSocket socket(Channel server) throws IOException {
        SSLSocket socket =
                (SSLSocket) jdk(Certificates.client()).getSocketFactory().createSocket("localhost", port(server));
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
        return socket;
    }

    static void write(SSLSocket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] readAll(SSLServerSocket listening) {
        try (SSLSocket socket = (SSLSocket) listening.accept()) {
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            return socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static SSLSocket shakeHands(SSLServerSocket listening) {
        try {
            SSLSocket socket = (SSLSocket) listening.accept();
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static void echo(SSLServerSocket listening) {
        try (SSLSocket socket = (SSLSocket) listening.accept()) {
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] randomBytes(int count) {
        Random random = Seeds.random();
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Records caught exceptions. */
    final class Watch extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            caught.add(e.getCause());
        }
    }

    @Sharable
    static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    /** Answers every HTTP request with the same page and closes. */
    static final class OnePage extends SimpleChannelUpstreamHandler {
        static final String BODY = "it works";

        private final StringBuilder request = new StringBuilder();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            request.append(((ChannelBuffer) e.getMessage()).toString(ISO_8859_1));
            if (request.indexOf("\r\n\r\n") >= 0) {
                String answer =
                        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;
                e.getChannel()
                        .write(ChannelBuffers.copiedBuffer(answer, US_ASCII))
                        .addListener(ChannelFutureListener.CLOSE);
            }
        }
    }

    /** Answers the first byte with many in chunks: more than the system's buffers of both sides hold. */
    static final class LongAnswer extends SimpleChannelUpstreamHandler implements ChunkedInput {
        static final int CHUNK_BYTES = 10_000;
        static final int BYTES = 40_000_000;

        final CountDownLatch begun = new CountDownLatch(10);
        volatile Channel channel;
        volatile int givenBytes;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ctx.getPipeline().addBefore(ctx.getName(), "chunks", new ChunkedWriteHandler());
            channel = e.getChannel();
            channel.write(this);
        }

        @Override
        public boolean hasNextChunk() {
            return givenBytes < BYTES;
        }

        @Override
        public boolean isEndOfInput() {
            return !hasNextChunk();
        }

        @Override
        public Object nextChunk() {
            byte[] chunk = new byte[CHUNK_BYTES];
            int given = givenBytes;
            Arrays.fill(chunk, (byte) (given / CHUNK_BYTES));
            givenBytes = given + CHUNK_BYTES;
            begun.countDown();
            return ChannelBuffers.wrappedBuffer(chunk);
        }

        @Override
        public void close() {}
    }

    /** Collects the given number of bytes from one connection. */
    static final class Collector extends SimpleChannelUpstreamHandler {
        final byte[] bytes;
        final CountDownLatch complete = new CountDownLatch(1);

        private int count;

        Collector(int byteCount) {
            bytes = new byte[byteCount];
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer message = (ChannelBuffer) e.getMessage();
            int length = message.readableBytes();
            message.readBytes(bytes, count, length);
            count += length;
            if (count == bytes.length) {
                complete.countDown();
            }
        }
    }

    /** Collects lines of text from one connection. */
    static final class Lines extends SimpleChannelUpstreamHandler {
        private final StringBuilder rest = new StringBuilder();
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            rest.append(((ChannelBuffer) e.getMessage()).toString(US_ASCII));
            for (int end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
                lines.add(rest.substring(0, end));
                rest.delete(0, end + 1);
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            lines.add("closed after: " + rest);
        }

        String next() throws InterruptedException {
            String line = lines.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new AssertionError("timed out waiting for a line");
            }
            return line;
        }
    }
}
