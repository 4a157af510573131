package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.internal.WindowedDeflater;

/**
 * permessage-deflate for one connection.
 *
 * <p>Holds a deflater from the first fragment of a message to its last, or from the first message on with context takeover. A
 * whole message without context takeover borrows one for the call. Inflaters work the same way.
 *
 * <p>The sending fields belong to calls of {@link #encode}, which do not overlap; the receiving fields belong to the I/O
 * thread.
 */
final class DeflateExtension implements WebSocketExtension {
    private static final int RSV1 = 4;

    /** The length of the empty block at the end of deflated data, left out on the wire: 00 00 FF FF. */
    private static final int LEFT_OUT_BYTES = 4;

    /** The first byte of an empty block. Its other bytes are left out. */
    private static final byte[] EMPTY_BLOCK = {0};

    /**
     * How messages are deflated.
     *
     * @param threshold messages of at least this many bytes are deflated
     */
    record Form(int level, int windowBits, int threshold) {}

    private final Form form;
    private final boolean ownContextTakeover;
    private final boolean peerContextTakeover;
    private final int maxMessageBytes;

    private final OwnCoder<WindowedDeflater> deflater = new OwnCoder<>(WindowedDeflater::end);
    private final OwnCoder<MessageInflater> inflater = new OwnCoder<>(MessageInflater::end);

    /** Whether the message whose fragments are being sent is deflated. */
    private boolean sendsDeflated;

    /** Whether the message whose fragments are arriving is deflated. */
    private boolean receivesDeflated;

    DeflateExtension(Form form, boolean ownContextTakeover, boolean peerContextTakeover, int maxMessageBytes) {
        this.form = form;
        this.ownContextTakeover = ownContextTakeover;
        this.peerContextTakeover = peerContextTakeover;
        this.maxMessageBytes = maxMessageBytes;
    }

    @Override
    public int rsv() {
        return RSV1;
    }

    @Override
    public Object sharingKey() {
        return ownContextTakeover ? null : form;
    }

    @Override
    public void release() {
        deflater.release();
        inflater.release();
    }

    // ---- receiving ----

    @Override
    public WebSocketFrame decode(WebSocketFrame frame) throws Exception {
        if (!(frame instanceof ContinuationWebSocketFrame)) {
            receivesDeflated = (frame.getRsv() & RSV1) != 0;
        }
        if (receivesDeflated) {
            frame.setOwnContent(inflate(frame.content(), frame.isFinalFragment()));
            frame.setRsv(frame.getRsv() & ~RSV1);
        }
        return frame;
    }

    private ChannelBuffer inflate(ChannelBuffer content, boolean isLast) throws Exception {
        MessageInflater kept = inflater.take();
        MessageInflater used = kept == null ? new MessageInflater(maxMessageBytes, peerContextTakeover) : kept;
        boolean keep = false;
        try {
            ChannelBuffer inflated = used.inflate(content, isLast);
            keep = peerContextTakeover || !isLast;
            return inflated;
        } finally {
            if (keep) {
                inflater.put(used);
            } else {
                inflater.drop(used);
            }
        }
    }

    // ---- sending ----

    @Override
    public WebSocketFrame encode(WebSocketFrame frame) {
        if (!frame.isFinalFragment() || frame instanceof ContinuationWebSocketFrame) {
            return encodeFragment(frame);
        }
        if (!mayDeflate(frame) || frame.content().readableBytes() < form.threshold) {
            return frame;
        }
        return ownContextTakeover ? deflated(frame, deflateInContext(frame, true)) : encodeAlone(frame);
    }

    private static boolean mayDeflate(WebSocketFrame frame) {
        return frame.isCompressible() && (frame.getRsv() & RSV1) == 0;
    }

    private WebSocketFrame encodeAlone(WebSocketFrame frame) {
        WindowedDeflater taken = newDeflater();
        try {
            ChannelBuffer content = deflate(taken, frame.content(), true);
            boolean shrank = content.readableBytes() < frame.content().readableBytes();
            return shrank ? deflated(frame, content) : frame;
        } finally {
            taken.end();
        }
    }

    private WebSocketFrame encodeFragment(WebSocketFrame frame) {
        boolean isFirst = !(frame instanceof ContinuationWebSocketFrame);
        if (isFirst) {
            sendsDeflated = mayDeflate(frame);
        }
        return sendsDeflated ? deflated(frame, deflateInContext(frame, frame.isFinalFragment())) : frame;
    }

    private ChannelBuffer deflateInContext(WebSocketFrame frame, boolean isLast) {
        WindowedDeflater kept = deflater.take();
        WindowedDeflater used = kept == null ? newDeflater() : kept;
        boolean keep = false;
        try {
            ChannelBuffer content = deflate(used, frame.content(), isLast);
            keep = ownContextTakeover || !isLast;
            return content;
        } finally {
            if (keep) {
                deflater.put(used);
            } else {
                deflater.drop(used); // also after a failure: the next one starts without context
            }
        }
    }

    private WindowedDeflater newDeflater() {
        return new WindowedDeflater(form.level, form.windowBits);
    }

    private static ChannelBuffer deflate(WindowedDeflater deflater, ChannelBuffer content, boolean isLast) {
        deflater.begin(content.readableBytes());
        deflater.deflate(content);
        if (!isLast) {
            return ChannelBuffers.wrappedBuffer(deflater.output(), 0, deflater.length());
        }
        return deflater.length() <= LEFT_OUT_BYTES
                ? ChannelBuffers.wrappedBuffer(EMPTY_BLOCK)
                : ChannelBuffers.wrappedBuffer(deflater.output(), 0, deflater.length() - LEFT_OUT_BYTES);
    }

    private static WebSocketFrame deflated(WebSocketFrame frame, ChannelBuffer content) {
        WebSocketFrame sent;
        if (frame instanceof ContinuationWebSocketFrame) {
            sent = new ContinuationWebSocketFrame();
        } else {
            sent = frame instanceof TextWebSocketFrame ? new TextWebSocketFrame() : new BinaryWebSocketFrame();
            sent.setRsv(frame.getRsv() | RSV1);
        }
        sent.setFinalFragment(frame.isFinalFragment());
        sent.setOwnContent(content);
        return sent;
    }
}
