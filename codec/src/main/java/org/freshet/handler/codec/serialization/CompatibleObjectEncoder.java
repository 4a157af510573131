package org.freshet.handler.codec.serialization;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferOutputStream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.oneone.OneToOneEncoder;
import org.freshet.internal.write.DownstreamOrder;

/**
 * Writes what a {@link java.io.ObjectInputStream} at the other end of the connection reads: one stream for all messages,
 * without lengths. Later messages refer to what earlier ones sent, so they leave in the order in which they were encoded,
 * whichever threads write them, and a failed write spoils the rest. A message that is written while another one is being encoded or
 * passed on is encoded by the thread that is at work, once that is done.
 *
 * <p>The stream remembers every object until it is reset, and so does the reader. It is kept in the context's attachment, so
 * that one encoder may serve any number of channels; leave the attachment alone.
 */
@Sharable
public class CompatibleObjectEncoder extends OneToOneEncoder implements LifeCycleAwareChannelHandler {
    private static final int DEFAULT_RESET_INTERVAL = 16;

    private final int resetInterval;

    /** Resets the stream after every 16 messages. */
    public CompatibleObjectEncoder() {
        this(DEFAULT_RESET_INTERVAL);
    }

    /** @param resetInterval after how many messages to reset the stream; 0 for never, which keeps all messages in memory */
    public CompatibleObjectEncoder(int resetInterval) {
        if (resetInterval < 0) {
            throw new IllegalArgumentException("resetInterval < 0: " + resetInterval);
        }
        this.resetInterval = resetInterval;
    }

    /** Makes the stream of a connection. */
    protected ObjectOutputStream newObjectOutputStream(OutputStream out) throws Exception {
        return new ObjectOutputStream(out);
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
        // Nothing to do.
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
        throw new IllegalStateException("the context's attachment is not that of its encoder: " + attachment);
    }

    /** The stream of one connection. Only steps of its order touch it. */
    private final class Connection extends OutputStream {
        final DownstreamOrder order = new DownstreamOrder();

        /** Null until the first message. */
        private ObjectOutputStream objects;

        /** Never equal to {@link #resetInterval} if that is 0. */
        private int objectsSinceReset;

        /** Where the message goes that is being encoded. */
        private OutputStream target;

        void write(Object msg, OutputStream out) throws Exception {
            target = out;
            try {
                write(msg);
            } finally {
                target = null;
            }
        }

        private void write(Object msg) throws Exception {
            if (objects == null) {
                objects = newObjectOutputStream(this);
            }
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
