package org.freshet.channel.socket.nio.receive;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * Grows a socket's receive buffer while its reads show that a larger one would be filled, up to a ceiling. It never shrinks
 * it: the kernel keeps what it holds, and takes memory only for bytes that are there.
 *
 * <p>The sign looked for: a turn that reads about as much as the buffer can hold. The peer was then probably waiting for
 * room, and its message came in pieces that each cost a wake-up, a read and a decoder call. Twice in a row is taken for the
 * rule rather than for chance, and the buffer is doubled. So it ends at a few times the size of what comes at once.
 *
 * <p>Threading: made by any thread, then used by the channel's loop alone.
 */
public final class ReceiveBufferTuner {
    /**
     * The part of its size from which on a buffer counts as full. A sender stops well before the last byte fits, and a buffer
     * of a few times the usual message lets the next one come while one is read.
     */
    private static final int FULL_DIVISOR = 4;

    private static final int FULL_TURNS_TO_GROW = 2;

    private final int ceilingBytes;

    /** As the kernel reports it; 0 until asked. */
    private int sizeBytes;

    private int fullTurnsInARow;

    /** Whether the ceiling, or what the kernel grants, is reached. */
    private boolean finished;

    public ReceiveBufferTuner(int ceilingBytes) {
        this.ceilingBytes = ceilingBytes;
    }

    public int ceilingBytes() {
        return ceilingBytes;
    }

    /** Takes note of what one turn of the loop read from the socket. */
    public void onRead(SocketChannel socket, int bytes) throws IOException {
        if (finished) {
            return;
        }
        if (sizeBytes == 0) {
            sizeBytes = socket.getOption(StandardSocketOptions.SO_RCVBUF);
        }
        fullTurnsInARow = bytes >= sizeBytes / FULL_DIVISOR ? fullTurnsInARow + 1 : 0;
        if (fullTurnsInARow >= FULL_TURNS_TO_GROW) {
            fullTurnsInARow = 0;
            grow(socket);
        }
    }

    private void grow(SocketChannel socket) throws IOException {
        int wanted = (int) Math.min(2L * sizeBytes, ceilingBytes);
        if (wanted > sizeBytes) {
            socket.setOption(StandardSocketOptions.SO_RCVBUF, wanted);
        }
        int granted = socket.getOption(StandardSocketOptions.SO_RCVBUF);
        finished = granted <= sizeBytes || granted >= ceilingBytes;
        sizeBytes = granted;
    }
}
