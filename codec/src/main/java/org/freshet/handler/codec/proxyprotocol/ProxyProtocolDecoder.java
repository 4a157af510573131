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
 * Reads the header of the PROXY protocol, version 1 or 2, with which a load balancer begins each connection to a server. Put it first,
 * before TLS:
 *
 * <pre>{@code
 * ProxyProtocolSettings balancers = ProxyProtocolSettings.trusting("10.0.0.0/8");
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(
 *         new ProxyProtocolDecoder(balancers), // a new one for each channel
 *         tls.newHandler(),
 *         new Application()));
 * }</pre>
 *
 * <p><b>Who is believed.</b> A peer outside the trusted networks is disconnected before anything that it sends is looked at. A trusted peer
 * has to send a header: whether there is one is never guessed.
 *
 * <p><b>What comes of it.</b> {@link OriginalAddress} has the client's address, and {@link ProxyProtocolHeader#of} everything that was
 * said. Only then the handlers after this one receive {@code channelConnected}; the bytes after the header are theirs, and this handler
 * leaves the pipeline. Where the proxy speaks for itself (LOCAL) or doesn't know the client (UNKNOWN, UNSPEC), the channel's own addresses
 * are what is known: a filter that lets the proxies in lets these connections in, too.
 *
 * <p><b>What is refused.</b> A header that is malformed or too long, or whose CRC32C is wrong, closes the channel ({@link
 * CloseReason.Kind#PROTOCOL}) and is an {@code exceptionCaught} event. One that isn't there in time closes the channel ({@link
 * CloseReason.Kind#TIMED_OUT}). So does a client whose address has as many connections as {@code AcceptGuard} or the server's option
 * allows ({@link CloseReason.Kind#REFUSED}). The handlers after this one then receive neither {@code channelConnected} nor {@code
 * channelDisconnected}.
 *
 * <p>Runs on the channel's I/O thread. For one connection.
 */
public final class ProxyProtocolDecoder extends FrameDecoder {
    private enum State {
        /** Not connected. */
        IDLE,
        /** The header isn't complete. */
        WAITING,
        /** The header has been read, and this leaves the pipeline. */
        DONE,
        /** The channel is being closed, or has ended: bytes are dropped. */
        REFUSED
    }

    private final ProxyProtocolSettings settings;
    private final Timer timer;
    private State state = State.IDLE;

    /** Kept from the handlers above until the header has been read; null if there is none to pass on. */
    private ChannelStateEvent connected;

    private Deadline deadline;

    /** With a timer of Freshet's own. */
    public ProxyProtocolDecoder(ProxyProtocolSettings settings) {
        this(settings, null);
    }

    /** @param timer measures the time for the header, and is never stopped; null for one of Freshet's own */
    public ProxyProtocolDecoder(ProxyProtocolSettings settings, Timer timer) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.timer = timer;
    }

    // ---- the connection ---------------------------------------------------------------------------------------------

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (state == State.DONE) {
            ctx.sendUpstream(e);
        } else { // also of a handler that was added before this event, to a channel that was connected
            connected = e;
            begin(ctx);
        }
    }

    /** For a handler that was added to a channel that is connected. */
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
        startDeadline(ctx); // for a refusal that fails without memory, too
        SocketAddress peer = ctx.getChannel().getRemoteAddress();
        if (state == State.WAITING && !settings.trusts(peer)) {
            state = State.REFUSED;
            refuse(ctx, CloseReason.Kind.REFUSED, "not a proxy that is trusted: " + peer);
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
            refuse(ctx, CloseReason.Kind.PROTOCOL, "the input ended before the header of the PROXY protocol did");
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
        } catch (RuntimeException | Error e) { // an Error, too: nothing else bounds how long the peer stays
            fail(ctx, CloseReason.of(CloseReason.Kind.TIMED_OUT, "the timer does not take a time limit", e));
        }
    }

    private void onTimeout(ChannelHandlerContext ctx, long millis) {
        if (state != State.DONE) {
            refuse(ctx, CloseReason.Kind.TIMED_OUT, "no header of the PROXY protocol within " + millis + " ms");
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
            state = State.REFUSED; // unless all goes well: what follows is the client's, and never a header
            try {
                onHeader(ctx, header);
            } catch (RuntimeException | Error e) { // without memory
                fail(ctx, CloseReason.of(CloseReason.Kind.HANDLER_FAILED, null, e));
            }
        }
        return null;
    }

    /** The bytes after the header are left unread: the next handler gets them when this one is removed. */
    private void onHeader(ChannelHandlerContext ctx, ProxyProtocolHeader header) {
        Channel channel = ctx.getChannel();
        header.keep(channel);
        SocketAddress client = header.source();
        if (client != null && !OriginalAddress.set(channel, client, header.destination())) {
            refuse(ctx, CloseReason.Kind.REFUSED, "as many connections as allowed are open from " + client);
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

    /** The event comes after the close, so that no handler writes because of it. */
    private void fail(ChannelHandlerContext ctx, CloseReason reason) {
        refuse(ctx, reason);
        Channels.fireExceptionCaught(ctx, reason.cause());
    }

    /** The time limit ends with the channel: it closes again if this fails. */
    private void refuse(ChannelHandlerContext ctx, CloseReason reason) {
        state = State.REFUSED;
        Channels.close(ctx, Channels.future(ctx.getChannel()), reason);
    }

    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        super.explain(ctx, out);
        out.put("header of the PROXY protocol", state);
    }
}
