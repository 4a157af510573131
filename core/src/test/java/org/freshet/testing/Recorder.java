package org.freshet.testing;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteCompletionEvent;

/** Records every upstream event of one channel, and detects two that run at the same time. */
public class Recorder implements ChannelUpstreamHandler {
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
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
            Accounts.watchClosed(channel);
            closed.countDown();
        }
    }

    /** What a test does with an event besides recording it. An exception is not passed on, so that it is not logged. */
    protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (!(e instanceof ExceptionEvent)) {
            ctx.sendUpstream(e);
        }
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
        if (e instanceof InputShutdownEvent) {
            return "inputShutdown";
        }
        return e instanceof ExceptionEvent ? "exception" : e.toString();
    }

    /** The channel of the last event. */
    public Channel channel() {
        return channel;
    }

    public List<String> events() {
        return List.of(events.toArray(String[]::new));
    }

    /** The bytes received, independent of how the system split the stream. */
    public List<String> states() {
        List<String> states = new ArrayList<>(events());
        states.removeIf(event -> event.equals("message") || event.equals("written"));
        return states;
    }

    public List<Throwable> failures() {
        return List.of(failures.toArray(Throwable[]::new));
    }

    /** The thread of the first event with this name. */
    public Thread threadOf(String event) {
        return threads.get(events.indexOf(event));
    }

    public String text() {
        return text.toString();
    }

    public Recorder awaitEvent(String event) {
        Await.until(() -> events.contains(event), () -> event + "; received " + events() + " " + failures());
        return this;
    }

    public Recorder awaitText(String expected) {
        Await.until(() -> text.length() >= expected.length(), () -> expected + "; received " + text);
        return this;
    }

    /** Waits for channelClosed and fails if any events overlapped. */
    public Recorder awaitClosed() {
        Await.latch(closed, "channelClosed; received " + events());
        if (overlap != null) {
            throw new AssertionError(overlap);
        }
        return this;
    }
}
