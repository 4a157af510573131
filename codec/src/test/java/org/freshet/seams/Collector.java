package org.freshet.seams;

import java.io.ByteArrayOutputStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.codec.spdy.SpdyDataFrame;

/**
 * The reader of one connection: checks each message and records the marks. One thread at a time receives; any thread
 * may query.
 */
final class Collector extends SimpleChannelUpstreamHandler {
    private final int messageBytes;
    private final ByteArrayOutputStream[] marks = new ByteArrayOutputStream[Form.MAX_THREADS];

    /** Bytes before the first message. */
    private long headBytes;

    private byte mark;
    private int at;
    private volatile long receivedBytes;
    private volatile String damage;

    Collector(Form form, long headBytes) {
        this.messageBytes = form.bytes;
        this.headBytes = headBytes;
        for (int i = 0; i < marks.length; i++) {
            marks[i] = new ByteArrayOutputStream();
        }
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        Object message = e.getMessage();
        if (message instanceof ChannelBuffer buffer) {
            receive(buffer);
        } else if (message instanceof WebSocketFrame frame) {
            receive(frame.getBinaryData());
        } else if (message instanceof HttpChunk chunk) {
            receive(chunk.getContent());
        } else if (message instanceof SpdyDataFrame frame) {
            receive(frame.getData());
        }
    }

    /** The tests close connections in the middle; a failed comparison reports the details. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}

    void receive(ChannelBuffer buffer) {
        int count = buffer.readableBytes();
        int head = (int) Math.min(headBytes, count);
        headBytes -= head;
        buffer.skipBytes(head);
        while (buffer.readable()) {
            receive(buffer.readByte());
        }
        receivedBytes += count; // one thread at a time
    }

    private void receive(byte b) {
        if (at == 0) {
            mark = b;
            marks[Form.thread(b)].write(b);
        } else if (b != Form.at(mark, at) && damage == null) {
            damage = "byte " + at + " of message " + mark + " is " + b;
        }
        at = at + 1 == messageBytes ? 0 : at + 1;
    }

    /** Including the head. */
    long receivedBytes() {
        return receivedBytes;
    }

    /** Null if every byte was as expected. */
    String damage() {
        return damage;
    }

    /** The messages of one thread, in order. The caller has seen {@link #receivedBytes} reach the end. */
    byte[] marks(int thread) {
        return marks[thread].toByteArray();
    }
}
