package org.freshet.microbench.buffer;

import org.jboss.netty.buffer.ChannelBuffer;

/** A Netty 3 buffer. */
final class Netty3Access implements BufferAccess {
    private final ChannelBuffer buffer;

    Netty3Access(ChannelBuffer buffer) {
        this.buffer = buffer;
    }

    @Override
    public long getByte(int index) {
        return buffer.getByte(index);
    }

    @Override
    public long getShort(int index) {
        return buffer.getShort(index);
    }

    @Override
    public long getMedium(int index) {
        return buffer.getMedium(index);
    }

    @Override
    public long getInt(int index) {
        return buffer.getInt(index);
    }

    @Override
    public long getLong(int index) {
        return buffer.getLong(index);
    }

    @Override
    public void setByte(int index, long value) {
        buffer.setByte(index, (int) value);
    }

    @Override
    public void setShort(int index, long value) {
        buffer.setShort(index, (int) value);
    }

    @Override
    public void setMedium(int index, long value) {
        buffer.setMedium(index, (int) value);
    }

    @Override
    public void setInt(int index, long value) {
        buffer.setInt(index, (int) value);
    }

    @Override
    public void setLong(int index, long value) {
        buffer.setLong(index, value);
    }
}
