package org.freshet.handler.codec.spdy;

/** SYN_REPLY: accepts a stream, with the headers of the answer. */
public interface SpdySynReplyFrame extends SpdyHeadersFrame {}
