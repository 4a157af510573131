package org.freshet.testkit.matrix;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.FileRegion;

/** A message that is sent as the region of a file, and that counts how often it is released. One thread at a time. */
final class CountedRegion implements FileRegion, Stage.Releasable {
    private final ChannelBuffer content;
    private int releases;

    CountedRegion(ChannelBuffer content) {
        this.content = content;
    }

    @Override
    public long getPosition() {
        return 0;
    }

    @Override
    public long getCount() {
        return content.readableBytes();
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
        int sent = (int) position;
        ByteBuffer left = content.toByteBuffer(content.readerIndex() + sent, content.readableBytes() - sent);
        return target.write(left);
    }

    @Override
    public void releaseExternalResources() {
        releases++;
    }

    @Override
    public int releases() {
        return releases;
    }

    @Override
    public String toString() {
        return "a region";
    }
}
