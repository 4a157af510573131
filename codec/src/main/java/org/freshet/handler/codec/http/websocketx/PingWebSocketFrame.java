package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;

/** Asks the peer to answer with a {@link PongWebSocketFrame} of the same content: at most 125 bytes. */
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
