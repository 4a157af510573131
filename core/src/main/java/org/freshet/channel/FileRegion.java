package org.freshet.channel;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.freshet.util.ExternalResourceReleasable;

/**
 * A part of a file, written to a channel without passing through the program's memory where the transport can do so.
 *
 * <p>It has no cursor: the transport keeps count of what it has sent, so that a region may be written to several
 * channels, provided nobody releases it before the last one is done. A handler that transforms bytes, TLS above all,
 * cannot see into a region; write the file in chunks there.
 */
public interface FileRegion extends ExternalResourceReleasable {
    /** Where the region begins, in bytes from the beginning of the file. */
    long getPosition();

    /** The length of the region in bytes. */
    long getCount();

    /**
     * Writes as much of the rest of the region as the target takes now.
     *
     * @param position where to begin, in bytes from the beginning of the region, {@code 0..getCount()}
     * @return the bytes written; 0 if the target takes none now or the position is the end of the region
     * @throws IOException if the target fails, or if the file ends before the region does
     */
    long transferTo(WritableByteChannel target, long position) throws IOException;
}
