package org.freshet.testkit.simulation;

import org.freshet.buffer.ChannelBuffer;

/** Bytes of which each tells its place, so that lost, doubled and exchanged ones are noticed. Any thread. */
public final class Pattern {
    private Pattern() {}

    private static byte at(int index) {
        return (byte) (index * 0x9E3779B1 >>> 24);
    }

    /** The bytes from a place on. */
    public static byte[] bytes(int start, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = at(start + i);
        }
        return bytes;
    }

    /** Fails the simulation unless these are the bytes from a place on; returns the next place. */
    public static int check(Simulation simulation, ChannelBuffer bytes, int start) {
        int index = start;
        for (int i = bytes.readerIndex(); i < bytes.writerIndex(); i++) {
            if (bytes.getByte(i) != at(index)) {
                simulation.fail("byte " + index + " of a stream is another than the one that was written");
                break;
            }
            index++;
        }
        return start + bytes.readableBytes();
    }
}
