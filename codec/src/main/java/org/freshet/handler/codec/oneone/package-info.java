/**
 * Codecs that turn one message into one message. Extend {@link org.freshet.handler.codec.oneone.OneToOneDecoder} or
 * {@link org.freshet.handler.codec.oneone.OneToOneEncoder}. On a stream transport, put a frame decoder before the
 * decoder.
 */
package org.freshet.handler.codec.oneone;
