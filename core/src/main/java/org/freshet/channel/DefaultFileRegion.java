package org.freshet.channel;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import org.freshet.internal.RegionTarget;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** A part of an open {@link FileChannel}. Immutable except for the file itself; any thread may use it. */
public class DefaultFileRegion implements FileRegion {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(DefaultFileRegion.class);

    private final FileChannel file;

    /** In bytes from the beginning of the file. */
    private final long position;

    /** In bytes. */
    private final long count;

    private final boolean releaseAfterTransfer;

    /** Creates a region whose file the transport leaves open. */
    public DefaultFileRegion(FileChannel file, long position, long count) {
        this(file, position, count, false);
    }

    /**
     * Creates a region. It need not exist in the file before it is written.
     *
     * @param file open for reading
     * @param position where the region begins, in bytes, not negative
     * @param count its length in bytes, not negative
     * @param releaseAfterTransfer whether the transport closes the file once the region is written or has failed
     */
    public DefaultFileRegion(FileChannel file, long position, long count, boolean releaseAfterTransfer) {
        if (position < 0) {
            throw new IllegalArgumentException("position < 0: " + position);
        }
        if (count < 0) {
            throw new IllegalArgumentException("count < 0: " + count);
        }
        if (position > Long.MAX_VALUE - count) {
            throw new IllegalArgumentException("position + count > Long.MAX_VALUE: " + position + " + " + count);
        }
        this.file = Objects.requireNonNull(file, "file");
        this.position = position;
        this.count = count;
        this.releaseAfterTransfer = releaseAfterTransfer;
    }

    @Override
    public long getPosition() {
        return position;
    }

    @Override
    public long getCount() {
        return count;
    }

    /** Whether the transport closes the file once the region is written or has failed. */
    public boolean releaseAfterTransfer() {
        return releaseAfterTransfer;
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
        if (position < 0 || position > count) {
            throw new IllegalArgumentException("position not in 0.." + count + ": " + position);
        }
        if (position == count) {
            return 0;
        }
        long written = target instanceof RegionTarget memory
                ? read(memory.space(), position)
                : file.transferTo(this.position + position, count - position, target);
        if (written == 0) {
            refuseMissingBytes(this.position + position);
        }
        return written;
    }

    private long read(ByteBuffer space, long position) throws IOException {
        int limit = space.limit();
        space.limit((int) Math.min(limit, space.position() + count - position));
        try {
            return Math.max(0, file.read(space, this.position + position));
        } finally {
            space.limit(limit);
        }
    }

    /** Transferring 0 bytes means that the target is full or the file is too short. The latter would be retried forever. */
    private void refuseMissingBytes(long nextByte) throws IOException {
        long size = file.size();
        if (size <= nextByte) {
            throw new EOFException("the file ends before the region does: expected " + (position + count)
                    + " bytes, actual " + size + ", next to send " + nextByte);
        }
    }

    /** Closes the file; has no effect if it is closed. If that fails, the failure is logged. */
    @Override
    public void releaseExternalResources() {
        try {
            file.close();
        } catch (IOException e) {
            logger.warn("cannot close the file of a region", e);
        }
    }
}
