package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;

/** A binary message, or its first fragment. */
public class BinaryWebSocketFrame extends WebSocketFrame {
    /** Without content. */
    public BinaryWebSocketFrame() {}

    public BinaryWebSocketFrame(ChannelBuffer binaryData) {
        setBinaryData(binaryData);
    }

    /** @param rsv see {@link #getRsv()} */
    public BinaryWebSocketFrame(boolean finalFragment, int rsv, ChannelBuffer binaryData) {
        setFinalFragment(finalFragment);
        setRsv(rsv);
        setBinaryData(binaryData);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(data: " + content() + ')';
    }
}
