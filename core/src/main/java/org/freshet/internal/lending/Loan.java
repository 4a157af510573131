package org.freshet.internal.lending;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;

/**
 * The bytes of one read while they are lent. All buffers that show them check here on each access, so that they fail once the loan has
 * ended.
 *
 * <p>The bytes are in the loop's direct memory. The first access that needs more than a copy of some bytes copies all of them to the loop's
 * array, which is in the CPU cache, and works there. As long as the array cannot have been changed, the memory still has the same bytes,
 * and writes to a channel are sent from it.
 *
 * <p>For the lending thread, until the loan ends.
 */
public abstract class Loan {
    private static final byte POISON = (byte) 0xDB;

    /** The bytes are at index 0 to {@link #size}; position and limit are not used. */
    private final ByteBuffer memory;

    /** The same memory, with a position and limit for one write. */
    private final ByteBuffer window;

    /** Has room for as many bytes. */
    private final byte[] array;

    private final int size;

    private final ChannelBufferFactory factory;

    /** Wraps the array; null until the bytes have been copied there, and after the loan has ended. */
    private ChannelBuffer content;

    /** Whether the array may differ from the memory. */
    private boolean changed;

    private boolean ended;

    /** @param window a duplicate of {@code memory} */
    protected Loan(ByteBuffer memory, ByteBuffer window, byte[] array, int size, ChannelBufferFactory factory) {
        this.memory = memory;
        this.window = window;
        this.array = array;
        this.size = size;
        this.factory = Objects.requireNonNull(factory, "factory");
        Lending.onLoan();
    }

    /** The handler's name for the exception after the end: {@code 'echo' (com.example.Echo)}. */
    protected abstract String borrower();

    /**
     * Whether the channel gets a lent buffer written to it while the loan lasts, and the loan makes sure that the bytes are sent or copied
     * before it ends.
     */
    public abstract boolean takesWriteTo(Object channel);

    public final boolean hasEnded() {
        return ended;
    }

    final int size() {
        return size;
    }

    final ChannelBufferFactory factory() {
        return factory;
    }

    final ByteOrder order() {
        return factory.getDefaultOrder();
    }

    /** Returns all bytes in the array, for reading. */
    final ChannelBuffer content() {
        return content != null ? content : fillArray();
    }

    private ChannelBuffer fillArray() {
        checkLent();
        memory.get(0, array, 0, size);
        content = ChannelBuffers.wrappedBuffer(order(), array);
        return content;
    }

    /** Returns all bytes in the array, for a caller that may change them. */
    final ChannelBuffer changeableContent() {
        ChannelBuffer bytes = content();
        changed = true;
        return bytes;
    }

    final void checkLent() {
        if (ended) {
            throw ended();
        }
    }

    /** Returns the exception for an access after the end. */
    public final IllegalStateException ended() {
        return new IllegalStateException(
                "lent to " + borrower() + " until messageReceived returned; to keep the bytes, copy() them");
    }

    /** Whether the memory has the same bytes as the buffers show. */
    final boolean isInMemory() {
        return !changed;
    }

    /** Copies bytes to an array; the caller has checked the range. */
    final void get(int index, byte[] dst, int dstIndex, int length) {
        if (content != null) {
            content.getBytes(index, dst, dstIndex, length);
        } else {
            checkLent();
            memory.get(index, dst, dstIndex, length);
        }
    }

    /** Copies bytes to a buffer and moves its position; the caller has checked the range. */
    final void get(int index, ByteBuffer dst, int length) {
        checkLent();
        if (changed) {
            dst.put(array, index, length);
        } else {
            dst.put(dst.position(), memory, index, length);
            dst.position(dst.position() + length);
        }
    }

    /** Returns bytes in the memory, for a socket to write; valid until the next call. Only if {@link #isInMemory}. */
    final ByteBuffer window(int index, int length) {
        checkLent();
        return window.limit(index + length).position(index);
    }

    /** Returns a copy of all bytes, in a buffer of the factory. Any thread may call this during the event. */
    public final ChannelBuffer copy() {
        checkLent();
        return changed ? copyOfArray(0, size) : copyOfMemory(0, size);
    }

    /** Returns a copy for the lending thread, which knows what the array contains. */
    final ChannelBuffer copy(int index, int length) {
        checkLent();
        return content != null ? copyOfArray(index, length) : copyOfMemory(index, length);
    }

    private ChannelBuffer copyOfArray(int index, int length) {
        ChannelBuffer copy = factory.getBuffer(length);
        copy.writeBytes(array, index, length);
        return copy;
    }

    /** Doesn't use the window, which is for the lending thread only. */
    private ChannelBuffer copyOfMemory(int index, int length) {
        ChannelBuffer copy = factory.getBuffer(length);
        if (copy.hasArray()) {
            memory.get(index, copy.array(), copy.arrayOffset(), length);
            copy.writerIndex(length);
        } else {
            copy.writeBytes(memory.slice(index, length));
        }
        return copy;
    }

    /** Ends the loan: from now on all its buffers fail. */
    public void end() {
        ended = true;
        changed = true;
        content = null;
    }

    /** Overwrites the lent bytes, for handlers that kept an array or a ByteBuffer. The memory must not be in other use. */
    protected final void poison() {
        Arrays.fill(array, POISON);
        for (int i = 0; i < size; i++) {
            memory.put(i, POISON);
        }
    }
}
