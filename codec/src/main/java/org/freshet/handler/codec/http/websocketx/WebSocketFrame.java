package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeldSize;

/**
 * A frame of a WebSocket connection: a message, a fragment of one, or a control frame.
 *
 * <p>You may write one frame to any number of channels, even at the same time: encoders don't modify it. The encoded form is
 * kept and reused for the next channel if nothing but the frame refers to its content. That is so for a frame that was made
 * from a string or received, as long as {@link #getBinaryData()} has not been called. So text written to a
 * {@link org.freshet.channel.group.ChannelGroup} is encoded, and compressed, once. Call {@link #share()} to get the same for a
 * buffer of your own.
 *
 * <p>Not thread-safe while it is being modified.
 */
@SuppressWarnings("exports") // HeldSize is internal to Freshet's modules
public abstract class WebSocketFrame implements HeldSize {
    private boolean finalFragment = true;
    private int rsv;
    private ChannelBuffer binaryData = ChannelBuffers.EMPTY_BUFFER;

    /** Whether only this frame refers to the content. */
    private boolean contentOwned;

    private boolean compressible = true;

    /** Whether the application has promised not to change anything. */
    private boolean shared;

    /** Encoded forms of this frame. Any thread may write this; an entry lost to a race is encoded again. */
    private EncodedFrame encoded;

    public WebSocketFrame() {}

    /** The content; never null. For a text frame, it is UTF-8. Encoders don't change its indexes. */
    public ChannelBuffer getBinaryData() {
        if (binaryData != ChannelBuffers.EMPTY_BUFFER) {
            contentOwned = false;
        }
        return binaryData;
    }

    /** @param binaryData null means empty */
    public void setBinaryData(ChannelBuffer binaryData) {
        this.binaryData = binaryData == null ? ChannelBuffers.EMPTY_BUFFER : binaryData;
        contentOwned = this.binaryData == ChannelBuffers.EMPTY_BUFFER;
        encoded = null;
    }

    /** Whether this is the last or the only frame of its message. Default: true. */
    public boolean isFinalFragment() {
        return finalFragment;
    }

    public void setFinalFragment(boolean finalFragment) {
        this.finalFragment = finalFragment;
        encoded = null;
    }

    /** The three reserved bits, which belong to extensions: RSV1 is 4, RSV2 is 2, RSV3 is 1. */
    public int getRsv() {
        return rsv;
    }

    /** @param rsv 0 to 7 */
    public void setRsv(int rsv) {
        if (rsv < 0 || rsv > 7) {
            throw new IllegalArgumentException("rsv < 0 or > 7: " + rsv);
        }
        this.rsv = rsv;
        encoded = null;
    }

    /**
     * Promises that neither this frame nor its buffer's content will change any more. Encoders may then reuse the encoded form
     * for other channels.
     *
     * @return this frame
     */
    public WebSocketFrame share() {
        shared = true;
        return this;
    }

    /** See {@link #setCompressible}. */
    public boolean isCompressible() {
        return compressible;
    }

    /**
     * Whether an extension such as {@link PerMessageDeflate} may compress this frame's message. Set it on the first frame of a
     * message. Set false if the content is already compressed, or must not be compressed together with data chosen by an
     * attacker. Default: true.
     */
    public void setCompressible(boolean compressible) {
        this.compressible = compressible;
        encoded = null;
    }

    // ---- for codecs ----

    /** The content, for callers that only read it. */
    final ChannelBuffer content() {
        return binaryData;
    }

    /** Sets content that nothing else refers to. */
    final void setOwnContent(ChannelBuffer content) {
        binaryData = content;
        contentOwned = true;
        encoded = null;
    }

    /** Whether the encoded form may be kept. */
    final boolean isContentFixed() {
        return contentOwned || shared;
    }

    /** Null if no form was kept for that key. */
    final byte[] encodedFor(Object key) {
        for (EncodedFrame each = encoded; each != null; each = each.next()) {
            if (each.key().equals(key)) {
                return each.bytes();
            }
        }
        return null;
    }

    final void keepEncoded(Object key, byte[] bytes) {
        encoded = new EncodedFrame(key, bytes, encoded);
    }

    /** Not for users: the content's bytes while the message waits to be sent. */
    @Override
    public int heldBytes() {
        return content().readableBytes();
    }
}
