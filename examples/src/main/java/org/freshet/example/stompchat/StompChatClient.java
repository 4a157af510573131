package org.freshet.example.stompchat;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.handler.codec.stomp.StompCommand;
import org.freshet.handler.codec.stomp.StompFrame;
import org.freshet.handler.codec.stomp.StompHeaders;
import org.freshet.util.Timer;

/** A member of the chat. Its methods block, so don't call them on I/O threads. */
final class StompChatClient implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 20_000;

    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
    private final BlockingQueue<StompFrame> frames = new LinkedBlockingQueue<>();
    private final String name;
    private final Channel channel;
    private int receipts;

    /** Connects. Returns once the server has answered. */
    StompChatClient(String name, InetSocketAddress server, Timer timer, Duration heartBeat)
            throws InterruptedException, TimeoutException {
        this.name = name;
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = StompChatServer.newPipeline(timer, heartBeat);
            pipeline.addLast("frames", new Listener());
            return pipeline;
        });
        channel = bootstrap.connect(server).awaitUninterruptibly().getChannel();
        StompFrame connect = new StompFrame(StompCommand.CONNECT);
        connect.headers()
                .set(StompHeaders.ACCEPT_VERSION, "1.0,1.1,1.2")
                .set(StompHeaders.HOST, server.getHostString());
        channel.write(connect);
        StompHeaders agreed = await(StompCommand.CONNECTED).headers();
        System.out.println(name + " speaks STOMP " + agreed.get(StompHeaders.VERSION) + "; heart-beats: "
                + agreed.get(StompHeaders.HEART_BEAT));
    }

    void subscribe(String topic) throws InterruptedException, TimeoutException {
        sendAndAwaitReceipt(StompCommand.SUBSCRIBE, topic);
    }

    void unsubscribe(String topic) throws InterruptedException, TimeoutException {
        sendAndAwaitReceipt(StompCommand.UNSUBSCRIBE, topic);
    }

    /** Uses the name of the topic as the subscription's ID. */
    private void sendAndAwaitReceipt(StompCommand command, String topic) throws InterruptedException, TimeoutException {
        StompFrame frame = new StompFrame(command);
        frame.headers()
                .set(StompHeaders.ID, topic)
                .set(StompHeaders.DESTINATION, topic)
                .set(StompHeaders.RECEIPT, Integer.toString(++receipts));
        channel.write(frame);
        await(StompCommand.RECEIPT);
    }

    void send(String topic, String text) {
        StompFrame frame = new StompFrame(StompCommand.SEND);
        frame.headers().set(StompHeaders.DESTINATION, topic);
        channel.write(frame.setContent(ChannelBuffers.copiedBuffer(text, StandardCharsets.UTF_8)));
    }

    /** Returns the next message's text. */
    String awaitMessage() throws InterruptedException, TimeoutException {
        String text = await(StompCommand.MESSAGE).content().toString(StandardCharsets.UTF_8);
        System.out.println("(to " + name + ") " + text);
        return text;
    }

    boolean isConnected() {
        return channel.isConnected();
    }

    private StompFrame await(StompCommand command) throws InterruptedException, TimeoutException {
        StompFrame frame = frames.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (frame == null || frame.command() != command) {
            throw new TimeoutException(name + " waited for " + command + ", got " + frame);
        }
        return frame;
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        bootstrap.releaseExternalResources();
    }

    private final class Listener extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            frames.add((StompFrame) e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            System.out.println("(" + name + ") " + e.getCause().getMessage());
            e.getChannel().close();
        }
    }
}
