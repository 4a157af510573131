package org.freshet.handler.codec.serialization;

import java.io.IOException;
import java.io.ObjectInputFilter;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.handler.codec.frame.TooLongFrameException;

/**
 * Decodes the output of a {@link java.io.ObjectOutputStream} or {@link CompatibleObjectEncoder} at the other end of the
 * connection: one stream of objects without lengths, in which later objects refer to earlier ones. Prefer
 * {@link ObjectDecoder} if both ends support it.
 *
 * <p>Accepted classes, and the limits on an object's depth, arrays and collections, are the same as in
 * {@link ObjectDecoder}. If a filter limits references or bytes, those of the whole connection count.
 *
 * <h2>Memory and time</h2>
 *
 * <p>All objects, and everything else that can be referred to, are kept until the peer resets its stream. Therefore the
 * bytes between two resets are limited, too. The end of an object is known only when all of it has arrived. Until then
 * it is scanned from its start with each read, so the time grows with its length times the number of reads.
 *
 * <h2>Errors</h2>
 *
 * <p>Errors become {@code exceptionCaught} events: {@link TooLongFrameException}, {@link java.io.InvalidClassException}
 * for a refused class or object, {@link ClassNotFoundException}, another {@link IOException} if the bytes are not an
 * object. After an error, later objects may refer to missing ones, so all further input is discarded: close the
 * channel. {@code null} is not passed on. Data written between objects, other than with {@code writeObject}, is an
 * error.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events.
 */
@ChannelHandler.Borrower
public class CompatibleObjectDecoder extends FrameDecoder {
    /** The number of objects that {@link CompatibleObjectEncoder} sends between two resets by default. */
    private static final int DEFAULT_OBJECTS_PER_RESET = 16;

    private enum State {
        HEADER,
        OBJECTS,
        /** An error occurred: nothing more can be decoded. */
        LOST
    }

    private final SerialPolicy policy;
    private final int maxObjectSize;
    private final long maxBytesPerReset;

    private State state = State.HEADER;

    /** Null until the header has arrived. */
    private PlainObjectInputStream stream;

    /** Bytes since the last reset. */
    private long bytesSinceReset;

    /** Number of unread bytes needed before another scan makes sense. */
    private long wantedBytes;

    /** Accepts objects of up to 1 MiB. */
    public CompatibleObjectDecoder(ClassResolver classResolver) {
        this(ObjectDecoder.DEFAULT_MAX_OBJECT_SIZE, classResolver);
    }

    /** @param maxObjectSize bytes of an object, 1 or more; the limit between two resets is 16 times that */
    public CompatibleObjectDecoder(int maxObjectSize, ClassResolver classResolver) {
        this(maxObjectSize, (long) maxObjectSize * DEFAULT_OBJECTS_PER_RESET, SerialPolicy.ofProperties(classResolver));
    }

    /**
     * @param maxObjectSize bytes of an object, 1 or more
     * @param maxBytesPerReset bytes of all objects between two resets of the stream, {@code maxObjectSize} or more
     * @param filter decides about classes, see {@link ObjectDecoder}; called on the thread that decodes
     */
    public CompatibleObjectDecoder(
            int maxObjectSize, long maxBytesPerReset, ClassResolver classResolver, ObjectInputFilter filter) {
        this(maxObjectSize, maxBytesPerReset, SerialPolicy.of(classResolver, filter));
    }

    private CompatibleObjectDecoder(int maxObjectSize, long maxBytesPerReset, SerialPolicy policy) {
        if (maxObjectSize <= 0) {
            throw new IllegalArgumentException("maxObjectSize <= 0: " + maxObjectSize);
        }
        if (maxBytesPerReset < maxObjectSize) {
            throw new IllegalArgumentException(
                    "maxBytesPerReset < maxObjectSize: " + maxBytesPerReset + " < " + maxObjectSize);
        }
        this.maxObjectSize = maxObjectSize;
        this.maxBytesPerReset = maxBytesPerReset;
        this.policy = policy;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        try {
            return decodeNext(buffer);
        } catch (Exception failure) {
            lose(buffer);
            throw failure;
        }
    }

    private void lose(ChannelBuffer buffer) {
        state = State.LOST;
        stream = null;
        buffer.skipBytes(buffer.readableBytes());
    }

    private Object decodeNext(ChannelBuffer buffer) throws Exception {
        switch (state) {
            case HEADER -> {
                readHeader(buffer);
                return null;
            }
            case OBJECTS -> {
                return readObject(buffer);
            }
            default -> {
                buffer.skipBytes(buffer.readableBytes());
                return null;
            }
        }
    }

    private void readHeader(ChannelBuffer buffer) throws IOException {
        if (buffer.readableBytes() >= PlainObjectInputStream.HEADER_BYTES) {
            stream = PlainObjectInputStream.open(buffer.readSlice(PlainObjectInputStream.HEADER_BYTES), policy);
            state = State.OBJECTS;
        }
    }

    private Object readObject(ChannelBuffer buffer) throws Exception {
        if (PlainObjectInputStream.isReset(buffer)) {
            stream.readReset(buffer);
            bytesSinceReset = 0;
            return null;
        }
        if (buffer.readableBytes() < wantedBytes) {
            return null;
        }
        StreamScan.Measure object = stream.measure(buffer);
        checkLength(object.bytes());
        wantedBytes = object.complete() ? 0 : object.bytes();
        if (!object.complete()) {
            return null;
        }
        bytesSinceReset += object.bytes();
        return stream.read(buffer.readSlice((int) object.bytes()), object);
    }

    private void checkLength(long bytes) throws TooLongFrameException {
        if (bytes > maxObjectSize) {
            throw new TooLongFrameException("object length > " + maxObjectSize + ": at least " + bytes);
        }
        if (bytesSinceReset + bytes > maxBytesPerReset) {
            throw new TooLongFrameException("bytes since the peer reset its stream > " + maxBytesPerReset
                    + ": have it reset the stream more often, or give the decoder a higher maxBytesPerReset");
        }
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        super.beforeAdd(ctx);
        beginStream();
    }

    @Override
    protected void onBytesForgotten() {
        beginStream();
    }

    private void beginStream() {
        state = State.HEADER;
        stream = null;
        bytesSinceReset = 0;
        wantedBytes = 0;
    }
}
