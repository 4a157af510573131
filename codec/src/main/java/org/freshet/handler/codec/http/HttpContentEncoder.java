package org.freshet.handler.codec.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.internal.handler.ReadSuspension;

/**
 * Encodes the content of each response as the {@code Accept-Encoding} of its request allows. A subclass says how.
 *
 * <p>A response that is encoded gets {@code Content-Encoding}; its {@code Content-Length} becomes that of the encoded
 * content, or goes away if the response is chunked. Answers before the final one (1xx but 101) are left alone. So is an
 * error (400 and above) that no request came for, since it answers one that the decoder refused. Every other response must
 * follow a request: else writing it throws IllegalStateException.
 *
 * <p>Reading is suspended when {@link HttpLimits#maxPipelinedRequests()} requests are not answered, and resumed when a quarter of
 * them is.
 *
 * <p>Threading: responses, and the chunks of a response, must be written one after the other; which thread writes makes no
 * difference. An instance belongs to one pipeline.
 */
public abstract class HttpContentEncoder extends SimpleChannelHandler implements LifeCycleAwareChannelHandler {
    /** What the unanswered requests accept, oldest first. */
    private final Queue<String> accepted = new ConcurrentLinkedQueue<>();

    private final AtomicInteger unanswered = new AtomicInteger();

    /** Whether reading is suspended because too many requests are unanswered. */
    private final AtomicBoolean suspended = new AtomicBoolean();

    private final int maxUnanswered = HttpLimits.defaults().maxPipelinedRequests();

    /** When that many are left, reading goes on: not with each answer, since that may cost a system call. */
    private final int resumeAt = maxUnanswered - (maxUnanswered + 3) / 4;

    /** Null until there is something to suspend, or somebody else asks to read or not to. */
    private volatile ReadSuspension reading;

    /** Of the response being written; null if it is not encoded. */
    private volatile EncoderEmbedder<ChannelBuffer> encoder;

    protected HttpContentEncoder() {}

    /**
     * Makes the encoder of a response.
     *
     * @param msg the response, whose content is not empty
     * @param acceptEncoding of its request, {@code identity} if it had none
     * @return null if the content is to stay as it is
     */
    protected abstract EncoderEmbedder<ChannelBuffer> newContentEncoder(HttpMessage msg, String acceptEncoding)
            throws Exception;

    /** The {@code Content-Encoding} of a response that {@link #newContentEncoder} made an encoder for. */
    protected abstract String getTargetContentEncoding(String acceptEncoding) throws Exception;

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (e.getMessage() instanceof HttpMessage) {
            HttpHeaders headers = ((HttpMessage) e.getMessage()).headers();
            boolean stated = headers.contains(HttpHeaders.Names.ACCEPT_ENCODING);
            accepted.add(
                    stated
                            ? String.join(",", headers.getAll(HttpHeaders.Names.ACCEPT_ENCODING))
                            : HttpHeaders.Values.IDENTITY);
            if (unanswered.incrementAndGet() >= maxUnanswered && suspended.compareAndSet(false, true)) {
                reading(ctx).suspend();
            }
        }
        ctx.sendUpstream(e);
    }

    private ReadSuspension reading(ChannelHandlerContext ctx) {
        ReadSuspension present = reading;
        if (present == null) {
            synchronized (accepted) {
                present = reading == null ? ReadSuspension.at(ctx) : reading;
                reading = present;
            }
        }
        return present;
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (ReadSuspension.isReadRequest(e)) {
            reading(ctx).request((ChannelStateEvent) e);
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
        return code >= 100 && code < 200 && code != 101;
    }

    private static boolean isError(HttpMessage message) {
        return message instanceof HttpResponse
                && ((HttpResponse) message).getStatus().getCode() >= 400;
    }

    private void startMessage(ChannelHandlerContext ctx, HttpMessage message) throws Exception {
        abandon();
        String accepts = accepted.poll();
        if (accepts == null) {
            if (isError(message)) {
                return; // answers a request that the decoder refused, and that was therefore never seen here
            }
            throw new IllegalStateException("cannot send more responses than requests");
        }
        if (unanswered.decrementAndGet() <= resumeAt && suspended.compareAndSet(true, false)) {
            reading(ctx).resume();
        }
        if (!message.isChunked() && !message.getContent().readable()) {
            return;
        }
        EncoderEmbedder<ChannelBuffer> started = newContentEncoder(message, accepts);
        if (started == null) {
            return;
        }
        message.headers().set(HttpHeaders.Names.CONTENT_ENCODING, (Object) getTargetContentEncoding(accepts));
        if (message.isChunked()) {
            message.headers().remove(HttpHeaders.Names.CONTENT_LENGTH);
            encoder = started;
            return;
        }
        message.setContent(encodeAll(started, message.getContent()));
        if (HttpHeaders.isContentLengthSet(message)) {
            HttpHeaders.setContentLength(message, message.getContent().readableBytes());
        }
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
        EncoderEmbedder<ChannelBuffer> current = encoder;
        if (chunk.isLast()) {
            encoder = null;
            current.finish();
            ChannelBuffer rest = takeEncoded(current);
            if (rest.readable()) {
                Channels.write(
                        ctx, Channels.future(ctx.getChannel()), new DefaultHttpChunk(rest), e.getRemoteAddress());
            }
            ctx.sendDownstream(e);
            return;
        }
        current.offer(chunk.getContent());
        ChannelBuffer encoded = takeEncoded(current);
        if (encoded.readable()) {
            Channels.write(ctx, e.getFuture(), new DefaultHttpChunk(encoded), e.getRemoteAddress());
        } else {
            e.getFuture().setSuccess(); // kept by the encoder; goes out with what follows
        }
    }

    /** Gives back what the encoder of an unfinished response holds. */
    private void abandon() {
        EncoderEmbedder<ChannelBuffer> unfinished = encoder;
        encoder = null;
        if (unfinished != null) {
            unfinished.finish();
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        abandon();
        ctx.sendUpstream(e);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        abandon();
    }
}
