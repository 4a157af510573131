package org.freshet.handler.codec.internal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.freshet.buffer.ChannelBuffer;

/**
 * Deflates messages (RFC 1951, without a wrapper) for a receiver whose window may be smaller than 32 KiB. Each message
 * ends with an empty block, so it can be inflated as soon as it arrives.
 *
 * <p>The JDK's deflater always looks back up to 32 KiB. For a receiver with a smaller window, the data is cut into
 * segments of the window's size, and no segment refers to an earlier one.
 *
 * <pre>{@code
 * deflater.begin(message.readableBytes());
 * deflater.deflate(message);
 * ChannelBuffer deflated = factory.getBuffer(deflater.output(), 0, deflater.length());
 * }</pre>
 *
 * <p>Belongs to one thread at a time. Holds native memory until {@link #end}.
 */
public final class WindowedDeflater {
    public static final int MIN_WINDOW_BITS = 8;
    public static final int MAX_WINDOW_BITS = 15;

    /** Room for the empty block at the end of a message, and for the growth of small messages. */
    private static final int OVERHEAD_BYTES = 64;

    private final int level;
    private final int windowBits;
    private final Deflater deflater;

    /** How many more input bytes fit in the current segment. */
    private int segmentBytes;

    private byte[] output;
    private int length;

    /** @param windowBits the receiver's window, {@value #MIN_WINDOW_BITS} to {@value #MAX_WINDOW_BITS} */
    public WindowedDeflater(int level, int windowBits) {
        assert windowBits >= MIN_WINDOW_BITS && windowBits <= MAX_WINDOW_BITS : windowBits;
        this.level = level;
        this.windowBits = windowBits;
        deflater = CoderPool.takeDeflater(level);
        segmentBytes = windowBytes();
    }

    private int windowBytes() {
        return 1 << windowBits;
    }

    private boolean isSegmented() {
        return windowBits < MAX_WINDOW_BITS;
    }

    /** Sets what the receiver has in its window before the first message. */
    public void setDictionary(byte[] dictionary) {
        if (!isSegmented()) {
            deflater.setDictionary(dictionary);
            return;
        }
        // The first segment looks back into the dictionary: each gets half the window.
        segmentBytes = windowBytes() / 2;
        int tail = Math.min(dictionary.length, windowBytes() / 2);
        deflater.setDictionary(dictionary, dictionary.length - tail, tail);
    }

    /** Begins a new output, with room for about half the input. */
    public void begin(int inputBytes) {
        output = new byte[inputBytes / 2 + OVERHEAD_BYTES];
        length = 0;
    }

    /** Appends bytes of a wrapper to the output. */
    public void write(int... bytes) {
        for (int b : bytes) {
            ensureRoom();
            output[length] = (byte) b;
            length++;
        }
    }

    /** Appends the deflated message without moving its indexes. An empty message may append nothing. */
    public void deflate(ChannelBuffer message) {
        if (!isSegmented()) {
            setInput(message);
            drain(Deflater.SYNC_FLUSH);
            return;
        }
        ByteBuffer input = message.toByteBuffer();
        while (input.remaining() >= segmentBytes) {
            deflater.setInput(input.slice(input.position(), segmentBytes));
            input.position(input.position() + segmentBytes);
            drain(Deflater.FULL_FLUSH);
            segmentBytes = windowBytes();
        }
        segmentBytes -= input.remaining();
        deflater.setInput(input);
        drain(Deflater.SYNC_FLUSH);
    }

    private void setInput(ChannelBuffer message) {
        if (message.hasArray()) {
            int from = message.arrayOffset() + message.readerIndex();
            deflater.setInput(message.array(), from, message.readableBytes());
        } else {
            deflater.setInput(message.toByteBuffer());
        }
    }

    private void drain(int flush) {
        int written;
        int room;
        do {
            ensureRoom();
            room = output.length - length;
            written = deflater.deflate(output, length, room, flush);
            length += written;
        } while (written == room); // full: there may be more
    }

    /** Appends the end of the stream. */
    public void finish() {
        deflater.finish();
        while (!deflater.finished()) {
            ensureRoom();
            length += deflater.deflate(output, length, output.length - length);
        }
    }

    private void ensureRoom() {
        if (length == output.length) {
            output = Arrays.copyOf(output, output.length * 2);
        }
    }

    /** Returns everything produced since {@link #begin}: the first {@link #length} bytes are valid. */
    public byte[] output() {
        return output;
    }

    public int length() {
        return length;
    }

    /** Returns the deflater to the pool. Must be called once. */
    public void end() {
        CoderPool.give(deflater, level);
    }
}
