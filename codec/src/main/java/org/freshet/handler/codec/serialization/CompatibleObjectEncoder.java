package org.freshet.handler.codec.serialization;

import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferOutputStream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.handler.codec.oneone.OneToOneStrictEncoder;

/**
 * Writes what a {@link java.io.ObjectInputStream} at the other end of the connection reads: one stream for all messages,
 * without lengths. Later messages refer to what earlier ones sent, so the order counts and a failed write spoils the rest.
 *
 * <p>The stream remembers every object until it is reset, and so does the reader.
 */
public class CompatibleObjectEncoder extends OneToOneStrictEncoder implements LifeCycleAwareChannelHandler {
    private static final int DEFAULT_RESET_INTERVAL = 16;

    private final int resetInterval;
    private final Redirected target = new Redirected();

    /** Null until the first message of a connection. */
    private ObjectOutputStream objects;

    /** Never equal to {@link #resetInterval} if that is 0. */
    private int objectsSinceReset;

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
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(channel.getConfig().getBufferFactory());
        target.buffer = new ChannelBufferOutputStream(buffer);
        try {
            write(msg);
        } finally {
            target.buffer = null;
        }
        return buffer;
    }

    private void write(Object msg) throws Exception {
        if (objects == null) {
            objects = newObjectOutputStream(target);
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
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        objects = null;
        objectsSinceReset = 0;
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
        // Nothing to do: the next connection begins with beforeAdd.
    }

    /** Writes into the buffer of the message that is being encoded. */
    private static final class Redirected extends OutputStream {
        private OutputStream buffer;

        @Override
        public void write(int b) throws java.io.IOException {
            buffer.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws java.io.IOException {
            buffer.write(bytes, offset, length);
        }
    }
}
