/**
 * Frame decoders: from a stream of bytes, cut anywhere, to whole messages. {@link
 * org.freshet.handler.codec.frame.FrameDecoder} is the base to extend; the others cover the usual ways of marking where a
 * message ends: a length before it, a delimiter after it, or a fixed size.
 */
package org.freshet.handler.codec.frame;
