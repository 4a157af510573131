package org.freshet.testkit.simulation;

import org.freshet.buffer.ChannelBuffer;

/**
 * A byte pattern that encodes each byte's position, so that lost, duplicated and swapped bytes are noticed. Any thread.
 */
public final class Pattern {
    private Pattern() {}

    private static byte at(int index) {
        return (byte) (index * 0x9E3779B1 >>> 24);
    }

    /** Returns the bytes starting at a position. */
    public static byte[] bytes(int start, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = at(start + i);
        }
        return bytes;
    }

    /** Fails the simulation unless these are the bytes starting at a position; returns the next position. */
    public static int check(Simulation simulation, ChannelBuffer bytes, int start) {
        int index = start;
        for (int i = bytes.readerIndex(); i < bytes.writerIndex(); i++) {
            if (bytes.getByte(i) != at(index)) {
                simulation.fail("byte " + index + " of a stream differs from the byte written");
                break;
            }
            index++;
        }
        return start + bytes.readableBytes();
    }
}
