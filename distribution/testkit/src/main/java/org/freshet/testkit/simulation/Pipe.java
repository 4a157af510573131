package org.freshet.testkit.simulation;

import java.nio.ByteBuffer;

/**
 * One direction of a simulated connection: bytes that one end has sent are on the way until the network delivers them, and then wait to
 * be read. For the thread that holds the {@link Baton}.
 */
final class Pipe {
    /** Sent and not read: those that have arrived first. */
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
     * @param sendSpace bytes that may be under way
     * @param receiveSpace bytes that may have arrived
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

    /** Takes bytes; the caller has looked for room. */
    void send(ByteBuffer source, int count) {
        accepted += count;
        if (isReset) { // which the sender does not know yet
            source.position(source.position() + count);
            return;
        }
        int end = (start + arrived + underWay) % bytes.length;
        int first = Math.min(count, bytes.length - end);
        source.get(bytes, end, first);
        source.get(bytes, 0, count - first);
        underWay += count;
    }

    /** Bytes that the sender has got rid of so far. */
    long accepted() {
        return accepted;
    }

    void end() {
        isEnded = true;
    }

    boolean isEnded() {
        return isEnded;
    }

    /** Drops what is under way; the reader learns of it after what has arrived. */
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

    /** Delivers some bytes, or what comes after the last of them; returns how many, 0 for the end, -1 for a reset. */
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

    /** Whether there is something that its reader has not seen. */
    boolean isUnread() {
        return arrived > 0 || hasEndArrived && !isEndRead;
    }
}
