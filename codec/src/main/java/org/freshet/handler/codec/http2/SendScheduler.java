package org.freshet.handler.codec.http2;

import java.util.ArrayDeque;

/**
 * Chooses the stream that sends the next DATA frame (RFC 9218). The most urgent goes first. Among equals, incremental streams
 * take turns, one frame each; of the others, the oldest sends everything it has. The two kinds alternate. Each step takes
 * constant time.
 *
 * <p>Contains streams that have content to send and a window for it. Belongs to its connection's thread.
 */
final class SendScheduler {
    private static final int URGENCIES = 8;

    /** Streams of one urgency. */
    private static final class Level {
        final ArrayDeque<Stream> inOrder = new ArrayDeque<>(4);
        final ArrayDeque<Stream> byTurns = new ArrayDeque<>(4);
        boolean wasInOrder;

        Stream poll() {
            boolean takesInOrder = byTurns.isEmpty() || !wasInOrder && !inOrder.isEmpty();
            wasInOrder = takesInOrder;
            return takesInOrder ? inOrder.poll() : byTurns.poll();
        }

        boolean isEmpty() {
            return inOrder.isEmpty() && byTurns.isEmpty();
        }
    }

    private final Level[] levels = new Level[URGENCIES];

    /** One bit per level that isn't empty. */
    private int filled;

    /** Adds a stream unless it is already contained. */
    void add(Stream stream) {
        put(stream, false);
    }

    /** Adds a stream that has sent a frame and has more: at the front, unless it takes turns. */
    void addAgain(Stream stream) {
        put(stream, true);
    }

    private void put(Stream stream, boolean isAgain) {
        if (stream.isScheduled) {
            return;
        }
        stream.isScheduled = true;
        Http2Priority priority = stream.priority();
        int urgency = priority.urgency();
        if (levels[urgency] == null) {
            levels[urgency] = new Level();
        }
        Level level = levels[urgency];
        filled |= 1 << urgency;
        if (priority.isIncremental()) {
            level.byTurns.addLast(stream);
        } else if (isAgain) {
            level.inOrder.addFirst(stream);
        } else {
            level.inOrder.addLast(stream);
        }
    }

    /** Removes a stream if it is contained. Call this before its priority changes. */
    void remove(Stream stream) {
        if (stream.isScheduled) {
            Http2Priority priority = stream.priority();
            int urgency = priority.urgency();
            Level level = levels[urgency];
            (priority.isIncremental() ? level.byTurns : level.inOrder).remove(stream);
            if (level.isEmpty()) {
                filled &= ~(1 << urgency);
            }
            stream.isScheduled = false;
        }
    }

    /** Removes and returns the stream that sends next, or null. */
    Stream poll() {
        if (filled == 0) {
            return null;
        }
        int urgency = Integer.numberOfTrailingZeros(filled);
        Level level = levels[urgency];
        Stream stream = level.poll();
        if (level.isEmpty()) {
            filled &= ~(1 << urgency);
        }
        stream.isScheduled = false;
        return stream;
    }
}
