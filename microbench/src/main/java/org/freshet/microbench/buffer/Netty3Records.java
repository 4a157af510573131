package org.freshet.microbench.buffer;

import org.jboss.netty.buffer.ChannelBuffer;

/** A Netty 3 buffer. */
final class Netty3Records implements Records {
    private final ChannelBuffer buffer;

    Netty3Records(ChannelBuffer buffer) {
        this.buffer = buffer;
    }

    @Override
    public Object writeRecords(int count) {
        buffer.clear();
        for (int i = 0; i < count; i++) {
            buffer.writeByte(i);
            buffer.writeShort(i);
            buffer.writeMedium(i);
            buffer.writeInt(i);
            buffer.writeLong(i);
        }
        return buffer;
    }

    @Override
    public long readRecords(int count) {
        buffer.setIndex(0, count * BYTES);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += buffer.readByte();
            sum += buffer.readShort();
            sum += buffer.readMedium();
            sum += buffer.readInt();
            sum += buffer.readLong();
        }
        return sum;
    }

    @Override
    public Object writeBytes(int count) {
        buffer.clear();
        for (int i = 0; i < count; i++) {
            buffer.writeByte(i);
        }
        return buffer;
    }

    @Override
    public long readBytes(int count) {
        buffer.setIndex(0, count);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += buffer.readByte();
        }
        return sum;
    }
}
