package org.freshet.internal.lending;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;

/**
 * The bytes of one read while they are lent. All buffers that show them ask here for each access, so that they fail once the
 * loan has ended.
 *
 * <p>The bytes are in the loop's direct memory. The first access that wants more than a copy of some of them copies them all
 * to the loop's array, which is in the cache, and works there; while nobody can have changed the array, the memory still holds the
 * same, and what is written to a channel is sent from there.
 *
 * <p>For the lending thread, until the loan ends.
 */
public abstract class Loan {
    private static final byte POISON = (byte) 0xDB;

    /** The bytes are at index 0 to {@link #size}; its position and limit are left alone. */
    private final ByteBuffer memory;

    /** The same memory, with a position and limit for one write. */
    private final ByteBuffer window;

    /** For as many bytes. */
    private final byte[] array;

    private final int size;

    private final ChannelBufferFactory factory;

    /** Over the array; null until the bytes are there, and after the end. */
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

    /** How the exception after the end names the handler: {@code 'echo' (com.example.Echo)}. */
    protected abstract String borrower();

    /**
     * Whether a lent buffer that is written to the channel arrives there while the loan lasts, and the loan sees to it that the bytes are
     * sent or copied before it ends.
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

    /** All bytes in the array, to be read. */
    final ChannelBuffer content() {
        return content != null ? content : fillArray();
    }

    private ChannelBuffer fillArray() {
        checkLent();
        memory.get(0, array, 0, size);
        content = ChannelBuffers.wrappedBuffer(order(), array);
        return content;
    }

    /** All bytes in the array, for somebody who may change them. */
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

    /** To be thrown when something is asked for after the end. */
    public final IllegalStateException ended() {
        return new IllegalStateException(
                "lent to " + borrower() + " until messageReceived returned; copy() what is needed later");
    }

    /** Whether the memory holds what the buffers show. */
    final boolean isInMemory() {
        return !changed;
    }

    /** Copies to an array; the range has been checked. */
    final void get(int index, byte[] dst, int dstIndex, int length) {
        if (content != null) {
            content.getBytes(index, dst, dstIndex, length);
        } else {
            checkLent();
            memory.get(index, dst, dstIndex, length);
        }
    }

    /** Copies to a buffer and moves its position; the range has been checked. */
    final void get(int index, ByteBuffer dst, int length) {
        checkLent();
        if (changed) {
            dst.put(array, index, length);
        } else {
            dst.put(dst.position(), memory, index, length);
            dst.position(dst.position() + length);
        }
    }

    /** Bytes in memory, for a socket to write; good until the next call. Only if {@link #isInMemory}. */
    final ByteBuffer window(int index, int length) {
        checkLent();
        return window.limit(index + length).position(index);
    }

    /** A copy of all bytes, in a buffer of the factory. Any thread may ask for it during the event. */
    public final ChannelBuffer copy() {
        checkLent();
        return changed ? copyOfArray(0, size) : copyOfMemory(0, size);
    }

    /** A copy for the lending thread, which knows what is in the array. */
    final ChannelBuffer copy(int index, int length) {
        checkLent();
        return content != null ? copyOfArray(index, length) : copyOfMemory(index, length);
    }

    private ChannelBuffer copyOfArray(int index, int length) {
        ChannelBuffer copy = factory.getBuffer(length);
        copy.writeBytes(array, index, length);
        return copy;
    }

    /** Not by the window, which is for the lending thread. */
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

    /** From now on all buffers of this loan fail. */
    public void end() {
        ended = true;
        changed = true;
        content = null;
    }

    /** Overwrites what was lent, for whoever kept an array or a ByteBuffer. The memory must not be used otherwise. */
    protected final void poison() {
        Arrays.fill(array, POISON);
        for (int i = 0; i < size; i++) {
            memory.put(i, POISON);
        }
    }
}
