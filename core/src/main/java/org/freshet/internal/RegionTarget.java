package org.freshet.internal;

import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Memory as the target of a file region. A region that knows its file reads into it directly: {@code FileChannel.transferTo} would read 8 KiB
 * at a time, and once more than fits. Other regions write to it as to any channel. For one thread.
 */
public interface RegionTarget extends WritableByteChannel {
    /** Returns the memory still to be filled, from its position to its limit; what is put there has been written. */
    ByteBuffer space();
}
