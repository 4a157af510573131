package org.freshet.handler.ssl;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * Reads the header of a TLS record. This is the only place that looks at a length declared by a peer. It allocates nothing; the
 * caller waits until that many bytes have arrived.
 *
 * <pre>
 *   TLS    | type (20..24) | version (3, x) | length (2) | fragment ...
 *   SSLv2  | 0x80 + length (2) | client-hello (1) | version (0, 2 or 3, x) | ...      only as the first record
 * </pre>
 */
final class TlsRecords {
    /** The bytes examined here. No header is shorter; with fewer bytes, nothing can be decided. */
    static final int HEADER_BYTES = 5;

    /** The result if the header is incomplete. */
    static final int INCOMPLETE = 0;

    /** The limit of TLS 1.2: 16 KiB of plaintext and its overhead. TLS 1.3 allows less. */
    static final int MAX_FRAGMENT_BYTES = 16 * 1024 + 2048;

    static final int ALERT = 21;
    static final int HANDSHAKE = 22;
    static final int APPLICATION_DATA = 23;

    private static final int FIRST_TYPE = 20;
    private static final int LAST_TYPE = 24;
    private static final int SSL2_CLIENT_HELLO = 1;
    private static final int MAX_SHOWN_BYTES = 16;
    private static final int MAX_SHOWN_CHARS = 8;

    /** How a request or a response begins that was meant for a port without TLS. */
    private static final Pattern PLAIN_HTTP = Pattern.compile("[A-Z]+ [/*].*|HTTP/.*");

    private TlsRecords() {}

    static int type(ChannelBuffer in, int index) {
        return in.getUnsignedByte(index);
    }

    /**
     * Returns the length of the record at {@code index}, header included, whether or not all of it has arrived.
     *
     * @return {@link #INCOMPLETE} if less than a header is readable from there
     * @throws NotSslRecordException if no record starts like this
     */
    static int length(ChannelBuffer in, int index) throws NotSslRecordException {
        if (in.writerIndex() - index < HEADER_BYTES) {
            return INCOMPLETE;
        }
        int type = type(in, index);
        int fragment = bigEndianShort(in, index + 3);
        if (type >= FIRST_TYPE && type <= LAST_TYPE && in.getByte(index + 1) == 3) {
            if (fragment > MAX_FRAGMENT_BYTES) {
                throw new NotSslRecordException("TLS record of " + fragment + " bytes exceeds the limit of "
                        + MAX_FRAGMENT_BYTES + ": " + start(in, index));
            }
            return HEADER_BYTES + fragment;
        }
        if (isSsl2ClientHello(in, index)) {
            return Math.max(HEADER_BYTES, 2 + (bigEndianShort(in, index) & 0x7FFF));
        }
        throw new NotSslRecordException("not a TLS record: " + start(in, index) + plainText(in, index));
    }

    /** Whether a record with content starts at the reader index. At least a header must be readable there. */
    static boolean startsRecord(ChannelBuffer in) {
        int start = in.readerIndex();
        try {
            return !isEmpty(in, start, length(in, start));
        } catch (NotSslRecordException plain) {
            return false;
        }
    }

    /** Whether a TLS record of that {@link #length} has no content. Even an empty message has an authentication tag. */
    static boolean isEmpty(ChannelBuffer in, int index, int length) {
        return length == HEADER_BYTES && type(in, index) <= LAST_TYPE;
    }

    private static boolean isSsl2ClientHello(ChannelBuffer in, int index) {
        int major = in.getByte(index + 3);
        return (in.getByte(index) & 0x80) != 0
                && in.getByte(index + 2) == SSL2_CLIENT_HELLO
                && (major == 3 || major == 0 && in.getByte(index + 4) == 2);
    }

    /** The wire format is big-endian, whatever the buffer's order. */
    private static int bigEndianShort(ChannelBuffer in, int index) {
        return in.getUnsignedByte(index) << 8 | in.getUnsignedByte(index + 1);
    }

    private static String start(ChannelBuffer in, int index) {
        return ChannelBuffers.hexDump(in, index, Math.min(MAX_SHOWN_BYTES, in.writerIndex() - index));
    }

    /** The first bytes as text, and a guess why they are there; empty if they are no text. */
    private static String plainText(ChannelBuffer in, int index) {
        String line = firstLine(in, index);
        if (line.isEmpty()) {
            return "";
        }
        String shown = line.length() <= MAX_SHOWN_CHARS ? line : line.substring(0, MAX_SHOWN_CHARS) + "...";
        return " (\"" + shown + "\")" + (PLAIN_HTTP.matcher(line).matches() ? ": plain HTTP on a TLS port?" : "");
    }

    /** The printable characters up to the first other one. */
    private static String firstLine(ChannelBuffer in, int index) {
        int end = Math.min(index + MAX_SHOWN_BYTES, in.writerIndex());
        int at = index;
        while (at < end && in.getByte(at) >= ' ' && in.getByte(at) < 0x7F) {
            at++;
        }
        return in.toString(index, at - index, StandardCharsets.US_ASCII);
    }
}
