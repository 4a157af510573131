package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Concatenates several sources, shared or copied. Empty ones are left out, so their byte order does not matter. */
final class Concatenation {
    private Concatenation() {}

    static ChannelBuffer wrapped(ByteOrder order, byte[]... arrays) {
        List<ChannelBuffer> parts = new ArrayList<>(arrays.length);
        for (byte[] array : arrays) {
            if (array != null) {
                addPart(parts, ChannelBuffers.wrappedBuffer(order, array));
            }
        }
        return joined(parts, false);
    }

    static ChannelBuffer wrapped(boolean gathering, ChannelBuffer... buffers) {
        List<ChannelBuffer> parts = new ArrayList<>(buffers.length);
        for (ChannelBuffer buffer : buffers) {
            if (buffer != null) {
                addPart(parts, buffer);
            }
        }
        return joined(parts, gathering);
    }

    static ChannelBuffer wrapped(boolean gathering, ByteBuffer... buffers) {
        List<ChannelBuffer> parts = new ArrayList<>(buffers.length);
        for (ByteBuffer buffer : buffers) {
            if (buffer != null) {
                addPart(parts, ChannelBuffers.wrappedBuffer(buffer));
            }
        }
        return joined(parts, gathering);
    }

    static ChannelBuffer copied(ByteOrder order, byte[]... arrays) {
        long total = 0;
        for (byte[] array : arrays) {
            total += array.length;
        }
        byte[] all = new byte[lengthOf(total)];
        int at = 0;
        for (byte[] array : arrays) {
            System.arraycopy(array, 0, all, at, array.length);
            at += array.length;
        }
        return ChannelBuffers.wrappedBuffer(order, all);
    }

    static ChannelBuffer copied(ChannelBuffer... buffers) {
        if (buffers.length == 1) {
            return ChannelBuffers.copiedBuffer(buffers[0]);
        }
        ByteOrder order = ByteOrder.BIG_ENDIAN;
        long total = 0;
        for (ChannelBuffer buffer : buffers) {
            if (buffer.readable()) {
                order = total == 0 ? buffer.order() : sameOrder(order, buffer.order());
                total += buffer.readableBytes();
            }
        }
        ChannelBuffer all = ChannelBuffers.buffer(order, lengthOf(total));
        for (ChannelBuffer buffer : buffers) {
            all.writeBytes(buffer, buffer.readerIndex(), buffer.readableBytes());
        }
        return all;
    }

    static ChannelBuffer copied(ByteBuffer... buffers) {
        ChannelBuffer[] wrapped = new ChannelBuffer[buffers.length];
        for (int i = 0; i < buffers.length; i++) {
            wrapped[i] = ChannelBuffers.wrappedBuffer(buffers[i]);
        }
        return wrapped.length == 1 ? ChannelBuffers.copiedBuffer(buffers[0]) : copied(wrapped);
    }

    /** Adds the readable bytes; the parts of a composite one by one, so composites do not nest. */
    private static void addPart(List<ChannelBuffer> parts, ChannelBuffer buffer) {
        if (buffer instanceof CompositeChannelBuffer composite) {
            parts.addAll(composite.decompose(composite.readerIndex(), composite.readableBytes()));
        } else if (buffer.readable()) {
            parts.add(buffer.slice());
        }
    }

    private static ChannelBuffer joined(List<ChannelBuffer> parts, boolean gathering) {
        return switch (parts.size()) {
            case 0 -> ChannelBuffers.EMPTY_BUFFER;
            case 1 -> parts.get(0);
            default -> new CompositeChannelBuffer(parts.get(0).order(), parts, gathering);
        };
    }

    static ByteOrder sameOrder(ByteOrder order, ByteOrder other) {
        if (order != other) {
            throw new IllegalArgumentException("buffers differ in byte order: " + order + ", " + other);
        }
        return order;
    }

    static int lengthOf(long total) {
        if (total > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the total length exceeds " + Integer.MAX_VALUE + " bytes: " + total);
        }
        return (int) total;
    }
}
