package org.freshet.testkit.simulation;

import java.nio.ByteBuffer;

/**
 * One direction of a simulated connection. Sent bytes are in transit until the network delivers them, and then wait to
 * be read. For the thread that holds the {@link Baton}.
 */
final class Pipe {
    /** Sent but not read: first those that have arrived, then those in transit. */
    private final byte[] bytes;

    private final int sendSpace;
    private final int receiveSpace;
    private int start;
    private int arrived;
    private int underWay;
    private long accepted;

    private boolean isEnded;
    private boolean hasEndArrived;
    private boolean isEndRead;
    private boolean isReset;
    private boolean hasResetArrived;

    /**
     * @param sendSpace maximum number of bytes in transit
     * @param receiveSpace maximum number of bytes that have arrived
     */
    Pipe(int sendSpace, int receiveSpace) {
        this.sendSpace = sendSpace;
        this.receiveSpace = receiveSpace;
        bytes = new byte[sendSpace + receiveSpace];
    }

    // ---- the sender -------------------------------------------------------------------------------------------------

    int room() {
        return sendSpace - underWay;
    }

    /** Takes bytes; the caller has checked that there is room. */
    void send(ByteBuffer source, int count) {
        accepted += count;
        if (isReset) { // the sender does not know yet
            source.position(source.position() + count);
            return;
        }
        int end = (start + arrived + underWay) % bytes.length;
        int first = Math.min(count, bytes.length - end);
        source.get(bytes, end, first);
        source.get(bytes, 0, count - first);
        underWay += count;
    }

    /** Returns the total number of bytes accepted from the sender. */
    long accepted() {
        return accepted;
    }

    void end() {
        isEnded = true;
    }

    boolean isEnded() {
        return isEnded;
    }

    /** Drops the bytes in transit. The reader sees the reset after the bytes that have arrived. */
    void reset() {
        isReset = true;
        underWay = 0;
    }

    // ---- the network ------------------------------------------------------------------------------------------------

    boolean canDeliver() {
        if (underWay > 0) {
            return arrived < receiveSpace;
        }
        return isReset ? !hasResetArrived : isEnded && !hasEndArrived;
    }

    /**
     * Delivers some bytes, or the event after the last of them. Returns the number of bytes, 0 for the end, -1 for a
     * reset.
     */
    int deliver(Draw draw) {
        if (underWay > 0) {
            int most = Math.min(underWay, receiveSpace - arrived);
            int count = draw.oneIn(4) ? draw.between(1, most) : most;
            arrived += count;
            underWay -= count;
            return count;
        }
        if (isReset) {
            hasResetArrived = true;
            return -1;
        }
        hasEndArrived = true;
        return 0;
    }

    // ---- the reader -------------------------------------------------------------------------------------------------

    int arrived() {
        return arrived;
    }

    void read(ByteBuffer target, int count) {
        int first = Math.min(count, bytes.length - start);
        target.put(bytes, start, first);
        target.put(bytes, 0, count - first);
        start = (start + count) % bytes.length;
        arrived -= count;
    }

    boolean isAtEnd() {
        return arrived == 0 && hasEndArrived;
    }

    boolean hasResetArrived() {
        return hasResetArrived;
    }

    boolean isReadable() {
        return arrived > 0 || hasEndArrived || hasResetArrived;
    }

    void onEndRead() {
        isEndRead = true;
    }

    /** Returns whether there is something that the reader has not seen. */
    boolean isUnread() {
        return arrived > 0 || hasEndArrived && !isEndRead;
    }
}
