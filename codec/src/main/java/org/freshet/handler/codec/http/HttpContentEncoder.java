package org.freshet.handler.codec.http;

import java.util.concurrent.atomic.AtomicLong;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflowException;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.handler.UnsentMessage;

/**
 * Encodes the content of each response in a way that the request's {@code Accept-Encoding} allows. A subclass says how.
 *
 * <p>An encoded response gets a {@code Content-Encoding}. Its {@code Content-Length} is set to the encoded length, or
 * removed if the response is chunked. The chunks must still add up to the declared length: otherwise a write fails with
 * an IllegalStateException, as in {@link HttpServerCodec}, and if the client would be misled, the channel is closed. A
 * response of which only a part is in the message isn't encoded unless it's chunked.
 *
 * <p>Interim responses (1xx except 101) are left alone. So is an error (400 and above) without a request, since it
 * answers a request that the decoder refused. Every other response needs a request: otherwise writing it throws
 * IllegalStateException.
 *
 * <p>In a pipeline without {@link HttpServerCodec}, reading is suspended while 128 requests are unanswered, and resumed
 * when a quarter of them have been answered. With the codec, the codec limits how many wait.
 *
 * <p>gzip and deflate produce output for each chunk that a reader can inflate as soon as it arrives; nothing but the
 * deflater's window is kept. If another encoder holds chunks without producing output, they count in the channel's
 * {@link WriteAccount} until it does. If the channel's limit refuses a chunk, the encoder never sees it, the rest of the
 * response fails, too, and the channel is closed.
 *
 * <p>Threading: responses, and the chunks of a response, must be written one after the other, but any thread may write
 * them. An instance belongs to one pipeline.
 */
public abstract class HttpContentEncoder extends SimpleChannelHandler implements LifeCycleAwareChannelHandler {
    /** Null until found, and in a pipeline that has none. */
    private volatile Exchanges exchanges;

    /** For a pipeline with a separate decoder and encoder instead of {@link HttpServerCodec}; null in others. */
    private volatile RequestsWithoutCodec own;

    /** Encodes the response being written; null if it is not encoded. */
    private volatile EncoderEmbedder<ChannelBuffer> encoder;

    /** Whether that encoder was given any content. */
    private volatile boolean isOffered;

    /** Bytes that the response being encoded still lacks of its declared length; -1 if it declares none. */
    private volatile long due = -1;

    /** Why a chunk of the response being written was refused, so that the rest must not be sent; null if none was. */
    private volatile Exception gap;

    /** Whether the channel was asked to close because of that. */
    private volatile boolean isCloseRequested;

    /**
     * Charge for chunks that the encoder is holding. It doesn't count for the water marks: a handler above that waits
     * for room would keep the encoder from the rest of its input. The caller that takes it from here passes it on or
     * releases it.
     */
    private final AtomicLong heldBytes = new AtomicLong();

    protected HttpContentEncoder() {}

    /**
     * Creates the encoder for a response.
     *
     * @param msg the response, whose content is not empty
     * @param acceptEncoding the value from its request, {@code identity} if the header is missing
     * @return null to leave the content unchanged
     */
    protected abstract EncoderEmbedder<ChannelBuffer> newContentEncoder(HttpMessage msg, String acceptEncoding)
            throws Exception;

    /** The {@code Content-Encoding} for a response that {@link #newContentEncoder} returned an encoder for. */
    protected abstract String getTargetContentEncoding(String acceptEncoding) throws Exception;

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (e.getMessage() instanceof HttpMessage message) {
            HttpHeaders headers = message.headers();
            String accepts = headers.contains(HttpHeaders.Names.ACCEPT_ENCODING)
                    ? String.join(",", headers.getAll(HttpHeaders.Names.ACCEPT_ENCODING))
                    : HttpHeaders.Values.IDENTITY;
            Exchanges exchanges = exchanges(ctx);
            Exchange exchange =
                    exchanges != null && message instanceof HttpRequest request ? exchanges.of(request) : null;
            if (exchange != null) {
                exchange.attach(this, accepts);
            } else if (exchanges == null) {
                own(ctx).add(accepts);
            }
        }
        ctx.sendUpstream(e);
    }

    /** Null in a pipeline without a codec. Looks for one with each message until there is one. */
    private Exchanges exchanges(ChannelHandlerContext ctx) {
        Exchanges found = exchanges;
        if (found == null && own == null) {
            found = Exchanges.of(ctx.getPipeline());
            exchanges = found;
        }
        return found;
    }

    private RequestsWithoutCodec own(ChannelHandlerContext ctx) {
        RequestsWithoutCodec present = own;
        if (present == null) {
            synchronized (this) {
                present = own == null ? new RequestsWithoutCodec(ctx) : own;
                own = present;
            }
        }
        return present;
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (own != null && ReadSuspension.isReadRequest(e)) {
            own.requestRead((ChannelStateEvent) e);
        } else {
            super.handleDownstream(ctx, e);
        }
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object written = e.getMessage();
        if (written instanceof HttpMessage && !isInterim(written)) {
            startMessage(ctx, (HttpMessage) written);
            ctx.sendDownstream(e);
        } else if (written instanceof HttpChunk && gap != null) {
            UnsentMessage.fail(e, gap);
            endIncomplete(e.getChannel());
        } else if (written instanceof HttpChunk && encoder != null) {
            writeChunk(ctx, e, (HttpChunk) written);
        } else {
            ctx.sendDownstream(e);
        }
    }

    private static boolean isInterim(Object message) {
        if (!(message instanceof HttpResponse)) {
            return false;
        }
        int code = ((HttpResponse) message).getStatus().getCode();
        return code < 200 && code != 101;
    }

    private static boolean isEncoded(HttpMessage message) {
        String coding = message.headers().get(HttpHeaders.Names.CONTENT_ENCODING);
        return coding != null && !coding.equalsIgnoreCase(HttpHeaders.Values.IDENTITY);
    }

    private static boolean isError(HttpMessage message) {
        return message instanceof HttpResponse
                && ((HttpResponse) message).getStatus().getCode() >= 400;
    }

    private void startMessage(ChannelHandlerContext ctx, HttpMessage message) throws Exception {
        abandon(ctx.getChannel());
        gap = null;
        isCloseRequested = false;
        String accepts = acceptedBy(ctx, message);
        if (accepts == null || isEncoded(message)) { // a second coding would need both names
            return;
        }
        long length = DeclaredContent.lengthOf(message);
        int present = message.getContent().readableBytes();
        if (!message.isChunked() && (present == 0 || length >= 0 && length != present)) {
            return; // the codec counts content that follows
        }
        EncoderEmbedder<ChannelBuffer> started = newContentEncoder(message, accepts);
        if (started == null) {
            return;
        }
        message.headers().set(HttpHeaders.Names.CONTENT_ENCODING, getTargetContentEncoding(accepts));
        if (message.isChunked()) {
            message.headers().remove(HttpHeaders.Names.CONTENT_LENGTH);
            isOffered = false;
            due = length;
            encoder = started;
            if (isAnswerToHead(ctx)) {
                abandon(ctx.getChannel()); // a response to HEAD has headers only
            }
        } else {
            message.setContent(encodeAll(started, message.getContent()));
            if (HttpHeaders.isContentLengthSet(message)) {
                HttpHeaders.setContentLength(message, message.getContent().readableBytes());
            }
        }
    }

    private boolean isAnswerToHead(ChannelHandlerContext ctx) {
        Exchanges found = exchanges(ctx);
        return found != null && found.current() != null && found.current().isHead();
    }

    /** Null if the message answers no request seen here, such as one whose head was refused. */
    private String acceptedBy(ChannelHandlerContext ctx, HttpMessage message) {
        Exchanges found = exchanges(ctx);
        if (found != null) {
            Exchange current = found.current();
            return current == null ? null : (String) current.attachment(this);
        }
        String accepts = own(ctx).poll();
        if (accepts == null && !isError(message)) {
            throw new IllegalStateException(
                    "a response was written without a request: all received so far are answered");
        }
        return accepts;
    }

    private static ChannelBuffer encodeAll(EncoderEmbedder<ChannelBuffer> encoder, ChannelBuffer content) {
        encoder.offer(content);
        encoder.finish();
        return takeEncoded(encoder);
    }

    private static ChannelBuffer takeEncoded(EncoderEmbedder<ChannelBuffer> encoder) {
        ChannelBuffer[] encoded = encoder.pollAll(new ChannelBuffer[encoder.size()]);
        return ChannelBuffers.wrappedBuffer(encoded);
    }

    private void writeChunk(ChannelHandlerContext ctx, MessageEvent e, HttpChunk chunk) {
        checkLength(e.getChannel(), chunk);
        EncoderEmbedder<ChannelBuffer> current = encoder;
        if (chunk.isLast()) {
            encoder = null;
            if (!isOffered) {
                current.offer(ChannelBuffers.EMPTY_BUFFER); // an encoder needs some input to write its header with
            }
            current.finish();
            writeEncoded(ctx, takeEncoded(current), Channels.future(ctx.getChannel()), e);
            releaseHeld(ctx.getChannel()); // the encoder produced nothing from it
            ctx.sendDownstream(e);
            return;
        }
        if (admit(e, WriteAccount.bytesOf(chunk.getContent()))) {
            offer(ctx, current, e);
        }
    }

    /** Compares the content with its declared length: the codec can't, because it gets the encoded content. */
    private void checkLength(Channel channel, HttpChunk chunk) {
        if (due < 0) {
            return;
        }
        int bytes = chunk.getContent().readableBytes();
        long left = due - bytes;
        if (left < 0 && due == 0) {
            throw new IllegalStateException(DeclaredContent.tooLong(bytes, 0)); // the response is complete
        }
        if (left < 0) {
            throw cut(channel, DeclaredContent.tooLong(bytes, due));
        }
        if (left > 0 && chunk.isLast()) {
            throw cut(channel, DeclaredContent.tooShort(left));
        }
    }

    /** A chunk that was refused or couldn't be encoded doesn't count, so the response lacks it. */
    private void encode(EncoderEmbedder<ChannelBuffer> current, ChannelBuffer content) {
        int bytes = content.readableBytes();
        isOffered = true;
        current.offer(content);
        if (due >= 0) {
            due -= bytes;
        }
    }

    private IllegalStateException cut(Channel channel, String why) {
        IllegalStateException refusal = new IllegalStateException(why + ", so the channel is closed");
        gap = refusal;
        abandon(channel);
        endIncomplete(channel);
        return refusal;
    }

    /**
     * Called before the encoder sees the chunk, so that a refused one leaves no gap in the output. False if the write
     * has failed.
     */
    private boolean admit(MessageEvent e, long charge) {
        Exception refusal = WriteAccount.admit(e.getChannel(), charge);
        if (refusal != null) {
            if (refusal instanceof WriteOverflowException overflow) {
                gap = overflow; // first: a listener of the write may write the rest, which may have room
            }
            UnsentMessage.fail(e, refusal);
            endIncomplete(e.getChannel());
            return false;
        }
        heldBytes.addAndGet(charge);
        return true;
    }

    /** If there is no memory for the close, the next chunk requests it. */
    private void endIncomplete(Channel channel) {
        Exception cause = gap;
        if (cause != null && !isCloseRequested) {
            boolean isOverflow = cause instanceof WriteOverflowException;
            channel.close(CloseReason.of(
                    isOverflow ? CloseReason.Kind.OVERFLOW : CloseReason.Kind.LOCAL,
                    isOverflow ? null : cause.getMessage(),
                    cause));
            isCloseRequested = true;
        }
    }

    private void offer(ChannelHandlerContext ctx, EncoderEmbedder<ChannelBuffer> current, MessageEvent e) {
        boolean isKept = false;
        try {
            if (encoder == current) { // waiting to be admitted may have taken a while
                encode(current, ((HttpChunk) e.getMessage()).getContent());
            }
            if (!writeEncoded(ctx, takeEncoded(current), e.getFuture(), e)) {
                e.getFuture().setSuccess(); // kept by the encoder; goes out with what follows
            }
            isKept = encoder == current; // otherwise it was abandoned meanwhile
        } finally {
            if (!isKept) {
                releaseHeld(ctx.getChannel());
            }
        }
    }

    /** Returns false if there is nothing to write. The output includes everything that the encoder held until now. */
    private boolean writeEncoded(
            ChannelHandlerContext ctx, ChannelBuffer encoded, ChannelFuture future, MessageEvent cause) {
        if (!encoded.readable()) {
            return false;
        }
        WriteAccount.passOn(
                ctx,
                new DownstreamMessageEvent(
                        ctx.getChannel(), future, new DefaultHttpChunk(encoded), cause.getRemoteAddress()),
                heldBytes.getAndSet(0));
        return true;
    }

    private void releaseHeld(Channel channel) {
        long held = heldBytes.getAndSet(0);
        if (held > 0) {
            WriteAccount.release(channel, held);
        }
    }

    /** Releases what the encoder of an unfinished response holds. */
    private void abandon(Channel channel) {
        EncoderEmbedder<ChannelBuffer> unfinished = encoder;
        encoder = null;
        releaseHeld(channel);
        if (unfinished != null) {
            unfinished.finish();
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        abandon(ctx.getChannel());
        ctx.sendUpstream(e);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        abandon(ctx.getChannel());
    }
}
