package org.freshet.channel.socket.oio;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.testing.Await;

/** Writes down every upstream event of one channel, and notices when two of them run at a time. */
class Recorder implements ChannelUpstreamHandler {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final StringBuffer text = new StringBuffer();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<Thread> busy = new AtomicReference<>();

    private volatile Channel channel;
    private volatile String overlap;

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        Thread here = Thread.currentThread();
        Thread other = busy.compareAndExchange(null, here);
        if (other != null && other != here) {
            overlap = describe(e) + " on " + here + " while another event ran on " + other;
        }
        try {
            record(ctx, e);
            handle(ctx, e);
        } finally {
            if (other == null) {
                busy.set(null);
            }
        }
    }

    private void record(ChannelHandlerContext ctx, ChannelEvent e) {
        channel = ctx.getChannel();
        if (e instanceof MessageEvent message && message.getMessage() instanceof ChannelBuffer buffer) {
            text.append(buffer.toString(StandardCharsets.ISO_8859_1));
        } else if (e instanceof ExceptionEvent exception) {
            failures.add(exception.getCause());
        }
        threads.add(Thread.currentThread());
        String event = describe(e);
        events.add(event);
        if (event.equals("closed")) {
            closed.countDown();
        }
    }

    /** What a test does with an event beside having it written down. */
    void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    private static String describe(ChannelEvent e) {
        if (e instanceof ChildChannelStateEvent child) {
            return child.getChildChannel().isOpen() ? "childOpen" : "childClosed";
        }
        if (e instanceof ChannelStateEvent state) {
            boolean on = state.getValue() != null && !Boolean.FALSE.equals(state.getValue());
            return switch (state.getState()) {
                case OPEN -> on ? "open" : "closed";
                case BOUND -> on ? "bound" : "unbound";
                case CONNECTED -> on ? "connected" : "disconnected";
                case INTEREST_OPS -> "interest";
            };
        }
        if (e instanceof MessageEvent) {
            return "message";
        }
        if (e instanceof WriteCompletionEvent) {
            return "written";
        }
        return e instanceof ExceptionEvent ? "exception" : e.toString();
    }

    /** The channel of the last event. */
    Channel channel() {
        return channel;
    }

    List<String> events() {
        return List.copyOf(events);
    }

    /** Without what depends on how the system cuts the stream. */
    List<String> states() {
        List<String> states = new ArrayList<>(events);
        states.removeIf(event -> event.equals("message") || event.equals("written"));
        return states;
    }

    List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** The thread of the first event of this name. */
    Thread threadOf(String event) {
        return threads.get(events.indexOf(event));
    }

    String text() {
        return text.toString();
    }

    Recorder awaitEvent(String event) {
        Await.until(() -> events.contains(event), () -> event + "; there came " + events + " " + failures);
        return this;
    }

    Recorder awaitText(String expected) {
        Await.until(() -> text.length() >= expected.length(), () -> expected + "; there came " + text);
        return this;
    }

    /** Waits for channelClosed and fails if events have overlapped. */
    Recorder awaitClosed() {
        Await.latch(closed, "channelClosed; there came " + events);
        if (overlap != null) {
            throw new AssertionError(overlap);
        }
        return this;
    }
}
