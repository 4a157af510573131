package org.freshet.handler.codec.serialization;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectStreamConstants;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * The reading end of a plain object stream, fed one object at a time. An object is first measured by a scan that
 * creates nothing: where it ends, and what its collections will cost. Everything that later objects may refer to is
 * remembered until the stream is reset, once by the scan and once by the JDK.
 *
 * <p>Not usable after a failure. Belongs to the thread that reads.
 */
final class PlainObjectInputStream extends FilteredObjectInputStream {
    static final int HEADER_BYTES = 4;

    private final SerialPolicy policy;
    private final Source source;

    /** Handles of the objects since the last reset. */
    private List<Object> handles = new ArrayList<>();

    private SerialFilter filter;

    private PlainObjectInputStream(Source source, SerialPolicy policy) throws IOException {
        super(source, policy.resolver);
        this.source = source;
        this.policy = policy;
        setObjectInputFilter(this::checkInput);
    }

    /**
     * Begins a stream.
     *
     * @param header {@value #HEADER_BYTES} bytes
     * @throws java.io.StreamCorruptedException if the header is not that of a stream
     */
    static PlainObjectInputStream open(ChannelBuffer header, SerialPolicy policy) throws IOException {
        return new PlainObjectInputStream(new Source(header), policy);
    }

    private ObjectInputFilter.Status checkInput(ObjectInputFilter.FilterInfo info) {
        return filter.checkInput(info);
    }

    @Override
    SerialFilter filter() {
        return filter;
    }

    /** Returns whether a reset mark comes next; false if nothing is readable. */
    static boolean isReset(ChannelBuffer in) {
        return in.readable() && in.getByte(in.readerIndex()) == ObjectStreamConstants.TC_RESET;
    }

    /** Reads a mark found by {@link #isReset} and forgets all handles. */
    void readReset(ChannelBuffer in) throws IOException {
        in.skipBytes(1);
        handles = new ArrayList<>();
        source.resetPending = true;
    }

    /** Measures the next object; consumes nothing. */
    StreamScan.Measure measure(ChannelBuffer in) throws IOException, ClassNotFoundException {
        ByteBuffer bytes = in.toByteBuffer().slice().order(ByteOrder.BIG_ENDIAN);
        return StreamScan.measure(bytes, handles, policy.maxDepth);
    }

    /** Reads an object that was measured. */
    Object read(ChannelBuffer object, StreamScan.Measure measure) throws IOException, ClassNotFoundException {
        int length = object.readableBytes();
        long limit = policy.maxCollectionCost(length);
        if (measure.cost() > limit) {
            throw new InvalidClassException(SerialFilter.tooCostly(measure.cost(), limit));
        }
        filter = new SerialFilter(policy, null, length, ObjectInputFilter.Config.getSerialFilter());
        source.bytes = object;
        try {
            Object read = readFiltered();
            if (object.readable()) {
                throw new StreamCorruptedException("object has unread bytes: " + object.readableBytes());
            }
            return read;
        } finally {
            source.bytes = ChannelBuffers.EMPTY_BUFFER;
        }
    }

    /** Presents objects as one stream, each after the last. */
    private static final class Source extends InputStream {
        /** A reset mark comes first: one, however many the peer sent. */
        private boolean resetPending;

        private ChannelBuffer bytes;

        Source(ChannelBuffer header) {
            bytes = header;
        }

        @Override
        public int read() {
            if (resetPending) {
                resetPending = false;
                return ObjectStreamConstants.TC_RESET & 0xFF;
            }
            return bytes.readable() ? bytes.readByte() & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length == 0) {
                return 0;
            }
            if (resetPending) {
                target[offset] = (byte) read();
                return 1;
            }
            int count = Math.min(length, bytes.readableBytes());
            bytes.readBytes(target, offset, count);
            return count == 0 ? -1 : count;
        }
    }
}
