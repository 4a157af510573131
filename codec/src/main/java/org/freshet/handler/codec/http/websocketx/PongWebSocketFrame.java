package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;

/** The answer to a {@link PingWebSocketFrame}, with the same content; without a ping, a sign of life. */
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
