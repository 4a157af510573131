/**
 * Codecs that make one message of each message. Extend {@link org.freshet.handler.codec.oneone.OneToOneDecoder} or
 * {@link org.freshet.handler.codec.oneone.OneToOneEncoder}; put a frame decoder before the former when the transport is a
 * stream.
 */
package org.freshet.handler.codec.oneone;
