package org.freshet.channel.socket.nio.send;

/** How much one flush has sent, and in how many system calls; added up by the sender. Loop only. */
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
