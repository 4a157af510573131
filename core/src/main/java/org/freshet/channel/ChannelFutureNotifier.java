package org.freshet.channel;

import java.util.Objects;
import java.util.concurrent.CancellationException;

/** Completes another future in the same way as its own. Any thread may use it. */
public final class ChannelFutureNotifier implements ChannelFutureListener {
    private final ChannelFuture target;

    /** Creates a listener that completes the target. */
    public ChannelFutureNotifier(ChannelFuture target) {
        this.target = Objects.requireNonNull(target, "target");
    }

    /** If the target cannot be cancelled, it fails with {@link CancellationException} instead, so it always completes. */
    @Override
    public void operationComplete(ChannelFuture future) throws Exception {
        if (future.isSuccess()) {
            target.setSuccess();
        } else if (!future.isCancelled()) {
            target.setFailure(future.getCause());
        } else if (!target.cancel()) {
            target.setFailure(new CancellationException("the operation this one depends on was cancelled"));
        }
    }
}
