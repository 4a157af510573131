package org.freshet.example.securechat;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLSession;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslHandler;

/** A member of the chat. Its methods block, so don't call them on I/O threads. */
final class SecureChatClient implements AutoCloseable {
    static final long PATIENCE_MILLIS = 20_000;
    private static final int MAX_LINE_BYTES = 2000;

    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final String name;
    private final SslHandler tls;
    private Channel channel;

    private SecureChatClient(String name, SslHandler tls) {
        this.name = name;
        this.tls = tls;
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                tls,
                new LineBasedFrameDecoder(MAX_LINE_BYTES),
                new StringDecoder(StandardCharsets.UTF_8),
                new StringEncoder(StandardCharsets.UTF_8),
                new Listener()));
    }

    /**
     * Joins the chat. Returns when the server has received the name.
     *
     * @throws ExecutionException if there is no connection that can be trusted
     */
    static SecureChatClient join(String name, SslContext context, String host, int port)
            throws InterruptedException, ExecutionException, TimeoutException {
        SecureChatClient client = new SecureChatClient(name, context.newHandler(host, port));
        try {
            client.channel = await(client.bootstrap.connect(new InetSocketAddress(host, port)))
                    .getChannel();
            await(client.tls.handshake());
            client.say(name);
            client.awaitLine("You are ");
            return client;
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            client.close();
            throw e;
        }
    }

    private static ChannelFuture await(ChannelFuture future)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (!future.await(PATIENCE_MILLIS)) {
            throw new TimeoutException("" + future);
        }
        if (!future.isSuccess()) {
            throw new ExecutionException(future.getCause());
        }
        return future;
    }

    void say(String line) {
        channel.write(line + "\n");
    }

    String protection() {
        SSLSession session = tls.getEngine().getSession();
        return session.getProtocol() + " with " + session.getCipherSuite();
    }

    /** Waits for a line with this start; prints it and the lines before it. */
    void awaitLine(String start) throws InterruptedException, TimeoutException {
        String line;
        do {
            line = lines.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new TimeoutException(name + " did not receive: " + start);
            }
            System.out.println("(to " + name + ") " + line);
        } while (!line.startsWith(start));
    }

    @Override
    public void close() {
        if (channel != null) {
            channel.close().awaitUninterruptibly();
        }
        bootstrap.releaseExternalResources();
    }

    private final class Listener extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            lines.add((String) e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close(); // the handshake's future has the reason
        }
    }
}
