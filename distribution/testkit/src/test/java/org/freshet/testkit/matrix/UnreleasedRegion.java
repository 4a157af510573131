package org.freshet.testkit.matrix;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.freshet.channel.FileRegion;

/** Keeps the region it wraps from being released. */
final class UnreleasedRegion implements FileRegion {
    private final FileRegion region;

    UnreleasedRegion(FileRegion region) {
        this.region = region;
    }

    @Override
    public long getPosition() {
        return region.getPosition();
    }

    @Override
    public long getCount() {
        return region.getCount();
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
        return region.transferTo(target, position);
    }

    @Override
    public void releaseExternalResources() {}
}
