package org.freshet.internal.transport;

import java.net.InetAddress;
import org.freshet.internal.transport.AcceptCounts.Cause;

/**
 * Decides which connections a server takes. Any thread may call; none of the methods blocks.
 *
 * <pre>
 *   reserve() --&gt; accept --&gt; admit() --&gt; the connection --&gt; leave()
 *                   |           '--&gt; a cause: refused
 *                   '--&gt; none: cancelReservation()
 * </pre>
 */
public interface Admission {
    /** For {@link #reserve}: until there is room, of which {@link #whenRoom} tells. */
    long UNTIL_ROOM = Long.MAX_VALUE;

    /** Returns 0 if a connection may be accepted now, or else for how many nanoseconds none may. */
    long reserve();

    /** Nothing was accepted after {@link #reserve} returned 0. */
    void cancelReservation();

    /**
     * A connection was accepted after {@link #reserve} returned 0.
     *
     * @param peer null if it has no such address
     * @return why it is to be closed, not being counted then; null if it is admitted
     */
    Cause admit(InetAddress peer);

    /** As {@link #reserve} and {@link #admit} for a server whose connections cannot wait: those that would have to are refused. */
    Cause admitAtOnce(InetAddress peer);

    /** An admitted connection has ended, or was not set up at all. Once for each. */
    void leave(InetAddress peer);

    /** Runs a short action once, as soon as a connection may be accepted, on whichever thread makes room; perhaps for nothing. */
    void whenRoom(Runnable action);

    /** Whether nothing is accepted because somebody wants it so. */
    boolean isPaused();

    /** Whether a server without descriptors is to reset the connections that wait, rather than let them wait. */
    boolean keepsSpareDescriptor();

    /** So many connections were reset for want of descriptors. */
    void onShortage(int refused);
}
