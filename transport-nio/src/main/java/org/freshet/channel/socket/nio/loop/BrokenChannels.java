package org.freshet.channel.socket.nio.loop;

/**
 * Channels still to be closed because handling their failure failed, for example when memory was exhausted. Loop only.
 *
 * <p>Nothing here allocates. The capacity is enough for the failures of one turn of a busy loop; beyond it the loop
 * closes all its channels.
 */
public final class BrokenChannels {
    private static final int CAPACITY = 256;

    private final LoopChannel[] channels = new LoopChannel[CAPACITY];
    private int count;
    private boolean hasOverflowed;

    void add(LoopChannel channel) {
        for (int i = 0; i < count; i++) {
            if (channels[i] == channel) {
                return;
            }
        }
        if (count < CAPACITY) {
            channels[count++] = channel;
        } else {
            hasOverflowed = true;
        }
    }

    boolean isEmpty() {
        return count == 0 && !hasOverflowed;
    }

    /**
     * Closes the channels. If one throws because memory is exhausted, it and those after it stay for the next call.
     *
     * @param closeAll closes every channel of the loop, and adds those that it cannot close
     */
    void close(Runnable closeAll) {
        while (count > 0) {
            closeLast();
        }
        if (hasOverflowed) {
            closeAll(closeAll);
        }
    }

    private void closeAll(Runnable closeAll) {
        boolean isDone = false;
        hasOverflowed = false; // may be set again by channels that fail to close
        try {
            closeAll.run();
            isDone = true;
        } finally {
            hasOverflowed |= !isDone;
        }
    }

    private void closeLast() {
        LoopChannel channel = channels[count - 1];
        boolean isTriedAgain = false;
        try {
            channel.onLoopStopping(); // may add others
        } catch (OutOfMemoryError e) {
            isTriedAgain = true;
            throw e;
        } finally {
            if (!isTriedAgain) {
                remove(channel);
            }
        }
    }

    private void remove(LoopChannel channel) {
        for (int i = 0; i < count; i++) {
            if (channels[i] == channel) {
                channels[i] = channels[--count];
                channels[count] = null;
                return;
            }
        }
    }
}
