package org.freshet.channel;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the events that reach it; throws and postpones on demand. */
final class PaperSink extends AbstractChannelSink {
    final List<ChannelEvent> sunk = new CopyOnWriteArrayList<>();

    /** Tasks waiting for {@link #runPostponed}, while {@link #postpones} is set. */
    final Queue<Runnable> postponed = new ArrayDeque<>();

    /** Thrown by eventSunk, if set. */
    volatile Throwable failure;

    boolean postpones;
    boolean reportsLater;

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) throws Exception {
        Rethrow.now(failure);
        sunk.add(e);
    }

    @Override
    protected boolean isFireExceptionCaughtLater(ChannelEvent event, Throwable actualCause) {
        return reportsLater;
    }

    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        if (!postpones) {
            return super.execute(pipeline, task);
        }
        ChannelFuture future = Channels.future(pipeline.getChannel());
        postponed.add(() -> super.execute(pipeline, task).addListener(done -> {
            if (done.isSuccess()) {
                future.setSuccess();
            } else {
                future.setFailure(done.getCause());
            }
        }));
        return future;
    }

    void runPostponed() {
        for (Runnable task = postponed.poll(); task != null; task = postponed.poll()) {
            task.run();
        }
    }
}
