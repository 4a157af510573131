package org.freshet.handler.ssl;

import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * A failure before the engine has seen any of the peer's bytes, with the fatal alert to send. The alerts are those of the JDK's
 * own sockets; its engines would send an internal_error instead, or none.
 */
final class AlertException extends SSLException {
    private static final long serialVersionUID = 1L;

    /** Alert codes (RFC 8446, section 6.2). */
    static final int UNEXPECTED_MESSAGE = 10;

    static final int ILLEGAL_PARAMETER = 47;
    static final int DECODE_ERROR = 50;
    static final int INTERNAL_ERROR = 80;
    static final int UNRECOGNIZED_NAME = 112;

    private static final int FATAL = 2;

    private final int alert;

    AlertException(int alert, String message) {
        this(alert, message, null);
    }

    AlertException(int alert, String message, Throwable cause) {
        super(message, cause);
        this.alert = alert;
    }

    /** Rejects an empty first record: it costs its sender nothing, and no message is empty. */
    static AlertException ofEmptyRecord(int type) {
        return new AlertException(
                type == TlsRecords.ALERT ? ILLEGAL_PARAMETER : UNEXPECTED_MESSAGE,
                "record of 0 bytes, of type " + type);
    }

    /** The alert as an unencrypted record. */
    ChannelBuffer record() {
        return ChannelBuffers.wrappedBuffer(new byte[] {TlsRecords.ALERT, 3, 3, 0, 2, FATAL, (byte) alert});
    }
}
