package org.freshet.buffer;

/** A buffer that shows the bytes of another one. */
public interface WrappedChannelBuffer extends ChannelBuffer {
    /** The buffer whose bytes these are. Its indices are its own. */
    ChannelBuffer unwrap();
}
