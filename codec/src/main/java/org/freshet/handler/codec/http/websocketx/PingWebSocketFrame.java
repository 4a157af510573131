package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;

/** Asks the peer for a {@link PongWebSocketFrame} with the same content: at most 125 bytes. */
public class PingWebSocketFrame extends WebSocketFrame {
    /** Without content. */
    public PingWebSocketFrame() {}

    public PingWebSocketFrame(ChannelBuffer binaryData) {
        setBinaryData(binaryData);
    }

    /** @param rsv see {@link #getRsv()} */
    public PingWebSocketFrame(boolean finalFragment, int rsv, ChannelBuffer binaryData) {
        setFinalFragment(finalFragment);
        setRsv(rsv);
        setBinaryData(binaryData);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(data: " + content() + ')';
    }
}
