package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** A fragment of a message other than the first. Control frames may come between fragments. */
public class ContinuationWebSocketFrame extends WebSocketFrame {
    /** Without content. */
    public ContinuationWebSocketFrame() {}

    public ContinuationWebSocketFrame(ChannelBuffer binaryData) {
        setBinaryData(binaryData);
    }

    /** @param rsv see {@link #getRsv()} */
    public ContinuationWebSocketFrame(boolean finalFragment, int rsv, ChannelBuffer binaryData) {
        setFinalFragment(finalFragment);
        setRsv(rsv);
        setBinaryData(binaryData);
    }

    /** @param rsv see {@link #getRsv()} */
    public ContinuationWebSocketFrame(boolean finalFragment, int rsv, String text) {
        setFinalFragment(finalFragment);
        setRsv(rsv);
        setText(text);
    }

    /** Decodes the content. Only useful if this fragment of a text doesn't begin or end in the middle of a character. */
    public String getText() {
        return content().toString(UTF_8);
    }

    /** @param text null means empty */
    public void setText(String text) {
        setOwnContent(text == null ? ChannelBuffers.EMPTY_BUFFER : ChannelBuffers.wrappedBuffer(text.getBytes(UTF_8)));
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(data: " + content() + ')';
    }
}
