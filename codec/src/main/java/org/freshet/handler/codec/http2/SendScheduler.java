package org.freshet.handler.codec.http2;

import java.util.ArrayDeque;

/**
 * Which stream sends the next frame DATA (RFC 9218): the most urgent; among equals those that are of use in pieces take turns,
 * a frame each, and of the others the oldest sends all it has; both kinds alternate. Each step takes constant time.
 *
 * <p>A stream is here while it has content to send and a window for it. Belongs to the thread of its connection.
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

    /** A bit for each level that is not empty. */
    private int filled;

    /** Adds a stream unless it is here already. */
    void add(Stream stream) {
        put(stream, false);
    }

    /** Adds a stream that has sent a frame and has more: at the front if it may send all it has. */
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

    /** Removes a stream, if it is here; to be called before its priority changes. */
    void remove(Stream stream) {
        if (stream.isScheduled) {
            int urgency = stream.priority().urgency();
            Level level = levels[urgency];
            if (!level.inOrder.remove(stream)) {
                level.byTurns.remove(stream);
            }
            if (level.isEmpty()) {
                filled &= ~(1 << urgency);
            }
            stream.isScheduled = false;
        }
    }

    /** Removes the stream whose frame is next; null if there is none. */
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
