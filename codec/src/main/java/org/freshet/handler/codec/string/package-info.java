/**
 * Text codecs. On stream transports, put a {@link org.freshet.handler.codec.frame.LineBasedFrameDecoder} or another
 * frame decoder before {@link org.freshet.handler.codec.string.StringDecoder}.
 */
package org.freshet.handler.codec.string;
