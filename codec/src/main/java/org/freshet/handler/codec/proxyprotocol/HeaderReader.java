package org.freshet.handler.codec.proxyprotocol;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.TooLongFrameException;

/**
 * Finds the end of a header and leaves it to the reader of its version. Each byte is checked as soon as it arrives, so
 * a peer that sends something else is refused on its first wrong byte. Stateless.
 */
final class HeaderReader {
    /** Maximum length of version 1, including the CRLF. */
    static final int MAX_LINE_BYTES = 107;

    /** The part of version 2 before the addresses. */
    static final int FIXED_BYTES = 16;

    /** Maximum length of version 2. */
    static final int MAX_BYTES = FIXED_BYTES + 0xffff;

    static final byte[] LINE_START = {'P', 'R', 'O', 'X', 'Y', ' '};
    static final byte[] SIGNATURE = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};

    private HeaderReader() {}

    /**
     * Returns the length of the header in bytes, or -1 if it is not known yet or the header is not complete. Consumes
     * nothing.
     *
     * @param in at least one readable byte
     */
    static int lengthOf(ChannelBuffer in, int maxBytes) throws CorruptedFrameException, TooLongFrameException {
        boolean isLine = isLine(in);
        byte[] start = isLine ? LINE_START : SIGNATURE;
        for (int i = 0; i < Math.min(start.length, in.readableBytes()); i++) {
            if (byteAt(in, i) != start[i]) {
                throw new CorruptedFrameException("not a PROXY protocol header");
            }
        }
        return isLine ? lengthOfLine(in) : lengthOfBlock(in, maxBytes);
    }

    /** Reads a complete header. */
    static ProxyProtocolHeader read(ChannelBuffer in, int length, ProxyProtocolSettings settings)
            throws CorruptedFrameException {
        ProxyProtocolHeader header =
                isLine(in) ? LineReader.read(in, length) : new BlockReader(in, length, settings).read();
        in.skipBytes(length);
        return header;
    }

    private static boolean isLine(ChannelBuffer in) {
        return byteAt(in, 0) == LINE_START[0];
    }

    private static int lengthOfLine(ChannelBuffer in) throws TooLongFrameException {
        int most = Math.min(in.readableBytes(), MAX_LINE_BYTES);
        for (int end = LINE_START.length + 2; end <= most; end++) {
            if (byteAt(in, end - 2) == '\r' && byteAt(in, end - 1) == '\n') {
                return end;
            }
        }
        if (most == MAX_LINE_BYTES) {
            throw new TooLongFrameException("PROXY protocol line > " + MAX_LINE_BYTES + " bytes");
        }
        return -1;
    }

    private static int lengthOfBlock(ChannelBuffer in, int maxBytes)
            throws CorruptedFrameException, TooLongFrameException {
        int readable = in.readableBytes();
        if (readable > BlockReader.VERSION_AND_COMMAND) {
            BlockReader.checkCommand(byteAt(in, BlockReader.VERSION_AND_COMMAND));
        }
        if (readable < FIXED_BYTES) {
            return -1;
        }
        int length = FIXED_BYTES + shortAt(in, BlockReader.LENGTH);
        if (length > maxBytes) {
            throw new TooLongFrameException("bytes of PROXY protocol header > " + maxBytes + ": " + length);
        }
        return readable < length ? -1 : length;
    }

    /** @param offset relative to the reader index */
    static int byteAt(ChannelBuffer in, int offset) {
        return in.getUnsignedByte(in.readerIndex() + offset);
    }

    /** Reads in network byte order, whatever the order of the buffer. */
    static int shortAt(ChannelBuffer in, int offset) {
        return byteAt(in, offset) << 8 | byteAt(in, offset + 1);
    }
}
