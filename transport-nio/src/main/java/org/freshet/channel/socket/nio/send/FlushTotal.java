package org.freshet.channel.socket.nio.send;

/** The bytes that one flush has sent and the system calls it took; added up by the sender. Loop only. */
public final class FlushTotal {
    private long bytes;
    private int sends;

    public void add(long sent) {
        bytes += sent;
        sends++;
    }

    public int sends() {
        return sends;
    }

    public long bytes() {
        return bytes;
    }
}
