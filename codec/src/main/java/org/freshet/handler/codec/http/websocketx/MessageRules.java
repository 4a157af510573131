package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;

/**
 * Tracks the message a connection's frames belong to. Rejects a frame that is out of place, makes the message too long, or
 * contains text that isn't UTF-8. Belongs to one decoder and its thread.
 */
final class MessageRules {
    private final long maxMessageBytes;

    /** The opcode of the message whose fragments are arriving; {@link FrameHead#CONTINUATION} if none is. */
    private int opcode = FrameHead.CONTINUATION;

    /** Wire bytes of that message's frames, including the current one. */
    private long messageBytes;

    /** An extension has transformed that message: its frames are not text until that is undone. */
    private boolean extended;

    /** Null until the first text. Complete between messages, since a text that is cut ends the connection. */
    private Utf8Validator utf8;

    MessageRules(long maxMessageBytes) {
        this.maxMessageBytes = maxMessageBytes;
    }

    /** Whether the frame begins a message. */
    static boolean isStart(FrameHead head) {
        return head.opcode == FrameHead.TEXT || head.opcode == FrameHead.BINARY;
    }

    /** A data frame begins. */
    void onStart(FrameHead head, boolean extendedFrame)
            throws MalformedWebSocketFrameException, TooLongWebSocketFrameException {
        if (isStart(head)) {
            if (opcode != FrameHead.CONTINUATION) {
                throw new MalformedWebSocketFrameException("new message inside a fragmented one");
            }
            opcode = head.opcode;
            messageBytes = 0;
            extended = extendedFrame;
        } else if (opcode == FrameHead.CONTINUATION) {
            throw new MalformedWebSocketFrameException("continuation frame outside a fragmented message");
        }
        messageBytes += head.length;
        if (messageBytes > maxMessageBytes) {
            throw new TooLongWebSocketFrameException("message of more than " + maxMessageBytes + " bytes");
        }
    }

    /** Whether the message's frames are plain text on the wire. */
    boolean isTextOnTheWire() {
        return opcode == FrameHead.TEXT && !extended;
    }

    boolean isExtended() {
        return extended;
    }

    /** Further bytes of a text. */
    void onText(byte[] bytes, int from, int length) throws MalformedWebSocketFrameException {
        if (validator().findInvalid(bytes, from, length) >= 0) {
            throw notUtf8();
        }
    }

    private Utf8Validator validator() {
        if (utf8 == null) {
            utf8 = new Utf8Validator();
        }
        return utf8;
    }

    /** A data frame is complete; {@link #onText} has seen its text. */
    void onEnd(boolean finalFragment) throws MalformedWebSocketFrameException {
        if (!finalFragment) {
            return;
        }
        opcode = FrameHead.CONTINUATION;
        if (utf8 != null && !utf8.isComplete()) {
            throw notUtf8();
        }
    }

    /** Validates a frame's content after the extensions have decoded it. */
    void onExtended(ChannelBuffer content) throws MalformedWebSocketFrameException {
        boolean isText = opcode == FrameHead.TEXT;
        if (isText && validator().findInvalid(content, content.readerIndex(), content.readableBytes()) >= 0) {
            throw notUtf8();
        }
    }

    static MalformedWebSocketFrameException notUtf8() {
        return new MalformedWebSocketFrameException(CloseBody.NOT_UTF_8, "text that is not UTF-8");
    }
}
