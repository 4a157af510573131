package org.freshet.handler.codec.http2;

import java.net.SocketAddress;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflowException;
import org.freshet.channel.socket.ChannelRunnableWrapper;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.Requests;

/** Passes the downstream events of streams to their connection's thread. Any thread. */
final class StreamSink extends AbstractChannelSink implements Requests<StreamChannel> {
    static final StreamSink INSTANCE = new StreamSink();

    private StreamSink() {}

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        StreamChannel channel = (StreamChannel) e.getChannel();
        if (e instanceof MessageEvent write) {
            write(channel, write, WriteAccount.bytesOf(write.getMessage()));
        } else {
            channel.connection.request(channel, e);
        }
    }

    private static void write(StreamChannel channel, MessageEvent write, long bytes) {
        if (!channel.isOpen()) { // its account no longer counts, so nothing may wait for the connection's thread
            UnsentMessage.fail(write, UnsentMessage.causeOfClosed(channel));
            return;
        }
        Exception refusal = channel.admit(bytes);
        if (refusal != null) {
            refuse(channel, write, refusal);
            return;
        }
        try {
            noteWrite(channel, write, bytes);
            channel.connection.write(channel, write, bytes);
        } catch (VirtualMachineError noMemory) {
            HeapReserve.onFailure(noMemory); // makes room for the close
            channel.closeIncomplete(noMemory);
            throw noMemory;
        }
    }

    private static void noteWrite(StreamChannel channel, MessageEvent write, long bytes) {
        if (channel.exchange == null) {
            return;
        }
        try {
            channel.exchange.onWrite(write.getMessage());
        } catch (Throwable t) { // from user code in the message, or without memory
            channel.release(bytes);
            channel.connection.execute(channel::onQueueChanged);
            throw t;
        }
    }

    /** A message with a missing part cannot be sent, so the stream ends. */
    private static void refuse(StreamChannel channel, MessageEvent write, Exception refusal) {
        UnsentMessage.fail(write, refusal);
        if (refusal instanceof WriteOverflowException) {
            channel.closeIncomplete(refusal);
        }
    }

    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        StreamChannel channel = (StreamChannel) pipeline.getChannel();
        ChannelRunnableWrapper future = new ChannelRunnableWrapper(channel, task);
        channel.connection.execute(future);
        return future;
    }

    @Override
    protected boolean isFireExceptionCaughtLater(ChannelEvent event, Throwable actualCause) {
        return !((StreamChannel) event.getChannel()).inIoThread();
    }

    // ---- on the connection's thread ----

    @Override
    public void write(StreamChannel channel, MessageEvent message) {
        throw new AssertionError("a write must be charged first: " + message);
    }

    @Override
    public void bind(StreamChannel channel, ChannelFuture future, SocketAddress localAddress) {
        future.setFailure(new UnsupportedOperationException("cannot bind a stream: it uses its connection's address"));
    }

    @Override
    public void connect(StreamChannel channel, ChannelFuture future, SocketAddress remoteAddress) {
        channel.connection.streams().connect(channel, future);
    }

    @Override
    public void setInterestOps(StreamChannel channel, ChannelFuture future, int interestOps) {
        channel.changeInterest(future, interestOps);
    }

    @Override
    public void close(StreamChannel channel, ChannelFuture future) {
        if (future != channel.getCloseFuture()) {
            channel.getCloseFuture().addListener(closed -> future.setSuccess());
        }
        channel.connection.streams().close(channel);
    }
}
