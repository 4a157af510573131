package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;

/** Answers a {@link PingWebSocketFrame} with the same content. Sent without a ping, it is a sign of life. */
public class PongWebSocketFrame extends WebSocketFrame {
    /** Without content. */
    public PongWebSocketFrame() {}

    public PongWebSocketFrame(ChannelBuffer binaryData) {
        setBinaryData(binaryData);
    }

    /** @param rsv see {@link #getRsv()} */
    public PongWebSocketFrame(boolean finalFragment, int rsv, ChannelBuffer binaryData) {
        setFinalFragment(finalFragment);
        setRsv(rsv);
        setBinaryData(binaryData);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(data: " + content() + ')';
    }
}
