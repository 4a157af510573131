package org.freshet.handler.codec.spdy;

/** A frame of SPDY/3.1: what {@link SpdyFrameCodec} decodes and encodes. Frames are mutable and belong to one thread at a time. */
public interface SpdyFrame {}
