package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** A text message, or its first fragment. A fragment may end in the middle of a character. */
public class TextWebSocketFrame extends WebSocketFrame {
    /** Without content. */
    public TextWebSocketFrame() {}

    /** @param text null means empty */
    public TextWebSocketFrame(String text) {
        setText(text);
    }

    /** @param binaryData UTF-8; not checked */
    public TextWebSocketFrame(ChannelBuffer binaryData) {
        setBinaryData(binaryData);
    }

    /** @param rsv see {@link #getRsv()} */
    public TextWebSocketFrame(boolean finalFragment, int rsv, String text) {
        setFinalFragment(finalFragment);
        setRsv(rsv);
        setText(text);
    }

    /**
     * @param rsv see {@link #getRsv()}
     * @param binaryData UTF-8; not checked
     */
    public TextWebSocketFrame(boolean finalFragment, int rsv, ChannelBuffer binaryData) {
        setFinalFragment(finalFragment);
        setRsv(rsv);
        setBinaryData(binaryData);
    }

    /** Decodes the content. */
    public String getText() {
        return content().toString(UTF_8);
    }

    /** @param text null means empty */
    public void setText(String text) {
        setOwnContent(text == null ? ChannelBuffers.EMPTY_BUFFER : ChannelBuffers.wrappedBuffer(text.getBytes(UTF_8)));
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(text: " + getText() + ')';
    }
}
