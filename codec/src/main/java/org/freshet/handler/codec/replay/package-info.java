/**
 * Decoders written as if all bytes had arrived. Start with {@link org.freshet.handler.codec.replay.ReplayingDecoder}.
 */
package org.freshet.handler.codec.replay;
