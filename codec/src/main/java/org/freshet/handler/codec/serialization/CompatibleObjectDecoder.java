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
 * Decodes what a {@link java.io.ObjectOutputStream} or {@link CompatibleObjectEncoder} at the other end of the connection writes: one
 * stream of objects without lengths, in which later objects refer to earlier ones. Prefer {@link ObjectDecoder} where both ends can.
 *
 * <p>Which classes are accepted, and the limits of an object's depth, arrays and collections, are those of {@link ObjectDecoder}. A
 * filter that limits references or bytes counts those of the whole connection.
 *
 * <h2>Memory and time</h2>
 *
 * What may be referred to is kept until the peer resets its stream, all objects among it. Therefore the bytes between two resets are
 * limited, too. Where an object ends is known only once all of it has come: it is scanned anew with each read until then, which costs
 * time proportional to its length and to the number of reads that bring it.
 *
 * <h2>Errors</h2>
 *
 * They become {@code exceptionCaught} events: {@link TooLongFrameException}, {@link java.io.InvalidClassException} for what is refused,
 * {@link ClassNotFoundException}, another {@link IOException} for bytes that are no object. Later objects may refer to what is missing
 * then, so everything that follows is discarded: close the channel. {@code null}, and data that is written between objects other than
 * by {@code writeObject}, is not passed on; the latter is an error.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events.
 */
@ChannelHandler.Borrower
public class CompatibleObjectDecoder extends FrameDecoder {
    /** As many objects of the greatest length as {@link CompatibleObjectEncoder} sends between two resets by default. */
    private static final int DEFAULT_OBJECTS_PER_RESET = 16;

    private enum State {
        HEADER,
        OBJECTS,
        /** Nothing more can be decoded. */
        LOST
    }

    private final SerialPolicy policy;
    private final int maxObjectSize;
    private final long maxBytesPerReset;

    private State state = State.HEADER;

    /** Null before the header has come. */
    private PlainObjectInputStream stream;

    /** Since the last reset. */
    private long bytesSinceReset;

    /** How many bytes must be unread before another scan makes sense. */
    private long wantedBytes;

    /** Takes objects of up to 1 MiB. */
    public CompatibleObjectDecoder(ClassResolver classResolver) {
        this(ObjectDecoder.DEFAULT_MAX_OBJECT_SIZE, classResolver);
    }

    /** @param maxObjectSize bytes of an object, 1 or more; 16 times as many may come between two resets */
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
        state = State.HEADER;
        stream = null;
        bytesSinceReset = 0;
        wantedBytes = 0;
    }
}
