package org.freshet.channel;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.freshet.util.ExternalResourceReleasable;

/**
 * A part of a file. Where the transport can, it is written to a channel without passing through the program's memory.
 *
 * <p>A region has no cursor: the transport keeps track of how much it has sent. So you may write a region to several channels, as long as
 * it is not released before the last one is done. A handler that transforms bytes, above all TLS, cannot look into a region; write the file
 * in chunks there.
 */
public interface FileRegion extends ExternalResourceReleasable {
    /** Where the region begins, in bytes from the beginning of the file. */
    long getPosition();

    /** The length of the region in bytes. */
    long getCount();

    /**
     * Writes as much of the rest of the region as the target currently takes.
     *
     * @param position where to begin, in bytes from the beginning of the region, {@code 0..getCount()}
     * @return the bytes written; 0 if the target currently takes none or the position is the end of the region
     * @throws IOException if the target fails, or if the file ends before the region does
     */
    long transferTo(WritableByteChannel target, long position) throws IOException;
}
