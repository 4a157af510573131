package org.freshet.handler.codec.proxyprotocol;

import java.net.SocketAddress;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.OriginalAddress;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Durations;
import org.freshet.telemetry.Explanation;
import org.freshet.util.Timer;

/**
 * Reads the PROXY protocol header, version 1 or 2, that a load balancer sends at the start of each connection to a
 * server. Put it first, before TLS:
 *
 * <pre>{@code
 * ProxyProtocolSettings balancers = ProxyProtocolSettings.trusting("10.0.0.0/8");
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(
 *         new ProxyProtocolDecoder(balancers), // a new one for each channel
 *         tls.newHandler(),
 *         new Application()));
 * }</pre>
 *
 * <p><b>Trust.</b> A peer outside the trusted networks is disconnected before anything it sends is read. A trusted peer
 * must send a header: the decoder never guesses whether there is one.
 *
 * <p><b>Result.</b> {@link OriginalAddress} has the client's address, and {@link ProxyProtocolHeader#of} has the whole
 * header. Only then do the handlers after this one receive {@code channelConnected}. The bytes after the header go to
 * them, and this handler leaves the pipeline. If the proxy speaks for itself (LOCAL) or doesn't know the client
 * (UNKNOWN, UNSPEC), the channel's own addresses stay in effect: a filter that lets the proxies in lets these
 * connections in, too.
 *
 * <p><b>Refusal.</b> A header that is malformed or too long, or has a wrong CRC32C, closes the channel
 * ({@link CloseReason.Kind#PROTOCOL}) and fires an {@code exceptionCaught} event. If the header doesn't arrive in time,
 * the channel is closed ({@link CloseReason.Kind#TIMED_OUT}). It is also closed if the client's address already has as
 * many connections as {@code AcceptGuard} or the server's option allows ({@link CloseReason.Kind#REFUSED}). In all
 * these cases the handlers after this one receive neither {@code channelConnected} nor {@code channelDisconnected}.
 *
 * <p>Runs on the channel's I/O thread. For one connection.
 */
public final class ProxyProtocolDecoder extends FrameDecoder {
    private enum State {
        /** Not connected. */
        IDLE,
        /** The header isn't complete. */
        WAITING,
        /** The header has been read, and the handler is leaving the pipeline. */
        DONE,
        /** The channel is being closed, or has ended: input is dropped. */
        REFUSED
    }

    private final ProxyProtocolSettings settings;
    private final Timer timer;
    private State state = State.IDLE;

    /** Withheld from the handlers above until the header has been read; null if there's nothing to pass on. */
    private ChannelStateEvent connected;

    private Deadline deadline;

    /** Uses one of Freshet's own timers. */
    public ProxyProtocolDecoder(ProxyProtocolSettings settings) {
        this(settings, null);
    }

    /** @param timer measures the time limit for the header, and is never stopped; null to use one of Freshet's own */
    public ProxyProtocolDecoder(ProxyProtocolSettings settings, Timer timer) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.timer = timer;
    }

    // ---- the connection ---------------------------------------------------------------------------------------------

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (state == State.DONE) {
            ctx.sendUpstream(e);
        } else { // also if the handler was added to a connected channel, before this event
            connected = e;
            begin(ctx);
        }
    }

    /** For a handler added to a channel that is already connected. */
    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        super.afterAdd(ctx);
        if (ctx.getChannel() != null && ctx.getChannel().isConnected()) {
            ctx.getPipeline().execute(() -> begin(ctx));
        }
    }

    private void begin(ChannelHandlerContext ctx) {
        if (state != State.IDLE) {
            return;
        }
        state = State.WAITING;
        startDeadline(ctx); // also in case the refusal fails because memory is exhausted
        SocketAddress peer = ctx.getChannel().getRemoteAddress();
        if (state == State.WAITING && !settings.trusts(peer)) {
            state = State.REFUSED;
            refuse(ctx, CloseReason.Kind.REFUSED, "not a trusted proxy: " + peer);
        }
    }

    @Override
    protected void cleanup(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        boolean isUnknownAbove = connected != null && e.getState() == ChannelState.CONNECTED;
        end(State.REFUSED);
        if (!isUnknownAbove) {
            super.cleanup(ctx, e);
        }
    }

    @Override
    public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) throws Exception {
        if (state == State.WAITING) {
            refuse(ctx, CloseReason.Kind.PROTOCOL, "the input ended before the PROXY protocol header was complete");
        } else {
            super.inputShutdown(ctx, e);
        }
    }

    // ---- the time limit ---------------------------------------------------------------------------------------------

    private void startDeadline(ChannelHandlerContext ctx) {
        Channel channel = ctx.getChannel();
        long millis = Durations.millis(settings.timeout());
        try {
            deadline = new Deadline(
                    timer, millis, task -> SerialChannel.executeUrgently(channel, task), () -> onTimeout(ctx, millis));
            deadline.start();
        } catch (Error e) { // nothing else limits how long the peer stays
            fail(ctx, CloseReason.of(CloseReason.Kind.TIMED_OUT, "no memory for a time limit", e));
        }
    }

    private void onTimeout(ChannelHandlerContext ctx, long millis) {
        if (state != State.DONE) {
            refuse(ctx, CloseReason.Kind.TIMED_OUT, "no PROXY protocol header within " + millis + " ms");
        }
    }

    private void end(State next) {
        state = next;
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    // ---- the header -------------------------------------------------------------------------------------------------

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
        begin(ctx);
        if (state != State.WAITING) {
            buffer.skipBytes(buffer.readableBytes());
            return null;
        }
        ProxyProtocolHeader header = null;
        try {
            int length = HeaderReader.lengthOf(buffer, settings.maxBytes());
            if (length >= 0) {
                header = HeaderReader.read(buffer, length, settings);
            }
        } catch (CorruptedFrameException | TooLongFrameException e) {
            buffer.skipBytes(buffer.readableBytes());
            fail(ctx, CloseReason.of(CloseReason.Kind.PROTOCOL, null, e));
        }
        if (header != null) {
            state = State.REFUSED; // until all went well: whatever follows is from the client, never a header
            try {
                onHeader(ctx, header);
            } catch (RuntimeException | Error e) { // memory is exhausted
                fail(ctx, CloseReason.of(CloseReason.Kind.HANDLER_FAILED, null, e));
            }
        }
        return null;
    }

    /** Leaves the bytes after the header unread: the next handler gets them when this one is removed. */
    private void onHeader(ChannelHandlerContext ctx, ProxyProtocolHeader header) {
        Channel channel = ctx.getChannel();
        header.keep(channel);
        SocketAddress client = header.source();
        if (client != null && !OriginalAddress.set(channel, client, header.destination())) {
            refuse(ctx, CloseReason.Kind.REFUSED, "maximum number of connections reached for " + client);
            return;
        }
        end(State.DONE);
        ChannelStateEvent withheld = connected;
        connected = null;
        if (withheld != null) {
            ctx.sendUpstream(withheld);
        }
        if (state == State.DONE && ctx.getPipeline().getContext(this) != null) {
            ctx.getPipeline().remove(this);
        }
    }

    private void refuse(ChannelHandlerContext ctx, CloseReason.Kind kind, String why) {
        refuse(ctx, CloseReason.of(kind, why));
    }

    /** Fires the event after the close, so that no handler writes in response to it. */
    private void fail(ChannelHandlerContext ctx, CloseReason reason) {
        refuse(ctx, reason);
        Channels.fireExceptionCaught(ctx, reason.cause());
    }

    /** The time limit stays active until the channel ends: it closes again if this attempt fails. */
    private void refuse(ChannelHandlerContext ctx, CloseReason reason) {
        state = State.REFUSED;
        Channels.close(ctx, Channels.future(ctx.getChannel()), reason);
    }

    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        super.explain(ctx, out);
        out.put("PROXY protocol header", state);
    }
}
