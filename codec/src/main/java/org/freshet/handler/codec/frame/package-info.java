/**
 * Frame decoders: turn a stream of bytes, cut anywhere, into whole messages. Extend
 * {@link org.freshet.handler.codec.frame.FrameDecoder} for your own protocol. The other decoders cover the usual
 * framings: a length before the message, a delimiter after it, or a fixed size.
 */
package org.freshet.handler.codec.frame;
