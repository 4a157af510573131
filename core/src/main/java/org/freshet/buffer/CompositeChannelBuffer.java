package org.freshet.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * Presents several buffers as one, without a copy. The capacity is fixed.
 *
 * <p>An access first tries the component used last, then looks it up in a directory. A number that spans components is
 * assembled byte by byte.
 *
 * <p>Several threads may read by absolute index at the same time. Changing bytes or indices is for one thread only.
 */
public class CompositeChannelBuffer extends AbstractChannelBuffer {
    /** The initial {@link #lastUsed}: an empty component. */
    private static final CompositePart NOWHERE = new CompositePart(ChannelBuffers.EMPTY_BUFFER, 0, 0, 0);

    private final ByteOrder order;
    private final boolean gathering;
    /** Components in order, none of capacity 0. */
    private ChannelBuffer[] parts;
    /** Index of the first byte of each component, then the capacity. */
    private int[] starts;
    /** Created at the first access to a number, because many composites are only copied or sent. */
    private CompositeDirectory directory;
    /** The component used last. A racy cache: several readers may write it, and each checks it before use. */
    private CompositePart lastUsed;

    /**
     * Concatenates {@code buffers}, each with its whole capacity whatever its indices. All bytes are readable. Buffers
     * of capacity 0 are left out.
     *
     * @param gathering what {@link #useGathering()} returns: whether {@link #getBytes(int, GatheringByteChannel, int)}
     *     passes the components on separately instead of as one copy
     * @throws IllegalArgumentException if a component has another order, or the capacity would exceed 2 GiB
     */
    public CompositeChannelBuffer(ByteOrder endianness, List<ChannelBuffer> buffers, boolean gathering) {
        order = Objects.requireNonNull(endianness, "endianness");
        this.gathering = gathering;
        setParts(buffers instanceof RandomAccess ? buffers : new ArrayList<>(buffers));
        writerIndex(capacity());
    }

    private void setParts(List<ChannelBuffer> buffers) {
        int count = 0;
        for (int i = 0; i < buffers.size(); i++) {
            count += buffers.get(i).capacity() > 0 ? 1 : 0;
        }
        parts = new ChannelBuffer[count];
        starts = new int[count + 1];
        directory = null;
        lastUsed = NOWHERE;
        int part = 0;
        for (int i = 0; i < buffers.size(); i++) {
            ChannelBuffer buffer = buffers.get(i);
            if (buffer.capacity() > 0) {
                Concatenation.sameOrder(order, buffer.order());
                parts[part] = buffer;
                starts[part + 1] = Concatenation.lengthOf((long) starts[part] + buffer.capacity());
                part++;
            }
        }
    }

    /**
     * Returns whether {@link #getBytes(int, GatheringByteChannel, int)} passes the components on separately instead of
     * as one copy. Makes no difference to {@code Channel.write}: each transport copies the components into its own
     * direct memory, once.
     */
    public boolean useGathering() {
        return gathering;
    }

    /** Returns slices of the components that make up {@code length} bytes from {@code index}, none of them empty. */
    public List<ChannelBuffer> decompose(int index, int length) {
        Bounds.check(index, length, capacity());
        List<ChannelBuffer> slices = new ArrayList<>(parts.length);
        int end = index + length;
        for (int at = index, part = numberOf(index); at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            slices.add(parts[part].slice(at - starts[part], next - at));
            at = next;
        }
        return slices;
    }

    /** Returns the number of components. */
    public int numComponents() {
        return parts.length;
    }

    /**
     * Returns a component itself, neither copied nor sliced. It may have grown beyond the part visible in this buffer.
     *
     * @param number from 0 to {@link #numComponents()} - 1
     */
    public ChannelBuffer component(int number) {
        return parts[number];
    }

    /** Returns the component that holds the byte at {@code index}. */
    public ChannelBuffer getBuffer(int index) {
        return find(index, 1).buffer;
    }

    @Override
    public ChannelBufferFactory factory() {
        return HeapChannelBufferFactory.getInstance(order);
    }

    @Override
    public ByteOrder order() {
        return order;
    }

    @Override
    public boolean isDirect() {
        return false;
    }

    @Override
    public boolean hasArray() {
        return false;
    }

    /** Always throws: the bytes are not in one array. */
    @Override
    public byte[] array() {
        throw new UnsupportedOperationException("a composite buffer has no single array");
    }

    /** Always throws: the bytes are not in one array. */
    @Override
    public int arrayOffset() {
        throw new UnsupportedOperationException("a composite buffer has no single array");
    }

    @Override
    public int capacity() {
        return starts[parts.length];
    }

    @Override
    public byte getByte(int index) {
        return find(index, 1).getByte(index);
    }

    @Override
    public short getShort(int index) {
        CompositePart part = find(index, 2);
        return part.holds(index, 2) ? part.getShort(index) : (short) getAcross(part, index, 2);
    }

    @Override
    public int getUnsignedMedium(int index) {
        CompositePart part = find(index, 3);
        return part.holds(index, 3) ? part.getUnsignedMedium(index) : (int) getAcross(part, index, 3);
    }

    @Override
    public int getInt(int index) {
        CompositePart part = find(index, 4);
        return part.holds(index, 4) ? part.getInt(index) : (int) getAcross(part, index, 4);
    }

    @Override
    public long getLong(int index) {
        CompositePart part = find(index, 8);
        return part.holds(index, 8) ? part.getLong(index) : getAcross(part, index, 8);
    }

    /** Reads a number of {@code size} bytes that begins in {@code part} and ends in another. */
    private long getAcross(CompositePart part, int index, int size) {
        CompositePart current = part;
        long number = 0;
        for (int i = 0; i < size; i++) {
            if (index + i == current.end) {
                current = directory().after(current);
            }
            long bits = current.getByte(index + i) & 0xff;
            number = bigEndian() ? number << Byte.SIZE | bits : number | bits << i * Byte.SIZE;
        }
        return number;
    }

    @Override
    public void getBytes(int index, byte[] dst, int dstIndex, int length) {
        Bounds.check(index, length, capacity());
        Bounds.check(dstIndex, length, dst.length);
        int end = index + length;
        for (int at = index, part = numberOf(index); at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            parts[part].getBytes(at - starts[part], dst, dstIndex + at - index, next - at);
            at = next;
        }
    }

    @Override
    public void getBytes(int index, ByteBuffer dst) {
        Bounds.checkPosition(index, capacity());
        int length = Math.min(capacity() - index, dst.remaining());
        int end = index + length;
        for (int at = index, part = numberOf(index); at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            copyTo(parts[part], at - starts[part], next - at, dst);
            at = next;
        }
    }

    /** Copies {@code size} bytes of a component. If it has grown, the rest is not part of this buffer. */
    private static void copyTo(ChannelBuffer part, int index, int size, ByteBuffer dst) {
        int limit = dst.limit();
        dst.limit(dst.position() + size);
        try {
            part.getBytes(index, dst);
        } finally {
            dst.limit(limit);
        }
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int dstIndex, int length) {
        Bounds.check(index, length, capacity());
        Bounds.check(dstIndex, length, dst.capacity());
        if (isComposite(dst)) { // it may share components with this one: a piece could overwrite bytes not copied yet
            dst.setBytes(dstIndex, copy(index, length), 0, length);
            return;
        }
        int end = index + length;
        for (int at = index, part = numberOf(index); at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            parts[part].getBytes(at - starts[part], dst, dstIndex + at - index, next - at);
            at = next;
        }
    }

    @Override
    public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
        if (gathering) {
            return (int) out.write(toByteBuffers(index, length));
        }
        return out.write(toByteBuffer(index, length));
    }

    @Override
    public void getBytes(int index, OutputStream out, int length) throws IOException {
        Bounds.check(index, length, capacity());
        int end = index + length;
        for (int at = index, part = numberOf(index); at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            parts[part].getBytes(at - starts[part], out, next - at);
            at = next;
        }
    }

    /** Same as {@link ByteComparison#mismatch}, component by component. */
    int mismatch(int index, ChannelBuffer other, int otherIndex, int length) {
        int end = index + length;
        for (int at = index, part = numberOf(index); at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            int done = at - index;
            int found = ByteComparison.mismatch(parts[part], at - starts[part], other, otherIndex + done, next - at);
            if (found >= 0) {
                return done + found;
            }
            at = next;
        }
        return -1;
    }

    @Override
    public void setByte(int index, int value) {
        find(index, 1).setByte(index, value);
    }

    @Override
    public void setShort(int index, int value) {
        CompositePart part = find(index, 2);
        if (part.holds(index, 2)) {
            part.setShort(index, value);
        } else {
            setAcross(part, index, 2, value);
        }
    }

    @Override
    public void setMedium(int index, int value) {
        CompositePart part = find(index, 3);
        if (part.holds(index, 3)) {
            part.setMedium(index, value);
        } else {
            setAcross(part, index, 3, value);
        }
    }

    @Override
    public void setInt(int index, int value) {
        CompositePart part = find(index, 4);
        if (part.holds(index, 4)) {
            part.setInt(index, value);
        } else {
            setAcross(part, index, 4, value);
        }
    }

    @Override
    public void setLong(int index, long value) {
        CompositePart part = find(index, 8);
        if (part.holds(index, 8)) {
            part.setLong(index, value);
        } else {
            setAcross(part, index, 8, value);
        }
    }

    /** Writes a number of {@code size} bytes that begins in {@code part} and ends in another. */
    private void setAcross(CompositePart part, int index, int size, long value) {
        CompositePart current = part;
        for (int i = 0; i < size; i++) {
            if (index + i == current.end) {
                current = directory().after(current);
            }
            int distance = bigEndian() ? size - 1 - i : i;
            current.setByte(index + i, (int) (value >>> distance * Byte.SIZE));
        }
    }

    @Override
    public void setBytes(int index, byte[] src, int srcIndex, int length) {
        Bounds.check(index, length, capacity());
        Bounds.check(srcIndex, length, src.length);
        int end = index + length;
        for (int at = index, part = numberOf(index); at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            parts[part].setBytes(at - starts[part], src, srcIndex + at - index, next - at);
            at = next;
        }
    }

    @Override
    public void setBytes(int index, ByteBuffer src) {
        int length = src.remaining();
        Bounds.check(index, length, capacity());
        int end = index + length;
        for (int at = index, part = numberOf(index); at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            fillFrom(src, next - at, parts[part], at - starts[part]);
            at = next;
        }
    }

    /** Copies the next {@code size} bytes of {@code src} into a component. */
    private static void fillFrom(ByteBuffer src, int size, ChannelBuffer part, int index) {
        if (part.hasArray()) {
            src.get(part.array(), part.arrayOffset() + index, size);
        } else {
            part.setBytes(index, src.slice(src.position(), size));
            src.position(src.position() + size);
        }
    }

    @Override
    public void setBytes(int index, ChannelBuffer src, int srcIndex, int length) {
        Bounds.check(index, length, capacity());
        Bounds.check(srcIndex, length, src.capacity());
        if (isComposite(src)) { // it may share components with this one: a piece could overwrite bytes not copied yet
            byte[] bytes = new byte[length];
            src.getBytes(srcIndex, bytes);
            setBytes(index, bytes);
            return;
        }
        int end = index + length;
        for (int at = index, part = numberOf(index); at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            parts[part].setBytes(at - starts[part], src, srcIndex + at - index, next - at);
            at = next;
        }
    }

    @Override
    public int setBytes(int index, InputStream in, int length) throws IOException {
        return fill(index, length, (part, from, size) -> part.setBytes(from, in, size));
    }

    @Override
    public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
        return fill(index, length, (part, from, size) -> part.setBytes(from, in, size));
    }

    @Override
    public ChannelBuffer duplicate() {
        ChannelBuffer duplicate = new CompositeChannelBuffer(order, pieces(0, 0, capacity()), gathering);
        duplicate.setIndex(readerIndex(), writerIndex());
        return duplicate;
    }

    @Override
    public ChannelBuffer copy(int index, int length) {
        Bounds.check(index, length, capacity());
        byte[] bytes = new byte[length];
        getBytes(index, bytes);
        return ChannelBuffers.wrappedBuffer(order, bytes);
    }

    @Override
    public ChannelBuffer slice(int index, int length) {
        Bounds.check(index, length, capacity());
        if (length == 0) {
            return ChannelBuffers.EMPTY_BUFFER;
        }
        int first = numberOf(index);
        if (index + length <= starts[first + 1]) {
            return parts[first].slice(index - starts[first], length);
        }
        return new CompositeChannelBuffer(order, pieces(first, index, index + length), gathering);
    }

    /** Like {@link #decompose}, but a component needed as a whole is not sliced: its indices do not matter here. */
    private List<ChannelBuffer> pieces(int first, int index, int end) {
        List<ChannelBuffer> pieces = new ArrayList<>(parts.length - first);
        int part = first;
        for (int at = index; at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            boolean whole = next - at == parts[part].capacity();
            pieces.add(whole ? parts[part] : parts[part].slice(at - starts[part], next - at));
            at = next;
        }
        return pieces;
    }

    /** Shares the bytes if they are in one component, otherwise merges them into a copy. */
    @Override
    public ByteBuffer toByteBuffer(int index, int length) {
        ByteBuffer[] pieces = toByteBuffers(index, length);
        if (pieces.length == 1) {
            return pieces[0];
        }
        ByteBuffer merged = ByteBuffer.allocate(length).order(order);
        for (ByteBuffer piece : pieces) {
            merged.put(piece);
        }
        return merged.flip();
    }

    /** Shares the bytes: one ByteBuffer for each component in the range, and an empty array for a length of 0. */
    @Override
    public ByteBuffer[] toByteBuffers(int index, int length) {
        Bounds.check(index, length, capacity());
        List<ByteBuffer> pieces = new ArrayList<>(parts.length);
        int end = index + length;
        for (int at = index, part = numberOf(index); at < end; part++) {
            int next = Math.min(end, starts[part + 1]);
            addPieces(pieces, parts[part], at - starts[part], next - at);
            at = next;
        }
        return pieces.toArray(new ByteBuffer[0]);
    }

    private static void addPieces(List<ByteBuffer> pieces, ChannelBuffer part, int from, int size) {
        if (isComposite(part)) {
            Collections.addAll(pieces, part.toByteBuffers(from, size));
        } else {
            pieces.add(part.toByteBuffer(from, size));
        }
    }

    /** Drops fully read components and appends new memory to keep the capacity. No byte moves. */
    @Override
    public void discardReadBytes() {
        int read = readerIndex();
        if (read > 0) {
            List<ChannelBuffer> remaining = decompose(read, capacity() - read);
            remaining.add(ChannelBuffers.buffer(order, read));
            setParts(remaining);
            shiftIndices(read);
        }
    }

    @Override
    public String toString() {
        String indices = super.toString();
        return indices.substring(0, indices.length() - 1) + ", components=" + parts.length + ')';
    }

    /** Returns whether the bytes belong to a composite, under any number of views. */
    private static boolean isComposite(ChannelBuffer buffer) {
        if (buffer.hasArray()) {
            return false;
        }
        ChannelBuffer innermost = buffer;
        while (innermost instanceof WrappedChannelBuffer view) {
            innermost = view.unwrap();
        }
        return innermost instanceof CompositeChannelBuffer;
    }

    private boolean bigEndian() {
        return order == ByteOrder.BIG_ENDIAN;
    }

    /**
     * Returns the component with the byte at {@code index}, after checking that {@code size > 0} bytes from there
     * exist.
     */
    private CompositePart find(int index, int size) {
        CompositePart guess = lastUsed;
        return guess.holds(index, size) ? guess : search(index, size);
    }

    private CompositePart search(int index, int size) {
        Bounds.check(index, size, capacity());
        CompositePart part = lastUsed;
        if (!part.holds(index, 1)) {
            part = directory().at(index);
            lastUsed = part;
        }
        return part;
    }

    private CompositeDirectory directory() {
        CompositeDirectory known = directory;
        if (known == null) {
            known = new CompositeDirectory(parts, starts);
            directory = known;
        }
        return known;
    }

    /** Returns the number of the component with the byte at {@code index}; meaningless if there is no such byte. */
    private int numberOf(int index) {
        int found = Arrays.binarySearch(starts, 0, parts.length, index);
        return found >= 0 ? found : -found - 2;
    }

    private interface Filler {
        /**
         * Fills {@code size} bytes of a component from {@code from} and returns how many were read, or -1 at the end.
         */
        int fill(ChannelBuffer part, int from, int size) throws IOException;
    }

    /** Fills component after component until one gets less than it asked for. */
    private int fill(int index, int length, Filler filler) throws IOException {
        Bounds.check(index, length, capacity());
        if (length == 0) {
            return filler.fill(ChannelBuffers.EMPTY_BUFFER, 0, 0);
        }
        int done = 0;
        int part = numberOf(index);
        while (done < length) {
            int from = index + done - starts[part];
            int size = Math.min(length - done, starts[part + 1] - starts[part] - from);
            int got = filler.fill(parts[part], from, size);
            if (got < size) {
                return done == 0 ? got : done + Math.max(got, 0);
            }
            done += size;
            part++;
        }
        return done;
    }
}
