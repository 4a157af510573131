package org.freshet.channel.socket.nio;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.Await;

/** Records what happens to channels, in order. Any thread may read it. */
@Sharable
class Recorder implements ChannelUpstreamHandler {
    private final List<String> events = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final CompletableFuture<Channel> connected = new CompletableFuture<>();
    private final CompletableFuture<Channel> closed = new CompletableFuture<>();

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent message) {
            onMessage(message);
        } else if (e instanceof ExceptionEvent failure) {
            synchronized (this) {
                failures.add(failure.getCause());
            }
        } else if (e instanceof ChildChannelStateEvent child) {
            add(child.getChildChannel().isOpen() ? "childOpen" : "childClosed");
        } else if (e instanceof ChannelStateEvent state) {
            onState(state);
        }
    }

    void onMessage(MessageEvent e) throws Exception {
        ChannelBuffer message = (ChannelBuffer) e.getMessage();
        synchronized (this) {
            byte[] bytes = new byte[message.readableBytes()];
            message.getBytes(message.readerIndex(), bytes);
            received.writeBytes(bytes);
        }
    }

    void onState(ChannelStateEvent e) throws Exception {
        add(describe(e));
        if (e.getState() == ChannelState.CONNECTED && e.getValue() != null) {
            connected.complete(e.getChannel());
        } else if (e.getState() == ChannelState.OPEN && Boolean.FALSE.equals(e.getValue())) {
            closed.complete(e.getChannel());
        }
    }

    private static String describe(ChannelStateEvent e) {
        return switch (e.getState()) {
            case OPEN -> Boolean.TRUE.equals(e.getValue()) ? "open" : "closed";
            case BOUND -> e.getValue() != null ? "bound" : "unbound";
            case CONNECTED -> e.getValue() != null ? "connected" : "disconnected";
            case INTEREST_OPS ->
                "interest " + (e.getChannel().isReadable() ? "R" : "-")
                        + (e.getChannel().isWritable() ? "W" : "-");
        };
    }

    private synchronized void add(String event) {
        events.add(event);
    }

    synchronized List<String> events() {
        return List.copyOf(events);
    }

    synchronized List<Throwable> failures() {
        return List.copyOf(failures);
    }

    synchronized byte[] received() {
        return received.toByteArray();
    }

    synchronized int receivedBytes() {
        return received.size();
    }

    /** The (first) channel, once it is connected. */
    Channel awaitConnected() {
        return Await.result(connected, "channelConnected");
    }

    /** The (first) channel, once it is closed. */
    Channel awaitClosed() {
        return Await.result(closed, "channelClosed");
    }

    void awaitReceived(int bytes) {
        Await.until(() -> receivedBytes() >= bytes, () -> bytes + " bytes, got " + receivedBytes());
    }
}
