package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** The end of a WebSocket connection, with a code and a reason or neither. Nothing may be sent after it. */
public class CloseWebSocketFrame extends WebSocketFrame {
    /** Without a code. */
    public CloseWebSocketFrame() {}

    /** @see #CloseWebSocketFrame(boolean, int, int, String) */
    public CloseWebSocketFrame(int statusCode, String reasonText) {
        this(true, 0, statusCode, reasonText);
    }

    /**
     * Without a code.
     *
     * @param rsv see {@link #getRsv()}
     */
    public CloseWebSocketFrame(boolean finalFragment, int rsv) {
        this(finalFragment, rsv, null);
    }

    /**
     * @param rsv see {@link #getRsv()}
     * @param statusCode one that may be sent (RFC 6455, section 7.4): 1000 to 1003, 1007 to 1014, or 3000 to 4999; or -1 for
     *     none, without a reason
     * @param reasonText at most 123 bytes in UTF-8; null is the same as an empty text
     * @throws IllegalArgumentException if the code may not be sent or the reason is too long
     */
    public CloseWebSocketFrame(boolean finalFragment, int rsv, int statusCode, String reasonText) {
        setFinalFragment(finalFragment);
        setRsv(rsv);
        byte[] reason = reasonText == null ? new byte[0] : reasonText.getBytes(UTF_8);
        if (statusCode != -1 || reason.length > 0) {
            setOwnContent(ChannelBuffers.wrappedBuffer(CloseBody.of(statusCode, reason)));
        }
    }

    /**
     * @param rsv see {@link #getRsv()}
     * @param binaryData empty, or a code of two bytes and a reason in UTF-8; not checked
     */
    public CloseWebSocketFrame(boolean finalFragment, int rsv, ChannelBuffer binaryData) {
        setFinalFragment(finalFragment);
        setRsv(rsv);
        setBinaryData(binaryData);
    }

    /** -1 if there is none. */
    public int getStatusCode() {
        ChannelBuffer body = content();
        return body.readableBytes() < CloseBody.CODE_BYTES ? -1 : CloseBody.code(body);
    }

    /** Never null; empty if there is none. */
    public String getReasonText() {
        ChannelBuffer body = content();
        int length = body.readableBytes() - CloseBody.CODE_BYTES;
        return length <= 0 ? "" : body.toString(body.readerIndex() + CloseBody.CODE_BYTES, length, UTF_8);
    }

    @Override
    public String toString() {
        int code = getStatusCode();
        String reason = getReasonText();
        String body = code == -1 ? "" : "(" + code + (reason.isEmpty() ? "" : " " + reason) + ')';
        return getClass().getSimpleName() + body;
    }
}
