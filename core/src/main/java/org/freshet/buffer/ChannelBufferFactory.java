package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

public interface ChannelBufferFactory {
    ChannelBuffer getBuffer(int value);

    ChannelBuffer getBuffer(ByteOrder byteOrder, int value);

    ChannelBuffer getBuffer(byte[] value, int value2, int value3);

    ChannelBuffer getBuffer(ByteOrder byteOrder, byte[] value, int value2, int value3);

    ChannelBuffer getBuffer(ByteBuffer byteBuffer);

    ByteOrder getDefaultOrder();
}
