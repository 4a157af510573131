package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeldSize;

/**
 * A frame of a WebSocket connection: a message, a fragment of one, or a control frame.
 *
 * <p>One frame may be written to any number of channels, at the same time, too: encoders read it and change nothing. What was
 * made of a frame for one channel is kept and used for the next, as long as only the frame refers to its content: when it
 * was made of a string, or received, and {@link #getBinaryData()} has not been called. So a text that is written to a {@link
 * org.freshet.channel.group.ChannelGroup} is encoded, and compressed, once. {@link #share()} asks for the same where the content is
 * a buffer of the application's.
 *
 * <p>Not thread-safe while it is changed.
 */
@SuppressWarnings("exports") // HeldSize is between Freshet's modules
public abstract class WebSocketFrame implements HeldSize {
    private boolean finalFragment = true;
    private int rsv;
    private ChannelBuffer binaryData = ChannelBuffers.EMPTY_BUFFER;

    /** Whether nothing but this frame refers to the content. */
    private boolean contentOwned;

    private boolean compressible = true;

    /** Whether the application has promised that nothing changes. */
    private boolean shared;

    /** What encoders made of this frame. Written by any thread; an entry that is lost to a race is made again. */
    private EncodedFrame encoded;

    public WebSocketFrame() {}

    /** The content; never null. What a text frame holds is UTF-8. Its indexes are not changed by an encoder. */
    public ChannelBuffer getBinaryData() {
        if (binaryData != ChannelBuffers.EMPTY_BUFFER) {
            contentOwned = false;
        }
        return binaryData;
    }

    /** @param binaryData null is the same as an empty buffer */
    public void setBinaryData(ChannelBuffer binaryData) {
        this.binaryData = binaryData == null ? ChannelBuffers.EMPTY_BUFFER : binaryData;
        contentOwned = this.binaryData == ChannelBuffers.EMPTY_BUFFER;
        encoded = null;
    }

    /** Whether this is the last, or the only, frame of its message. Default: true. */
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
     * Promises that neither this frame nor the content of its buffer is changed any more, so that encoders may keep what they
     * make of it for the next channel that it is written to.
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
     * Whether an extension such as {@link PerMessageDeflate} may compress this frame's message; to be set at a message's first
     * frame. Say false of what is compressed already, or must not be compressed together with what an attacker chooses.
     * Default: true.
     */
    public void setCompressible(boolean compressible) {
        this.compressible = compressible;
        encoded = null;
    }

    // ---- for codecs ----

    /** The content, which the caller only reads. */
    final ChannelBuffer content() {
        return binaryData;
    }

    /** Sets a content to which nobody else refers. */
    final void setOwnContent(ChannelBuffer content) {
        binaryData = content;
        contentOwned = true;
        encoded = null;
    }

    /** Whether what was made of this frame may be kept. */
    final boolean isContentFixed() {
        return contentOwned || shared;
    }

    /** Null if there is nothing for that key. */
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

    /** Not for users: what the content counts while the message waits to be sent. */
    @Override
    public int heldBytes() {
        return content().readableBytes();
    }
}
