package org.freshet.buffer;

/** A view of another buffer's bytes. */
public interface WrappedChannelBuffer extends ChannelBuffer {
    /** Returns the buffer that owns the bytes. It has its own indices. */
    ChannelBuffer unwrap();
}
