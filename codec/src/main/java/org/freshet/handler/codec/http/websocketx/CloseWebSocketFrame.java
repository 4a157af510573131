package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** Ends a WebSocket connection, optionally with a code and a reason. Nothing may be sent after it. */
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
     * @param statusCode 1000 to 1003, 1007 to 1014, or 3000 to 4999 (RFC 6455, section 7.4); or -1 for no code and no reason
     * @param reasonText at most 123 bytes in UTF-8; null means empty
     * @throws IllegalArgumentException if the code must not be sent or the reason is too long
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
     * @param binaryData empty, or a two-byte code and a reason in UTF-8; not checked
     */
    public CloseWebSocketFrame(boolean finalFragment, int rsv, ChannelBuffer binaryData) {
        setFinalFragment(finalFragment);
        setRsv(rsv);
        setBinaryData(binaryData);
    }

    /** The code, or -1 if the frame has none. */
    public int getStatusCode() {
        ChannelBuffer body = content();
        return body.readableBytes() < CloseBody.CODE_BYTES ? -1 : CloseBody.code(body);
    }

    /** The reason, empty if the frame has none. Never null. */
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
