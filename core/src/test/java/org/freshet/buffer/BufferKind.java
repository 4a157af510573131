package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Every kind of buffer, each created with the same bytes: capacity and writer index equal the number of bytes. */
enum BufferKind {
    HEAP {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return ChannelBuffers.wrappedBuffer(order, bytes.clone());
        }
    },
    DIRECT {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            ChannelBuffer buffer = ChannelBuffers.directBuffer(order, bytes.length);
            buffer.writeBytes(bytes);
            return buffer;
        }
    },
    DIRECT_FROM_CHUNK {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return DirectChannelBufferFactory.getInstance(order).getBuffer(order, bytes, 0, bytes.length);
        }
    },
    BYTE_BUFFER {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return new ByteBufferBackedChannelBuffer(
                    ByteBuffer.wrap(padded(bytes), 3, bytes.length).order(order));
        }
    },
    READ_ONLY_BYTE_BUFFER {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return ChannelBuffers.wrappedBuffer(
                    ByteBuffer.wrap(bytes.clone()).asReadOnlyBuffer().order(order));
        }
    },
    DYNAMIC {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(order, bytes.length);
            buffer.writeBytes(bytes);
            return buffer;
        }
    },
    DYNAMIC_DIRECT {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            ChannelBuffer buffer =
                    ChannelBuffers.dynamicBuffer(order, bytes.length, DirectChannelBufferFactory.getInstance(order));
            buffer.writeBytes(bytes);
            return buffer;
        }
    },
    COMPOSITE {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            List<ChannelBuffer> parts = new ArrayList<>();
            for (int from = 0; from < bytes.length; ) {
                int to = Math.min(bytes.length, from + 1 + random.nextInt(12));
                BufferKind kind = PARTS[random.nextInt(PARTS.length)];
                parts.add(kind.make(order, Arrays.copyOfRange(bytes, from, to), random));
                from = to;
            }
            return new CompositeChannelBuffer(order, parts, random.nextBoolean());
        }
    },
    SLICE {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return new SlicedChannelBuffer(HEAP.make(order, padded(bytes), random), 3, bytes.length);
        }
    },
    SLICE_OF_COMPOSITE {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return new SlicedChannelBuffer(COMPOSITE.make(order, padded(bytes), random), 3, bytes.length);
        }
    },
    TRUNCATED {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 5);
            return new TruncatedChannelBuffer(DIRECT.make(order, longer, random), bytes.length);
        }
    },
    TRUNCATED_DYNAMIC {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 5);
            return new TruncatedChannelBuffer(DYNAMIC.make(order, longer, random), bytes.length);
        }
    },
    DUPLICATE {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return new DuplicatedChannelBuffer(HEAP.make(order, bytes, random));
        }
    },
    DUPLICATE_OF_SLICE {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return new DuplicatedChannelBuffer(SLICE.make(order, bytes, random));
        }
    },
    ORDERED_HEAP {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return ChannelBuffers.ordered(HEAP.make(other(order), bytes, random), order);
        }
    },
    ORDERED_DIRECT {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return ChannelBuffers.ordered(DIRECT.make(other(order), bytes, random), order);
        }
    },
    ORDERED_COMPOSITE {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return ChannelBuffers.ordered(COMPOSITE.make(other(order), bytes, random), order);
        }
    },
    ORDERED_SLICE {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return ChannelBuffers.ordered(SLICE.make(other(order), bytes, random), order);
        }
    },
    READ_ONLY {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return new ReadOnlyChannelBuffer(HEAP.make(order, bytes, random));
        }
    },
    READ_ONLY_COMPOSITE {
        @Override
        ChannelBuffer make(ByteOrder order, byte[] bytes, Random random) {
            return new ReadOnlyChannelBuffer(COMPOSITE.make(order, bytes, random));
        }
    };

    private static final BufferKind[] PARTS = {HEAP, DIRECT, BYTE_BUFFER, SLICE, DUPLICATE};

    abstract ChannelBuffer make(ByteOrder order, byte[] bytes, Random random);

    boolean readOnly() {
        return this == READ_ONLY || this == READ_ONLY_BYTE_BUFFER || this == READ_ONLY_COMPOSITE;
    }

    /** Returns whether it is a view of a buffer with the other byte order. */
    boolean swaps() {
        return this == ORDERED_COMPOSITE || this == ORDERED_SLICE;
    }

    boolean grows() {
        return this == DYNAMIC || this == DYNAMIC_DIRECT;
    }

    private static ByteOrder other(ByteOrder order) {
        return order == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    /** Surrounds the bytes with others, so that a wrong offset shows. */
    private static byte[] padded(byte[] bytes) {
        byte[] padded = new byte[bytes.length + 5];
        Arrays.fill(padded, (byte) 0x5a);
        System.arraycopy(bytes, 0, padded, 3, bytes.length);
        return padded;
    }
}
