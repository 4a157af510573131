/**
 * Text. Put a {@link org.freshet.handler.codec.frame.LineBasedFrameDecoder} or another frame decoder before
 * {@link org.freshet.handler.codec.string.StringDecoder} on stream transports.
 */
package org.freshet.handler.codec.string;
