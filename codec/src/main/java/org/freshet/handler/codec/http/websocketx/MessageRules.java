package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;

/**
 * Knows which message the frames of a connection belong to, and refuses a frame that has no place in it, makes it too long, or
 * is not the text that it should be. Belongs to one decoder and its thread.
 */
final class MessageRules {
    private final long maxMessageBytes;

    /** Of the message whose fragments are arriving; {@link FrameHead#CONTINUATION} if there is none. */
    private int opcode = FrameHead.CONTINUATION;

    /** Bytes of that message's frames as sent, the current one included. */
    private long messageBytes;

    /** An extension has changed that message: its frames are no text before that is undone. */
    private boolean extended;

    /** Null until there is a text. */
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
                throw new MalformedWebSocketFrameException("a new message inside a fragmented one");
            }
            opcode = head.opcode;
            messageBytes = 0;
            extended = extendedFrame;
        } else if (opcode == FrameHead.CONTINUATION) {
            throw new MalformedWebSocketFrameException("a continuation outside a fragmented message");
        }
        messageBytes += head.length;
        if (messageBytes > maxMessageBytes) {
            throw new TooLongWebSocketFrameException("a message of more than " + maxMessageBytes + " bytes");
        }
    }

    /** Whether the bytes of the message's frames are a text as they arrive. */
    boolean isTextOnTheWire() {
        return opcode == FrameHead.TEXT && !extended;
    }

    boolean isExtended() {
        return extended;
    }

    /** Further bytes of a text. */
    void onText(byte[] bytes, int from, int length) throws MalformedWebSocketFrameException {
        if (utf8 == null) {
            utf8 = new Utf8Validator();
        }
        if (utf8.findInvalid(bytes, from, length) >= 0) {
            throw notUtf8();
        }
    }

    /** A data frame has arrived, and its text, if any, was seen. */
    void onEnd(boolean finalFragment) throws MalformedWebSocketFrameException {
        if (!finalFragment) {
            return;
        }
        boolean cut = opcode == FrameHead.TEXT && utf8 != null && !utf8.isComplete();
        opcode = FrameHead.CONTINUATION;
        if (utf8 != null) {
            utf8.reset();
        }
        if (cut) {
            throw notUtf8();
        }
    }

    /** What extensions made of the message's frame. */
    void onExtended(ChannelBuffer content) throws MalformedWebSocketFrameException {
        int length = content.readableBytes();
        if (opcode != FrameHead.TEXT || length == 0) {
            return;
        }
        if (content.hasArray()) {
            onText(content.array(), content.arrayOffset() + content.readerIndex(), length);
        } else {
            byte[] bytes = new byte[length];
            content.getBytes(content.readerIndex(), bytes);
            onText(bytes, 0, length);
        }
    }

    static MalformedWebSocketFrameException notUtf8() {
        return new MalformedWebSocketFrameException(CloseBody.NOT_UTF_8, "a text that is not UTF-8");
    }
}
