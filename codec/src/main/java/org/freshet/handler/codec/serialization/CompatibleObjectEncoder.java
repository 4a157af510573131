package org.freshet.handler.codec.serialization;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferOutputStream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.oneone.OneToOneEncoder;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.write.DownstreamOrder;

/**
 * Writes for a {@link java.io.ObjectInputStream} at the other end of the connection: one stream for all messages,
 * without lengths. Later messages refer to earlier ones. So messages leave in the order in which they were encoded,
 * whichever threads write them, and a failed write breaks the rest of the stream. If a message is written while another
 * one is being encoded or passed on, the busy thread encodes it when it's done.
 *
 * <h2>The header</h2>
 *
 * <p>A stream starts with a header of four bytes, and the constructor of {@code ObjectInputStream} waits for it. If the
 * header only comes with the first message, a peer that opens its input before it sends anything waits forever. For
 * such a peer, choose {@code headerOnConnect}: the header is then sent when the channel is connected, or when the
 * encoder is added to a connected channel.
 *
 * <p>The stream remembers every object until it is reset, at both ends. It is kept in the context's attachment, so one
 * encoder may serve any number of channels; leave the attachment alone.
 */
@Sharable
@ActsOn(EventKind.CONNECTED)
public class CompatibleObjectEncoder extends OneToOneEncoder
        implements ChannelUpstreamHandler, LifeCycleAwareChannelHandler {
    private static final int DEFAULT_RESET_INTERVAL = 16;

    private final int resetInterval;
    private final boolean headerOnConnect;

    /** Resets the stream after every 16 messages. Sends the header with the first message. */
    public CompatibleObjectEncoder() {
        this(DEFAULT_RESET_INTERVAL);
    }

    /**
     * Sends the header with the first message.
     *
     * @param resetInterval number of messages after which the stream is reset; 0 for never, which keeps all messages in
     *     memory
     */
    public CompatibleObjectEncoder(int resetInterval) {
        this(resetInterval, false);
    }

    /**
     * @param resetInterval number of messages after which the stream is reset; 0 for never, which keeps all messages in
     *     memory
     * @param headerOnConnect true sends the stream's header when the channel is connected, false with the first message
     */
    public CompatibleObjectEncoder(int resetInterval, boolean headerOnConnect) {
        if (resetInterval < 0) {
            throw new IllegalArgumentException("resetInterval < 0: " + resetInterval);
        }
        this.resetInterval = resetInterval;
        this.headerOnConnect = headerOnConnect;
    }

    /** Creates the stream of a connection. */
    protected ObjectOutputStream newObjectOutputStream(OutputStream out) throws Exception {
        return new ObjectOutputStream(out);
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (headerOnConnect && e instanceof ChannelStateEvent state && isConnected(state)) {
            sendHeader(ctx);
        }
        ctx.sendUpstream(e);
    }

    private static boolean isConnected(ChannelStateEvent e) {
        return e.getState() == ChannelState.CONNECTED && e.getValue() != null;
    }

    private static void sendHeader(ChannelHandlerContext ctx) throws Exception {
        Channel channel = ctx.getChannel();
        Connection connection = connectionOf(ctx);
        ChannelFuture future = Channels.future(channel);
        connection.order.pass(channel, future, () -> {
            ChannelBuffer buffer =
                    ChannelBuffers.dynamicBuffer(channel.getConfig().getBufferFactory());
            connection.open(new ChannelBufferOutputStream(buffer));
            if (buffer.readable()) {
                Channels.write(ctx, future, buffer);
            }
        });
    }

    @Override
    protected boolean doEncode(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        connectionOf(ctx).order.pass(e, () -> {
            if (!super.doEncode(ctx, e)) {
                ctx.sendDownstream(e);
            }
        });
        return true;
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(channel.getConfig().getBufferFactory());
        connectionOf(ctx).write(msg, new ChannelBufferOutputStream(buffer));
        return buffer;
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        ctx.setAttachment(new Connection());
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        if (headerOnConnect
                && ctx.getPipeline().isAttached()
                && ctx.getChannel().isConnected()) {
            sendHeader(ctx);
        }
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        // Nothing to do.
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        // Nothing to do: the connection's state goes with the context.
    }

    private static Connection connectionOf(ChannelHandlerContext ctx) {
        Object attachment = ctx.getAttachment();
        if (attachment instanceof CompatibleObjectEncoder.Connection connection) {
            return connection;
        }
        throw new IllegalStateException("the context's attachment does not belong to its encoder: " + attachment);
    }

    /** The stream of one connection. Touched only by steps of its order. */
    private final class Connection extends OutputStream {
        final DownstreamOrder order = new DownstreamOrder();

        /** Null until the header is written. */
        private ObjectOutputStream objects;

        /** Never equal to {@link #resetInterval} if that is 0. */
        private int objectsSinceReset;

        /** Where the bytes being written go. */
        private OutputStream target;

        /** Writes the header unless it was already written. */
        void open(OutputStream out) throws Exception {
            target = out;
            try {
                open();
                objects.flush();
            } finally {
                target = null;
            }
        }

        void write(Object msg, OutputStream out) throws Exception {
            target = out;
            try {
                write(msg);
            } finally {
                target = null;
            }
        }

        private void open() throws Exception {
            if (objects == null) {
                objects = newObjectOutputStream(this);
            }
        }

        private void write(Object msg) throws Exception {
            open();
            objectsSinceReset++;
            if (objectsSinceReset == resetInterval) {
                objects.reset();
                objectsSinceReset = 0;
            }
            objects.writeObject(msg);
            objects.flush();
        }

        @Override
        public void write(int b) throws IOException {
            target.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            target.write(bytes, offset, length);
        }
    }
}
