/**
 * Runs handlers without a network, in a test or inside another handler.
 * {@link org.freshet.handler.codec.embedder.DecoderEmbedder} feeds upstream handlers,
 * {@link org.freshet.handler.codec.embedder.EncoderEmbedder} feeds downstream ones, and
 * {@link org.freshet.handler.codec.embedder.DecoderSplitChecker} proves that a decoder gives the same results however
 * its input is cut.
 */
package org.freshet.handler.codec.embedder;
