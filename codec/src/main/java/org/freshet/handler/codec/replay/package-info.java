/**
 * Decoders that are written as if all bytes were there. Start with {@link
 * org.freshet.handler.codec.replay.ReplayingDecoder}.
 */
package org.freshet.handler.codec.replay;
