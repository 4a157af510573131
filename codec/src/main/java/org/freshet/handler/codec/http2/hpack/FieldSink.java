package org.freshet.handler.codec.http2.hpack;

/** Receives the fields of a block, in order, on the decoding thread. Must not throw: the rest of the block would be lost. */
@FunctionalInterface
public interface FieldSink {
    /**
     * @param name as sent; Latin-1, unchecked
     * @param value as sent; Latin-1, unchecked
     * @param neverIndexed whether the sender asks every hop to keep the field out of its tables (RFC 7541 7.1.3)
     */
    void field(String name, String value, boolean neverIndexed);
}
