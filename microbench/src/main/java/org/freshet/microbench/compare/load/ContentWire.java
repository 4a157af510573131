package org.freshet.microbench.compare.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/** Extracts the contents of HTTP answers, all of one length, and keeps their heads, whose dates may differ. */
final class ContentWire implements Wire {
    private static final int MAX_HEAD_BYTES = 4096;

    private final SocketChannel channel;
    private final long contentBytes;
    private final StringBuilder head = new StringBuilder();

    /** Bytes of the current answer's content still to come; 0 within a head. */
    private long remaining;

    ContentWire(SocketChannel channel, long contentBytes) {
        this.channel = channel;
        this.contentBytes = contentBytes;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int start = target.position();
        int count = channel.read(target);
        if (count <= 0) {
            return count;
        }
        int end = target.position();
        int kept = start;
        for (int at = start; at < end; ) {
            if (remaining == 0) {
                takeHead(target.get(at++));
                continue;
            }
            int length = (int) Math.min(end - at, remaining);
            if (at != kept) {
                target.put(kept, target, at, length);
            }
            kept += length;
            at += length;
            remaining -= length;
        }
        target.position(kept);
        return kept - start;
    }

    private void takeHead(byte next) throws IOException {
        head.append((char) (next & 0xff));
        if (next != '\n' || head.indexOf("\r\n\r\n") < 0) {
            if (head.length() > MAX_HEAD_BYTES) {
                throw new IOException("the head of an answer has no end: " + head);
            }
            return;
        }
        String received = head.toString();
        if (!received.startsWith("HTTP/1.1 200 OK\r\n")
                || !received.toLowerCase(Locale.ROOT).contains("\r\ncontent-length: " + contentBytes + "\r\n")) {
            throw new IOException("unexpected answer: " + received);
        }
        head.setLength(0);
        remaining = contentBytes;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return channel.write(source);
    }

    @Override
    public boolean flush() {
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
