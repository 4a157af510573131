package org.freshet.channel.socket.nio.send;

/** How much one flush has sent, added up by the sender and reported by the channel. Loop only. */
public final class FlushTotal {
    private long bytes;

    public void add(long sent) {
        bytes += sent;
    }

    public long bytes() {
        return bytes;
    }
}
