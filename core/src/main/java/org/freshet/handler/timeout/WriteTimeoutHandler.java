package org.freshet.handler.timeout;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;
import org.freshet.util.ExternalResourceReleasable;
import org.freshet.util.Timer;

/**
 * Fails a write that is not done in time, with a {@link WriteTimeoutException}, and sends the exception up too. The
 * bytes may still be sent, in whole or in part, so what to do is usually to close the channel, in {@code
 * exceptionCaught} of the handlers above.
 *
 * <p>Over the blocking transport the channel is closed as well, since the thread that writes would wait on. That thread may be in
 * a handler of the channel; the exception then goes up on the timer's thread, as though from within the handler's write.
 *
 * <p>After the handler was removed, writes that had passed it may take as long as they want.
 */
@Sharable
public class WriteTimeoutHandler extends SimpleChannelDownstreamHandler implements ExternalResourceReleasable {
    private final Timer timer;
    private final long timeoutMillis;

    /** As the other constructor, with a time in seconds. */
    public WriteTimeoutHandler(Timer timer, int timeoutSeconds) {
        this(timer, timeoutSeconds, TimeUnit.SECONDS);
    }

    /**
     * Makes a handler for any number of channels.
     *
     * @param timer is not stopped unless by {@link #releaseExternalResources()}
     * @param timeout 0 and less mean never; what is less than a millisecond counts as one
     */
    public WriteTimeoutHandler(Timer timer, long timeout, TimeUnit unit) {
        this.timer = Objects.requireNonNull(timer, "timer");
        this.timeoutMillis = IdleStateHandler.millis(timeout, unit);
    }

    /** Stops the timer, for all its users. */
    @Override
    public void releaseExternalResources() {
        timer.stop();
    }

    /**
     * How long this write may take; what the constructor was given, by default. Called on the thread that writes.
     *
     * @return milliseconds; 0 and less mean for ever
     */
    protected long getTimeoutMillis(MessageEvent e) {
        return timeoutMillis;
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        long millis = getTimeoutMillis(e);
        if (millis > 0) {
            Deadline deadline = new Deadline(ctx, e.getFuture(), millis);
            deadline.alarm.start(TimeUnit.MILLISECONDS.toNanos(millis));
            e.getFuture().addListener(deadline);
        }
        super.writeRequested(ctx, e);
    }

    /**
     * Called on the channel's I/O thread after a write was failed for lateness; sends a {@link WriteTimeoutException} up
     * by default. What it throws goes up as an exception event too.
     */
    protected void writeTimedOut(ChannelHandlerContext ctx) throws Exception {
        Channels.fireExceptionCaught(ctx, new WriteTimeoutException("a write was not done in time"));
    }

    /** The deadline of one write. Whichever is first, the write's completion or the time-out, cancels the other. */
    private final class Deadline implements ChannelFutureListener {
        private final Alarm alarm = new Alarm(timer, Runnable::run, this::onLate);
        private final ChannelHandlerContext ctx;
        private final ChannelFuture written;
        private final long millis;

        /** The write has failed for lateness; the alarm's, which goes off again if it can't say so. */
        private boolean isLate;

        Deadline(ChannelHandlerContext ctx, ChannelFuture written, long millis) {
            this.ctx = ctx;
            this.written = written;
            this.millis = millis;
        }

        @Override
        public void operationComplete(ChannelFuture future) {
            alarm.cancel();
        }

        private void onLate() {
            boolean removed = ctx.getPipeline().getContext(ctx.getName()) != ctx;
            isLate |= !removed && written.setFailure(new WriteTimeoutException("not written within " + millis + " ms"));
            if (isLate) {
                SerialChannel.executeUrgently(ctx.getChannel(), this::tell);
                if (SerialChannel.isWriteBlocking(ctx.getChannel())) {
                    ctx.getChannel()
                            .close(CloseReason.of(
                                    CloseReason.Kind.TIMED_OUT,
                                    "a write took too long")); // or the writing thread would wait on
                }
            }
        }

        private void tell() {
            try {
                writeTimedOut(ctx);
            } catch (Exception e) {
                Channels.fireExceptionCaught(ctx, e);
            }
        }
    }
}
