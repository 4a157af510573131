package org.freshet.handler.codec.stomp;

import org.freshet.handler.codec.frame.CorruptedFrameException;

/**
 * One side's {@code heart-beat} header.
 *
 * @param sendMillis the shortest interval at which that side can send; 0 if it cannot send
 * @param expectMillis the interval at which it wants to receive; 0 if it does not want to
 */
record HeartBeat(long sendMillis, long expectMillis) {
    static final HeartBeat NONE = new HeartBeat(0, 0);

    /** @param header null if there is no header */
    static HeartBeat of(String header) throws CorruptedFrameException {
        if (header == null) {
            return NONE;
        }
        int comma = header.indexOf(',');
        long send = comma < 0 ? -1 : ContentLength.parse(header.substring(0, comma));
        long expect = comma < 0 ? -1 : ContentLength.parse(header.substring(comma + 1));
        if (send < 0 || expect < 0 || send > Integer.MAX_VALUE || expect > Integer.MAX_VALUE) {
            throw new CorruptedFrameException("heart-beat header is not two numbers of milliseconds");
        }
        return new HeartBeat(send, expect);
    }

    /** Returns the interval in milliseconds at which {@code sender}'s side will send; 0 for never. */
    static long agreed(HeartBeat sender, HeartBeat receiver) {
        boolean wanted = sender.sendMillis > 0 && receiver.expectMillis > 0;
        return wanted ? Math.max(sender.sendMillis, receiver.expectMillis) : 0;
    }

    @Override
    public String toString() {
        return sendMillis + "," + expectMillis;
    }
}
