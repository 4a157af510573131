package org.freshet.handler.ssl;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.time.Durations;
import org.freshet.util.Timer;

/**
 * Serves several host names, each with its own certificate. Reads the requested name (SNI) from the client's first message,
 * then replaces itself with the {@link SslHandler} for that name.
 *
 * <pre>{@code
 * Map<String, SslContext> contexts = Map.of("a.example", a, "b.example", b);
 * pipeline.addFirst("tls", new SniHandler(name -> contexts.getOrDefault(name == null ? "" : name, a)));
 * }</pre>
 *
 * <p>The choice is made only once the whole message has arrived, and is never a guess. If the message is not a ClientHello, is
 * malformed or longer than 64 KiB, or doesn't arrive in time, an exception event is fired and the channel is closed. A declared
 * length takes no memory. Writes before the choice fail, because they would not be encrypted. The time-out, 10 seconds by
 * default, runs from the connect to the end of the message. The handshake's own time-out starts after that.
 *
 * <p>Runs on the channel's I/O thread. Use one handler per connection.
 */
@ChannelHandler.Borrower
public final class SniHandler extends FrameDecoder implements ChannelDownstreamHandler {
    private static final int DEFAULT_MAX_BYTES = 64 * 1024;

    private final Function<String, SslContext> contexts;
    private final Timer timer;
    private final long timeoutMillis;
    private final ClientHello hello;
    private Deadline deadline;

    /** The outcome is known: further bytes are dropped, or belong to another handler. */
    private boolean done;

    /** @param contexts see the other constructor */
    public SniHandler(Function<String, SslContext> contexts) {
        this(contexts, null);
    }

    /** Uses the default limits and the given timer. */
    SniHandler(Function<String, SslContext> contexts, Timer timer) {
        this(contexts, DEFAULT_MAX_BYTES, timer, Duration.ofMillis(SslHandler.DEFAULT_HANDSHAKE_TIMEOUT_MILLIS));
    }

    /**
     * Creates a handler for one connection.
     *
     * @param contexts returns a server's context for a host name in lower case and ASCII, or for null if the client sent no
     * name; a null result rejects the client
     * @param maxClientHelloBytes the most bytes in the client's first message; 1 or more
     * @param timer null uses Freshet's own; never stopped by this handler
     * @param timeout how long the client may take to send that message; more than 0
     */
    public SniHandler(Function<String, SslContext> contexts, int maxClientHelloBytes, Timer timer, Duration timeout) {
        this.contexts = Objects.requireNonNull(contexts, "contexts");
        if (maxClientHelloBytes <= 0) {
            throw new IllegalArgumentException("maxClientHelloBytes <= 0: " + maxClientHelloBytes);
        }
        this.hello = new ClientHello(maxClientHelloBytes);
        this.timer = timer;
        this.timeoutMillis = Durations.millis(Durations.positive("timeout", timeout));
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        if (done) {
            buffer.skipBytes(buffer.readableBytes());
            return null;
        }
        try {
            if (hello.take(buffer)) {
                onHello(ctx, hello.serverName());
            }
        } catch (AlertException e) {
            buffer.skipBytes(buffer.readableBytes());
            refuse(ctx, e, e);
        } catch (NotSslRecordException plain) {
            buffer.skipBytes(buffer.readableBytes());
            fail(ctx, plain);
        } catch (Throwable e) { // from the user's function
            buffer.skipBytes(buffer.readableBytes());
            refuse(
                    ctx,
                    new AlertException(
                            AlertException.INTERNAL_ERROR,
                            "cannot choose a certificate: the function for SNI names failed",
                            e),
                    e);
        }
        return null;
    }

    /** Rejects messages, including those under way while the TLS handler is being added. */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent) {
            throw new SSLException("cannot write before the client has sent its ClientHello");
        }
        ctx.sendDownstream(e);
    }

    /** Leaves the bytes unread, so the handler that replaces this one gets them. */
    private void onHello(ChannelHandlerContext ctx, String name) throws SSLException {
        SslContext context = contexts.apply(name);
        if (context == null) {
            throw new AlertException(
                    AlertException.UNRECOGNIZED_NAME, "no certificate for the requested name: " + name);
        }
        finish();
        ctx.getPipeline().replace(this, ctx.getName(), context.newHandler());
    }

    private void finish() {
        done = true;
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    private void refuse(ChannelHandlerContext ctx, AlertException refusal, Throwable cause) {
        Channels.write(ctx, Channels.future(ctx.getChannel()), refusal.record());
        fail(ctx, cause);
    }

    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        fail(ctx, CloseReason.Kind.TLS, cause);
    }

    private void fail(ChannelHandlerContext ctx, CloseReason.Kind kind, Throwable cause) {
        finish();
        Channels.noteCloseReason(ctx.getChannel(), CloseReason.of(kind, null, cause));
        Channels.fireExceptionCaught(ctx, cause);
        Channels.close(ctx, Channels.future(ctx.getChannel()));
    }

    private void onTimeout(ChannelHandlerContext ctx) {
        if (!done) {
            fail(ctx, CloseReason.Kind.TIMED_OUT, new SSLException("no ClientHello within " + timeoutMillis + " ms"));
        }
    }

    private void startDeadline(ChannelHandlerContext ctx) {
        if (deadline != null || done) {
            return;
        }
        deadline = new Deadline(timer, timeoutMillis, () -> ctx.getPipeline().execute(() -> onTimeout(ctx)));
        deadline.startAnyway();
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        startDeadline(ctx);
        ctx.sendUpstream(e);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        finish();
        super.channelClosed(ctx, e);
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        super.afterAdd(ctx);
        if (ctx.getChannel() != null && ctx.getChannel().isConnected()) {
            ctx.getPipeline().execute(() -> startDeadline(ctx));
        }
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getChannel() != null) {
            ctx.getPipeline().execute(this::finish);
        }
        super.afterRemove(ctx);
    }
}
