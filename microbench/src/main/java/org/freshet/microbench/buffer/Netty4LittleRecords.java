package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;

/** A Netty 4.2 buffer, little endian. */
final class Netty4LittleRecords implements Records {
    private final ByteBuf buffer;

    Netty4LittleRecords(ByteBuf buffer) {
        this.buffer = buffer;
    }

    @Override
    public Object writeRecords(int count) {
        buffer.clear();
        for (int i = 0; i < count; i++) {
            buffer.writeByte(i);
            buffer.writeShortLE(i);
            buffer.writeMediumLE(i);
            buffer.writeIntLE(i);
            buffer.writeLongLE(i);
        }
        return buffer;
    }

    @Override
    public long readRecords(int count) {
        buffer.setIndex(0, count * BYTES);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += buffer.readByte();
            sum += buffer.readShortLE();
            sum += buffer.readMediumLE();
            sum += buffer.readIntLE();
            sum += buffer.readLongLE();
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
