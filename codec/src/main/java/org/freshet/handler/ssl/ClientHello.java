package org.freshet.handler.ssl;

import java.net.IDN;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;

/**
 * The first message of a TLS client, assembled from any number of records of one byte or more. Looks at each byte once, however
 * the bytes arrive, and keeps no more than has arrived. Belongs to one thread.
 */
final class ClientHello {
    private static final int MESSAGE_HEADER_BYTES = 4;
    private static final int CLIENT_HELLO = 1;
    private static final int VERSION_AND_RANDOM_BYTES = 2 + 32;
    private static final int SERVER_NAME_EXTENSION = 0;
    private static final int HOST_NAME = 0;
    private static final int FIRST_CAPACITY = 512;

    /** The longest possible host name (RFC 1035, 2.3.4). */
    static final int MAX_NAME_BYTES = 255;

    private final int maxBytes;

    /** The message so far, including its header. */
    private byte[] message = new byte[FIRST_CAPACITY];

    private int size;

    /** Start of the next record, counted from the first byte received. */
    private int scanned;

    /** @param maxBytes the longest message to accept, header included */
    ClientHello(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Processes the records that are complete.
     *
     * @param received all bytes received so far, readable; they are not consumed
     * @return whether the message is complete
     * @throws SSLException if this is not a ClientHello, or one that is too long
     */
    boolean take(ChannelBuffer received) throws SSLException {
        while (!isComplete()) {
            int start = received.readerIndex() + scanned;
            int length = TlsRecords.length(received, start);
            if (length == TlsRecords.INCOMPLETE || received.writerIndex() - start < length) {
                return false;
            }
            takeRecord(received, start, length);
            scanned += length;
        }
        return true;
    }

    private void takeRecord(ChannelBuffer received, int start, int length) throws SSLException {
        int fragment = length - TlsRecords.HEADER_BYTES;
        int type = TlsRecords.type(received, start);
        if (fragment == 0) {
            throw AlertException.ofEmptyRecord(type);
        }
        if (type != TlsRecords.HANDSHAKE) {
            throw unexpected("expected a ClientHello, got a record of type " + type);
        }
        if (size + fragment > message.length) {
            message = Arrays.copyOf(message, Math.max(size + fragment, 2 * message.length));
        }
        received.getBytes(start + TlsRecords.HEADER_BYTES, message, size, fragment);
        size += fragment;
        checkHeader();
    }

    private void checkHeader() throws SSLException {
        if (message[0] != CLIENT_HELLO) {
            throw unexpected("expected a ClientHello, got a handshake message of type " + message[0]);
        }
        if (size >= MESSAGE_HEADER_BYTES && declaredBytes() > maxBytes) {
            throw unexpected("ClientHello of " + declaredBytes() + " bytes exceeds the limit of " + maxBytes);
        }
    }

    private static AlertException unexpected(String message) {
        return new AlertException(AlertException.UNEXPECTED_MESSAGE, message);
    }

    private int declaredBytes() {
        return MESSAGE_HEADER_BYTES + (message[1] & 0xFF) * 0x10000 + (message[2] & 0xFF) * 0x100 + (message[3] & 0xFF);
    }

    private boolean isComplete() {
        return size >= MESSAGE_HEADER_BYTES && size >= declaredBytes();
    }

    /**
     * The host name the client asks for, in lower case and ASCII; null if it sent none. Only for a complete message.
     *
     * @throws SSLException if the message is malformed
     */
    String serverName() throws SSLException {
        try {
            ByteBuffer in = ByteBuffer.wrap(message, MESSAGE_HEADER_BYTES, declaredBytes() - MESSAGE_HEADER_BYTES);
            skip(in, VERSION_AND_RANDOM_BYTES);
            skip(in, in.get() & 0xFF); // session id
            skip(in, in.getShort() & 0xFFFF); // cipher suites
            skip(in, in.get() & 0xFF); // compression methods
            ByteBuffer extensions = in.hasRemaining() ? part(in) : in;
            while (extensions.hasRemaining()) {
                int type = extensions.getShort() & 0xFFFF;
                ByteBuffer extension = part(extensions);
                if (type == SERVER_NAME_EXTENSION) {
                    return hostName(extension);
                }
            }
            return null;
        } catch (RuntimeException e) {
            throw new AlertException(AlertException.DECODE_ERROR, "malformed ClientHello", e);
        }
    }

    private static String hostName(ByteBuffer extension) throws AlertException {
        ByteBuffer names = part(extension);
        while (names.hasRemaining()) {
            int type = names.get();
            ByteBuffer name = part(names);
            if (type == HOST_NAME) {
                if (name.remaining() > MAX_NAME_BYTES) {
                    throw new AlertException(
                            AlertException.DECODE_ERROR,
                            "server name of " + name.remaining() + " bytes exceeds the limit of " + MAX_NAME_BYTES);
                }
                byte[] text = new byte[name.remaining()];
                name.get(text);
                return IDN.toASCII(new String(text, StandardCharsets.UTF_8), IDN.ALLOW_UNASSIGNED)
                        .toLowerCase(Locale.ROOT);
            }
        }
        return null;
    }

    /** Reads bytes whose length is in the next two bytes. */
    private static ByteBuffer part(ByteBuffer in) {
        int length = in.getShort() & 0xFFFF;
        int start = in.position();
        skip(in, length);
        return ByteBuffer.wrap(in.array(), start, length);
    }

    private static void skip(ByteBuffer in, int bytes) {
        in.position(in.position() + bytes);
    }
}
