package org.freshet.channel;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.freshet.util.ExternalResourceReleasable;

public interface FileRegion extends ExternalResourceReleasable {
    long getPosition();

    long getCount();

    long transferTo(WritableByteChannel writableByteChannel, long value) throws IOException;
}
