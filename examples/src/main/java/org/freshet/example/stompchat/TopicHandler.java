package org.freshet.example.stompchat;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.stomp.StompCommand;
import org.freshet.handler.codec.stomp.StompFrame;
import org.freshet.handler.codec.stomp.StompHeaders;
import org.freshet.handler.codec.stomp.StompVersion;

/** One client's connection: its subscriptions and the messages it sends. Its I/O thread owns the fields. */
final class TopicHandler extends SimpleChannelUpstreamHandler {
    private static final int MAX_SUBSCRIPTIONS = 100;

    private final Topics topics;

    /** Destinations, keyed by the client's subscription IDs. */
    private final Map<String, String> subscriptions = new LinkedHashMap<>();

    private boolean connected;

    TopicHandler(Topics topics) {
        this.topics = topics;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        StompFrame frame = (StompFrame) e.getMessage();
        Channel channel = e.getChannel();
        if (frame.command() == StompCommand.CONNECT || frame.command() == StompCommand.STOMP) {
            connect(channel, frame);
        } else if (!connected) {
            refuse(channel, "the first frame must be CONNECT");
        } else {
            serve(channel, frame);
        }
    }

    private void connect(Channel channel, StompFrame frame) {
        StompVersion version = StompVersion.highestOf(frame.headers().get(StompHeaders.ACCEPT_VERSION));
        if (connected || version == null) {
            refuse(channel, connected ? "already connected" : "supported versions: 1.0, 1.1, 1.2");
            return;
        }
        connected = true;
        StompFrame answer = new StompFrame(StompCommand.CONNECTED);
        if (version != StompVersion.V1_0) {
            answer.headers().set(StompHeaders.VERSION, version.toString());
        }
        channel.write(answer);
    }

    private void serve(Channel channel, StompFrame frame) {
        StompHeaders headers = frame.headers();
        String destination = headers.get(StompHeaders.DESTINATION);
        boolean needsDestination = frame.command() == StompCommand.SEND || frame.command() == StompCommand.SUBSCRIBE;
        if (needsDestination && destination == null) {
            refuse(channel, frame.command() + " needs a destination");
            return;
        }
        String id = Objects.requireNonNullElse(headers.get(StompHeaders.ID), destination);
        switch (frame.command()) {
            case SEND -> topics.publish(frame);
            case SUBSCRIBE -> {
                if (subscriptions.size() == MAX_SUBSCRIPTIONS || subscriptions.containsKey(id)) {
                    refuse(channel, "too many subscriptions, or a duplicate id: " + id);
                    return;
                }
                subscriptions.put(id, destination);
                topics.subscribe(destination, channel, id);
            }
            case UNSUBSCRIBE -> unsubscribe(channel, id);
            case DISCONNECT -> {}
            default -> {
                refuse(channel, "unsupported command: " + frame.command());
                return;
            }
        }
        ChannelFuture last = receipt(channel, headers.get(StompHeaders.RECEIPT));
        if (frame.command() == StompCommand.DISCONNECT) {
            last.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void unsubscribe(Channel channel, String id) {
        String destination = id == null ? null : subscriptions.remove(id);
        if (destination != null) {
            topics.unsubscribe(destination, channel, id);
        }
    }

    private static ChannelFuture receipt(Channel channel, String receipt) {
        if (receipt == null) {
            return Channels.succeededFuture(channel);
        }
        StompFrame answer = new StompFrame(StompCommand.RECEIPT);
        answer.headers().set(StompHeaders.RECEIPT_ID, receipt);
        return channel.write(answer);
    }

    private static void refuse(Channel channel, String reason) {
        StompFrame error = new StompFrame(StompCommand.ERROR);
        error.headers().set(StompHeaders.MESSAGE, reason);
        ChannelBuffer content = ChannelBuffers.copiedBuffer(reason + "\n", StandardCharsets.UTF_8);
        channel.write(error.setContent(content)).addListener(ChannelFutureListener.CLOSE);
    }

    /** Disconnects a client that does not read, so that its unread messages don't pile up. */
    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (!e.getChannel().isWritable()) {
            e.getChannel().close();
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        subscriptions.forEach((id, destination) -> topics.unsubscribe(destination, e.getChannel(), id));
        subscriptions.clear();
    }

    /** Also called when the client's heart-beats stop, or its input is not valid STOMP. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        if (e.getChannel().isConnected()) {
            refuse(e.getChannel(), "" + e.getCause().getMessage());
        }
    }
}
