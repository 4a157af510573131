package org.freshet.handler.codec.spdy;

/**
 * A frame of SPDY/3.1, as decoded and encoded by {@link SpdyFrameCodec}. Frames are mutable and belong to one thread at a time.
 */
public interface SpdyFrame {}
