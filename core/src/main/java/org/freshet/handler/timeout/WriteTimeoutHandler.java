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
 * Fails a write that is not done in time with a {@link WriteTimeoutException}, and sends the exception up too. The
 * bytes may still be sent, in whole or in part, so {@code exceptionCaught} of the handlers above should usually close
 * the channel.
 *
 * <p>With the blocking transport the channel is closed as well, because otherwise the writing thread would continue to
 * wait. That thread may be in a handler of the channel; the exception then goes up on the timer's thread, as if from
 * within the handler's write.
 *
 * <p>After the handler is removed, writes that passed it earlier have no time limit.
 */
@Sharable
public class WriteTimeoutHandler extends SimpleChannelDownstreamHandler implements ExternalResourceReleasable {
    private final Timer timer;
    private final long timeoutMillis;

    /** Creates a handler with a time in seconds; see the other constructor. */
    public WriteTimeoutHandler(Timer timer, int timeoutSeconds) {
        this(timer, timeoutSeconds, TimeUnit.SECONDS);
    }

    /**
     * Creates a handler for any number of channels.
     *
     * @param timer is stopped only by {@link #releaseExternalResources()}
     * @param timeout 0 or less means never; less than a millisecond counts as one
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
     * Returns how long this write may take, by default the constructor's value. Called on the writing thread.
     *
     * @return milliseconds; 0 or less means no limit
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
     * Called on the channel's I/O thread after a write has timed out; sends a {@link WriteTimeoutException} up by
     * default. If it throws, that exception goes up as an exception event too.
     */
    protected void writeTimedOut(ChannelHandlerContext ctx) throws Exception {
        Channels.fireExceptionCaught(ctx, new WriteTimeoutException("a write did not complete in time"));
    }

    /** The deadline of one write. Whichever comes first, the write's completion or the time-out, cancels the other. */
    private final class Deadline implements ChannelFutureListener {
        private final Alarm alarm = new Alarm(timer, Runnable::run, this::onLate);
        private final ChannelHandlerContext ctx;
        private final ChannelFuture written;
        private final long millis;

        /** The write has timed out. Used by the alarm only, which goes off again if it could not notify. */
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
                SerialChannel.executeUrgently(ctx.getChannel(), this::notifyTimedOut);
                if (SerialChannel.isWriteBlocking(ctx.getChannel())) {
                    ctx.getChannel()
                            .close(CloseReason.of(
                                    CloseReason.Kind.TIMED_OUT,
                                    "a write took too long")); // otherwise the writing thread would continue to wait
                }
            }
        }

        private void notifyTimedOut() {
            try {
                writeTimedOut(ctx);
            } catch (Exception e) {
                Channels.fireExceptionCaught(ctx, e);
            }
        }
    }
}
