package org.freshet.handler.codec.http2;

/**
 * The part of a message in one batch. Lets handlers see progress before the whole message has left.
 *
 * @param next of the same batch; null for none
 */
record PartialWrite(Outgoing outgoing, int octets, PartialWrite next) {
    /** Adds what of a message was formatted last to what is in the batch before: null for nothing. */
    static PartialWrite add(PartialWrite before, Outgoing outgoing) {
        int octets = outgoing.takeUnreported();
        return before != null && before.outgoing == outgoing
                ? new PartialWrite(outgoing, before.octets + octets, before.next)
                : new PartialWrite(outgoing, octets, before);
    }

    void onSent() {
        outgoing.onPartSent(octets);
    }
}
