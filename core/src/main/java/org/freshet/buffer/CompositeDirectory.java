package org.freshet.buffer;

/**
 * Finds the component of a composite by index. The bytes are divided into stretches of equal length, about that of a
 * component. The directory stores the component in which each stretch begins, which leaves few candidates.
 *
 * <p>Any thread may use it. Parts are created on first use, possibly once by each of several threads.
 */
final class CompositeDirectory {
    private final ChannelBuffer[] buffers;
    /** Index of the first byte of each component, then the capacity. */
    private final int[] starts;
    /** For each stretch, the number of the component with its first byte; then the number of the last component. */
    private final int[] firstIn;
    /** A stretch has two to the power of this many bytes. */
    private final int shift;

    private final CompositePart[] made;

    /** Keeps both arrays. There must be at least one component, and none may be empty. */
    CompositeDirectory(ChannelBuffer[] buffers, int[] starts) {
        this.buffers = buffers;
        this.starts = starts;
        int capacity = starts[buffers.length];
        shift = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(capacity / buffers.length);
        firstIn = new int[(capacity - 1 >>> shift) + 2];
        int number = 0;
        for (int stretch = 0; stretch < firstIn.length - 1; stretch++) {
            while (starts[number + 1] <= stretch << shift) {
                number++;
            }
            firstIn[stretch] = number;
        }
        firstIn[firstIn.length - 1] = buffers.length - 1;
        made = new CompositePart[buffers.length];
    }

    /** Returns the component with the byte at {@code index}, which must exist. */
    CompositePart at(int index) {
        int stretch = index >>> shift;
        int low = firstIn[stretch];
        int high = firstIn[stretch + 1];
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (starts[middle] <= index) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return part(low);
    }

    CompositePart after(CompositePart part) {
        return part(part.number + 1);
    }

    private CompositePart part(int number) {
        CompositePart part = made[number];
        if (part == null) {
            part = new CompositePart(buffers[number], number, starts[number], starts[number + 1]);
            made[number] = part;
        }
        return part;
    }
}
