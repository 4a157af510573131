package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;

/** The content of a close frame: empty, or a code and a reason. Stateless. */
final class CloseBody {
    static final int CODE_BYTES = 2;

    static final int NORMAL = 1000;
    static final int GOING_AWAY = 1001;
    static final int PROTOCOL_ERROR = 1002;
    static final int NOT_UTF_8 = 1007;
    static final int TOO_LONG = 1009;

    private CloseBody() {}

    /** @throws IllegalArgumentException if the code must not be sent or the reason is too long */
    static byte[] of(int code, byte[] reason) {
        if (!maySend(code)) {
            throw new IllegalArgumentException("close code that must not be sent: " + code);
        }
        if (reason.length > FrameHead.MAX_CONTROL_BYTES - CODE_BYTES) {
            throw new IllegalArgumentException("close reason exceeds 123 bytes: " + reason.length);
        }
        byte[] body = new byte[CODE_BYTES + reason.length];
        body[0] = (byte) (code >>> 8);
        body[1] = (byte) code;
        System.arraycopy(reason, 0, body, CODE_BYTES, reason.length);
        return body;
    }

    /** The code of a body that has one. */
    static int code(ChannelBuffer body) {
        int at = body.readerIndex();
        return body.getUnsignedByte(at) << 8 | body.getUnsignedByte(at + 1);
    }

    /** Accepts the defined codes, except the ones only an application sees, and the ranges for libraries and applications. */
    static boolean maySend(int code) {
        return code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006
                || code >= 3000 && code <= 4999;
    }
}
