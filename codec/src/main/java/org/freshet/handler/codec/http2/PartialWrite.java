package org.freshet.handler.codec.http2;

/**
 * The part of a message in one batch. Lets handlers see progress before the whole message is sent.
 *
 * @param next the next one of the same batch; null for none
 */
record PartialWrite(Outgoing outgoing, int octets, PartialWrite next) {
    /** Adds the part of a message that was just formatted to the batch's earlier parts {@code before}; null for no earlier part. */
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
