package org.freshet.handler.codec.http2.hpack;

/** Takes the fields of a block, in order, on the thread that decodes. Must not throw: the rest of the block would be lost. */
@FunctionalInterface
public interface FieldSink {
    /**
     * @param name as it was sent; Latin-1, unchecked
     * @param value as it was sent; Latin-1, unchecked
     * @param neverIndexed whether the sender asks that nobody on the way ever puts the field into a table (RFC 7541 7.1.3)
     */
    void field(String name, String value, boolean neverIndexed);
}
