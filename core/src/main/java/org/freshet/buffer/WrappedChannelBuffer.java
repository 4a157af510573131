package org.freshet.buffer;

public interface WrappedChannelBuffer extends ChannelBuffer {
    ChannelBuffer unwrap();
}
