package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireChannelClosed;
import static org.freshet.channel.Channels.fireChannelDisconnected;
import static org.freshet.channel.Channels.fireChannelInterestChanged;
import static org.freshet.channel.Channels.fireChannelUnbound;
import static org.freshet.channel.Channels.fireExceptionCaught;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.internal.IoThreadBound;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * What stream and datagram channels share: the key, the interest in reading, the close. {@link WritingChannel} has what concerns
 * writing.
 *
 * <p>Threading: the loop owns the key, the socket and every field marked "Loop only."; the getters may be called from anywhere.
 * Methods named {@code onX} run on the loop.
 */
abstract class NioChannel extends WritingChannel implements LoopChannel, IoThreadBound {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NioChannel.class);

    /** Loop only. As {@link #closeRequested}, once the loop has heard of it: nothing is read, and what is written fails. */
    private boolean closeAsked;

    /** Loop only. Null while no selector knows the socket. */
    private SelectionKey key;

    /** Whether anyone has asked for a close. Never false again. */
    private volatile boolean closeRequested;

    NioChannel(Channel parent, ChannelFactory factory, ChannelPipeline pipeline, ChannelSink sink, NioLoop loop) {
        super(parent, factory, pipeline, sink, loop);
    }

    /** Carries out a close: nothing happens on a closed channel but the completion of the future. */
    abstract void onClose(ChannelFuture future);

    /** False as soon as a close was asked for, also while its turn has not come. */
    @Override
    public final boolean isOpen() {
        return !closeRequested && super.isOpen();
    }

    @Override
    public final boolean inIoThread() {
        return loop().inLoop();
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    /** Sets the interest in reading, at once; handlers hear of a change. */
    final void onSetInterestOps(ChannelFuture future, int interestOps) {
        boolean read = (interestOps & OP_READ) != 0;
        boolean changed = read != isReadable();
        if (changed) {
            setInternalInterestOps(read ? OP_READ : OP_NONE);
            if (!isClosing()) {
                setInterest(SelectionKey.OP_READ, read);
            }
        }
        future.setSuccess();
        if (changed && !getCloseFuture().isDone()) { // nothing follows channelClosed
            fireChannelInterestChanged(this);
        }
    }

    // ---- the key ----------------------------------------------------------------------------------------------------

    final void onRegistered(SelectionKey registered) {
        key = registered;
    }

    @Override
    public final void onKeyChanged(SelectionKey changed) {
        key = changed;
    }

    @Override
    final boolean isAwaitingWritable() {
        return key != null && key.isValid() && (key.interestOps() & SelectionKey.OP_WRITE) != 0;
    }

    @Override
    final void awaitWritable(boolean wanted) {
        setInterest(SelectionKey.OP_WRITE, wanted);
    }

    private void setInterest(int op, boolean on) {
        if (key == null || !key.isValid()) {
            return;
        }
        int ops = key.interestOps();
        int wanted = on ? ops | op : ops & ~op;
        if (wanted != ops) {
            key.interestOps(wanted);
        }
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    /** Closes: at the end of the turn if asked on the loop, else soon. Any thread. */
    final void close(ChannelFuture future) {
        closeRequested = true;
        if (loop().inLoop()) {
            askClose(future);
        } else if (!loop().submit(() -> onClose(future))) {
            future.setSuccess(); // the worker closed all its channels before it stopped
        }
    }

    /** Closes at the end of the turn. Loop only. */
    @Override
    final void askClose(ChannelFuture future) {
        onClosing();
        loop().onCloseAsked(() -> onClose(future));
    }

    /** From now on nothing is read, and what is written fails. Loop only. */
    @Override
    final void onClosing() {
        closeRequested = true;
        closeAsked = true;
    }

    /** Whether a close was asked for or done. Loop only. */
    @Override
    final boolean isClosing() {
        return closeAsked;
    }

    final void refuseWhenClosing() throws ClosedChannelException {
        if (closeAsked) {
            throw new ClosedChannelException();
        }
    }

    /** Handlers hear of it too, unless the channel was closed, which is no news and may be their last event. */
    final void fail(ChannelFuture future, Throwable cause) {
        future.setFailure(cause);
        if (!(cause instanceof ClosedChannelException)) {
            fireExceptionCaught(this, cause);
        }
    }

    final void completeWithClose(ChannelFuture future) {
        if (future != getCloseFuture()) {
            getCloseFuture().addListener(closed -> future.setSuccess());
        }
    }

    final void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            fireExceptionCaught(this, e);
        }
    }

    /** What follows the close of the socket. */
    final void end(boolean wasConnected, boolean wasBound) {
        loop().onForgotten(this);
        failWrites(new ClosedChannelException()); // first, so that a close that is done has left nothing undone
        setClosed();
        if (wasConnected) {
            fireChannelDisconnected(this);
        }
        if (wasBound) {
            fireChannelUnbound(this);
        }
        fireChannelClosed(this);
    }

    /** Something failed while the loop worked on this channel: it is closed alone. */
    @Override
    final void onFailed(Throwable cause) {
        try {
            if (cause instanceof Error) {
                logger.error("an I/O loop failed on " + this + ", which is closed", cause);
            }
            fireExceptionCaught(this, cause);
        } finally {
            askClose(getCloseFuture());
        }
    }

    @Override
    public final void onLoopStopping() {
        onClose(getCloseFuture());
    }
}
