package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;

/** A Netty 4.2 buffer, little endian; in Netty 4.2, the method called decides. */
final class Netty4LittleAccess implements BufferAccess {
    private final ByteBuf buffer;

    Netty4LittleAccess(ByteBuf buffer) {
        this.buffer = buffer;
    }

    @Override
    public long getByte(int index) {
        return buffer.getByte(index);
    }

    @Override
    public long getShort(int index) {
        return buffer.getShortLE(index);
    }

    @Override
    public long getMedium(int index) {
        return buffer.getMediumLE(index);
    }

    @Override
    public long getInt(int index) {
        return buffer.getIntLE(index);
    }

    @Override
    public long getLong(int index) {
        return buffer.getLongLE(index);
    }

    @Override
    public void setByte(int index, long value) {
        buffer.setByte(index, (int) value);
    }

    @Override
    public void setShort(int index, long value) {
        buffer.setShortLE(index, (int) value);
    }

    @Override
    public void setMedium(int index, long value) {
        buffer.setMediumLE(index, (int) value);
    }

    @Override
    public void setInt(int index, long value) {
        buffer.setIntLE(index, (int) value);
    }

    @Override
    public void setLong(int index, long value) {
        buffer.setLongLE(index, value);
    }
}
