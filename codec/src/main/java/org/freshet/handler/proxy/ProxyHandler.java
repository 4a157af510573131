package org.freshet.handler.proxy;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.proxy.TunnelState.Phase;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.handler.HandlersBelow;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.TunnelTarget;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.time.Durations;
import org.freshet.internal.transport.BrokenOutput;
import org.freshet.internal.write.HoldsWrites;

/**
 * Connects a client's channel to its target through a proxy. Put it first in the pipeline, and connect as you would without a
 * proxy:
 *
 * <pre>{@code
 * ClientBootstrap bootstrap = new ClientBootstrap(channelFactory);
 * InetSocketAddress proxy = new InetSocketAddress("proxy.example", 1080);
 * SslContext tls = SslContextBuilder.forClient().build();
 * clients.setPipelineFactory(() -> Channels.pipeline(
 *         new Socks5ProxyHandler(proxy), // a new one for each channel
 *         tls.newHandler(),              // optional: TLS with the target, whose name is verified
 *         new Application()));
 * ChannelFuture connected = clients.connect(InetSocketAddress.createUnresolved("target.example", 443));
 * }</pre>
 *
 * <p><b>Connecting.</b> The handler connects the channel to the proxy instead, and asks the proxy for the target. Once the
 * proxy has granted it, the connect future succeeds and the handlers after this one receive {@code channelConnected} with the
 * target as its value. Writes made before that, by any thread, wait and keep their order; they count in the channel's
 * {@code WriteAccount}. A request to suspend reading waits too, and {@link Channel#isReadable()} is true meanwhile. Bytes of
 * the target that arrive together with the proxy's answer are received after {@code channelConnected}. Then the handler removes
 * itself from the pipeline.
 *
 * <p><b>Names.</b> An unresolved target is never looked up here: the proxy gets its name, and looks it up. Create one with
 * {@link InetSocketAddress#createUnresolved}. For a resolved target, the proxy gets the address. {@link Channel#isConnected()}
 * and {@link Channel#getRemoteAddress()} describe the socket: they refer to the proxy, even while it is still being asked.
 * {@link #getTargetAddress()} is the target.
 *
 * <p><b>Failures.</b> If the proxy is unreachable, refuses, demands a different authentication, sends an invalid answer,
 * closes, or takes too long, the connect future and the waiting writes fail with {@link ProxyConnectException}, which names the
 * proxy and the target. The exception is also fired as an event, and the channel is closed. If this side closes the channel,
 * they fail with {@link ClosedChannelException}, and nothing is fired. The exchange with the proxy is not encrypted,
 * credentials included, unless there is an {@code SslHandler} for the proxy before this handler.
 *
 * <p>Works with every transport. With a blocking one, writes that have waited are sent on the channel's I/O thread, which
 * doesn't read meanwhile.
 *
 * <p><b>Threading.</b> Any thread may call the getters and use the channel. The handler belongs to one channel, and connects it
 * once.
 */
@SuppressWarnings("exports") // HoldsWrites and HoldsOutput are internal to Freshet's modules
public abstract sealed class ProxyHandler extends SimpleChannelHandler
        implements LifeCycleAwareChannelHandler, HoldsWrites, HoldsOutput
        permits HttpProxyHandler, Socks4ProxyHandler, Socks5ProxyHandler {
    /** The default of {@link #setConnectTimeout}: 10 seconds. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final String protocol;
    private final SocketAddress proxyAddress;
    private final TunnelState state = new TunnelState();
    private final Holding held = new Holding();

    private volatile Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;

    /** Null until the handler is added. */
    private volatile ChannelHandlerContext ctx;

    /** Null until a connect is requested. */
    private volatile InetSocketAddress targetAddress;

    /** The application's connect future. Set together with {@link #targetAddress}. */
    private volatile ChannelFuture connected;

    /** Null if there is no time limit. */
    private volatile Deadline deadline;

    /** This side has requested to close the channel. */
    private volatile boolean closing;

    /** Why nothing more can be sent to the proxy, whose answer may still be there to read; else null. I/O thread only. */
    private Throwable sendFailure;

    /** The original reason why there will be no tunnel; null while there may be one. */
    private volatile Throwable failureCause;

    /** The handler below that decodes the proxy's next answer, or null. I/O thread only. */
    private ChannelHandler decoder;

    /** @param protocol for the message: "the ... proxy" */
    ProxyHandler(String protocol, SocketAddress proxyAddress) {
        this.protocol = protocol;
        this.proxyAddress = Objects.requireNonNull(proxyAddress, "proxyAddress");
    }

    public final SocketAddress getProxyAddress() {
        return proxyAddress;
    }

    /** The address that the channel was asked to connect to; null before that. */
    public final InetSocketAddress getTargetAddress() {
        return targetAddress;
    }

    public final Duration getConnectTimeout() {
        return connectTimeout;
    }

    /**
     * How long it may take from the connect request until the tunnel is established. In addition, the channel's own
     * {@code connectTimeoutMillis} limits the connection to the proxy.
     *
     * @param connectTimeout default 10 seconds; {@link Duration#ZERO} means no limit
     * @throws IllegalArgumentException if it is negative
     */
    public final void setConnectTimeout(Duration connectTimeout) {
        this.connectTimeout = Durations.limit("connectTimeout", connectTimeout);
    }

    // ---- implemented by the protocols, all on the I/O thread ----

    /** Throws if the protocol can't express the target. Any thread. */
    abstract void checkTarget(ProxyTarget target);

    /** The proxy is connected: sends it the first message. */
    abstract void ask(ChannelHandlerContext ctx, ProxyTarget target) throws Exception;

    /**
     * Processes an answer from the proxy.
     *
     * @return whether the tunnel is established now
     * @throws Exception if it cannot be; {@link #refusal} creates one with a reason
     */
    abstract boolean takeAnswer(ChannelHandlerContext ctx, ProxyTarget target, Object answer) throws Exception;

    /**
     * Sends a message to the proxy. It goes before everything that waits, so no limit applies. If the write fails, the
     * connection ends, after what the proxy has sent was read.
     */
    static void sendToProxy(ChannelHandlerContext ctx, Object message) {
        Channel channel = ctx.getChannel();
        WriteAccount.passOn(ctx, new DownstreamMessageEvent(channel, Channels.future(channel), message, null), 0);
    }

    final ProxyConnectException refusal(String reason, Throwable cause) {
        return new ProxyConnectException(protocol, proxyAddress, targetAddress, reason, cause);
    }

    /** For an unexpected kind of answer. */
    final ProxyConnectException malformed(Object answer) {
        return refusal("malformed answer (" + answer.getClass().getSimpleName() + ")", null);
    }

    /** Adds a decoder before this handler, for the bytes that the proxy sends. */
    final void addDecoder(ChannelHandlerContext ctx, ChannelHandler next) {
        ctx.getPipeline()
                .addBefore(ctx.getName(), ctx.getName() + "." + next.getClass().getSimpleName(), next);
        decoder = next;
    }

    /** Removes the decoder, unless it removes itself. Bytes it has not decoded are received next. */
    final void removeDecoder(ChannelHandlerContext ctx) {
        ctx.getPipeline().remove(decoder);
    }

    // ---- requests, from any thread ----

    @Override
    public final void connectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        if (state.phase() == Phase.OPEN) {
            ctx.sendDownstream(e); // for the transport to refuse
            return;
        }
        if (!(e.getValue() instanceof InetSocketAddress target)) {
            e.getFuture()
                    .setFailure(new IllegalArgumentException(
                            "a proxy can only connect to an InetSocketAddress: " + e.getValue()));
        } else if (!state.enter(Phase.IDLE, Phase.CONNECTING)) {
            e.getFuture()
                    .setFailure(
                            state.phase() == Phase.FAILED
                                    ? new ClosedChannelException()
                                    : new ConnectionPendingException());
        } else {
            connected = e.getFuture();
            targetAddress = target;
            connect(ctx, target);
        }
    }

    private void connect(ChannelHandlerContext ctx, InetSocketAddress target) {
        try {
            checkTarget(ProxyTarget.of(target));
            startDeadline(ctx);
        } catch (RuntimeException e) {
            failOnIoThread(ctx, e);
            return;
        }
        Channel channel = ctx.getChannel();
        ChannelFuture toProxy = Channels.future(channel, true);
        toProxy.addListener(future -> {
            if (!future.isSuccess()) {
                failOnIoThread(ctx, closing ? new ClosedChannelException() : future.getCause());
            }
        });
        connected.addListener(future -> {
            if (future.isCancelled()) {
                closing = true;
                Channels.close(ctx, Channels.future(channel));
            }
        });
        Channels.connect(ctx, toProxy, proxyAddress);
    }

    private void startDeadline(ChannelHandlerContext ctx) {
        long millis = Durations.millis(connectTimeout);
        if (millis == 0) {
            return;
        }
        deadline = new Deadline(null, millis, () -> ctx.getPipeline().execute(() -> onTimeout(ctx, millis)));
        deadline.start();
    }

    private void onTimeout(ChannelHandlerContext ctx, long millis) {
        fail(ctx, new ConnectTimeoutException("no tunnel within " + millis + " ms"));
    }

    @Override
    public final void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (!state.isHolding()) {
            passWriteOn(ctx, e);
            return;
        }
        HeldWrite admitted = held.admit(e);
        if (admitted != null && !hold(admitted)) {
            passHeldOn(ctx, admitted);
        }
    }

    private boolean hold(HeldWrite write) {
        try {
            return state.holdWrite(write);
        } catch (Throwable t) { // out of memory
            held.fail(write, t);
            throw t;
        }
    }

    private void passWriteOn(ChannelHandlerContext ctx, MessageEvent e) {
        Throwable failure = refusal(ctx);
        if (failure != null) {
            UnsentMessage.fail(e, failure);
        } else {
            ctx.sendDownstream(e);
        }
    }

    private void passHeldOn(ChannelHandlerContext ctx, HeldWrite write) {
        Throwable failure = refusal(ctx);
        if (failure != null) {
            held.fail(write, failure);
        } else {
            held.passOn(ctx, write);
        }
    }

    /** Data for the target must not reach a proxy that has refused and is about to be closed. Returns null if it may be sent. */
    private Throwable refusal(ChannelHandlerContext ctx) {
        Throwable failure = state.failure();
        return failure != null && ctx.getChannel().isOpen() ? failure : null;
    }

    private void fail(ChannelEvent request, Throwable cause) {
        if (request instanceof HeldWrite write) {
            held.fail(write, cause);
        } else {
            request.getFuture().setFailure(cause);
        }
    }

    /** Not for users: bytes that wait for the tunnel. */
    @Override
    public final long heldBytes(Object channel) {
        return held.bytes();
    }

    @Override
    public final void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        if (!state.holdInterest(e)) {
            ctx.sendDownstream(e);
        }
    }

    @Override
    public final void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        closing = true;
        ctx.sendDownstream(e);
    }

    @Override
    public final void disconnectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        closing = true;
        ctx.sendDownstream(e);
    }

    // ---- the proxy's side ----

    @Override
    public final void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        if (state.enter(Phase.CONNECTING, Phase.ASKING)) {
            ask(ctx, ProxyTarget.of(targetAddress));
        } else if (state.phase() != Phase.FAILED) {
            ctx.sendUpstream(e);
        }
    }

    @Override
    public final void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        switch (state.phase()) {
            case ASKING -> {
                if (takeAnswer(ctx, ProxyTarget.of(targetAddress), e.getMessage())) {
                    open(ctx);
                }
            }
            case FAILED -> {
                return; // it's not from the target
            }
            default -> ctx.sendUpstream(e);
        }
    }

    private void open(ChannelHandlerContext ctx) {
        if (sendFailure != null) {
            fail(ctx, sendFailure);
        }
        SslHandler proxyTls = HandlersBelow.nearest(ctx, SslHandler.class);
        TunnelTarget.set(
                ctx.getChannel(), targetAddress, proxyTls); // first: without memory, the attempt fails like any other
        if (!state.enter(Phase.ASKING, Phase.ESTABLISHED)) {
            return;
        }
        try {
            announceAndSend(ctx);
        } catch (Throwable t) { // out of memory
            abandon(ctx, t);
            throw t;
        }
        if (ctx.getPipeline().getContext(this) != null) { // unless a handler after it has removed it
            ctx.getPipeline().remove(this);
        }
    }

    private void announceAndSend(ChannelHandlerContext ctx) {
        stopDeadline();
        if (connected.setSuccess()) { // otherwise it was cancelled, and the channel is being closed
            Channels.fireChannelConnected(ctx, targetAddress);
        }
        sendWaiting(ctx);
    }

    /** The tunnel is established but can't be used. Nothing else would complete what waits for it. */
    private void abandon(ChannelHandlerContext ctx, Throwable cause) {
        Holding.complete(connected, cause);
        for (ChannelEvent next = state.next(); next != null; next = state.next()) {
            if (next instanceof HeldWrite write) {
                held.fail(write, cause);
            } else {
                Holding.complete(next.getFuture(), cause);
            }
        }
        Channels.close(
                ctx, Channels.future(ctx.getChannel()), CloseReason.of(CloseReason.Kind.CONNECT_FAILED, null, cause));
    }

    private void sendWaiting(ChannelHandlerContext ctx) {
        for (ChannelEvent next = state.next(); next != null; next = state.next()) {
            send(ctx, next);
        }
    }

    /** A handler before this one that fails doesn't keep other requests from being sent. */
    private void send(ChannelHandlerContext ctx, ChannelEvent request) {
        try {
            held.passOn(ctx, request, HeldWrite.chargeOf(request));
        } catch (RuntimeException e) {
            request.getFuture().setFailure(e);
        } catch (Error withoutMemory) {
            Holding.complete(request.getFuture(), withoutMemory);
            throw withoutMemory;
        }
    }

    /** Not for users: a handler after this one awaits, on the I/O thread, a write it made when it was connected. */
    @Override
    public final void releaseWrites() {
        sendWaiting(ctx);
    }

    // ---- failures ----

    /**
     * Failures of the handlers after this one also arrive here. While the proxy is being asked, a failure can't be theirs,
     * because they don't know of the connection yet.
     */
    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        switch (state.phase()) {
            case ASKING -> onFailure(ctx, e.getCause());
            case FAILED -> {
                if (e.getCause() != failureCause) { // otherwise it was already fired
                    ctx.sendUpstream(e);
                }
            }
            default -> ctx.sendUpstream(e);
        }
    }

    /** After a reset, the transport reads on and then closes: a refusal that is found there says more than the reset. */
    private void onFailure(ChannelHandlerContext ctx, Throwable cause) {
        boolean isAnswer =
                cause instanceof ProxyConnectException; // whose text may quote the proxy: "502 Connection reset"
        if (!isAnswer && BrokenOutput.leavesInput(CloseReason.ofFailure(CloseReason.Kind.WRITE_FAILED, cause))) {
            sendFailure = cause;
        } else {
            fail(ctx, cause);
        }
    }

    /**
     * Any thread: the exception must not be fired in the middle of another event, such as the close that follows a failed
     * connect.
     */
    private void failOnIoThread(ChannelHandlerContext ctx, Throwable cause) {
        ctx.getPipeline().execute(() -> fail(ctx, cause)).addListener(executed -> {
            if (!executed.isSuccess()) {
                fail(ctx, cause); // the I/O thread has ended
            }
        });
    }

    /**
     * Has no effect once the tunnel is established or has failed.
     *
     * @param cause {@link ClosedChannelException} if this side has closed the channel
     */
    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        boolean wanted = cause instanceof ClosedChannelException;
        Throwable reported = wanted ? cause : asConnectException(cause);
        List<ChannelEvent> failed = state.fail(reported);
        if (failed == null) {
            return;
        }
        stopDeadline();
        failureCause = cause;
        if (connected != null) {
            connected.setFailure(reported);
        }
        for (ChannelEvent request : failed) {
            fail(request, reported);
        }
        if (!wanted) {
            Channels.noteCloseReason(
                    ctx.getChannel(), CloseReason.of(CloseReason.Kind.CONNECT_FAILED, "through a proxy", reported));
            Channels.fireExceptionCaught(ctx, reported);
        }
        if (ctx.getChannel().isOpen()) {
            Channels.close(ctx, Channels.future(ctx.getChannel()));
        }
    }

    private ProxyConnectException asConnectException(Throwable cause) {
        if (cause instanceof ProxyConnectException refusal) {
            return refusal;
        }
        return refusal(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
    }

    private void stopDeadline() {
        Deadline started = deadline;
        if (started != null) {
            started.cancel();
        }
    }

    /** With the channel's {@code allowHalfClosure}, a proxy that ends its output does not close the connection. */
    @Override
    public final void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) throws Exception {
        onEnd(ctx);
        if (state.phase() != Phase.FAILED) {
            ctx.sendUpstream(e);
        }
    }

    /** The handlers after this one never saw a connection that ends before the tunnel is established. */
    @Override
    public final void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        onEnd(ctx);
        if (state.phase() != Phase.FAILED) {
            ctx.sendUpstream(e);
        }
    }

    @Override
    public final void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        onEnd(ctx);
        ctx.sendUpstream(e);
    }

    private void onEnd(ChannelHandlerContext ctx) {
        boolean wanted = closing || targetAddress == null;
        if (wanted || sendFailure == null) {
            fail(ctx, wanted ? new ClosedChannelException() : refusal("the proxy closed the connection", null));
        } else {
            fail(ctx, sendFailure);
        }
    }

    // ---- being added and removed ----

    @Override
    public final void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        if (this.ctx != null) {
            throw new IllegalStateException("a " + getClass().getSimpleName() + " connects only one channel, once");
        }
        if (ctx.getChannel() != null && ctx.getChannel().isConnected()) {
            throw new IllegalStateException("the channel is already connected: " + ctx.getChannel());
        }
        this.ctx = ctx;
    }

    @Override
    public final void afterAdd(ChannelHandlerContext ctx) throws Exception {
        // a connect request starts it
    }

    @Override
    public final void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        // see afterRemove
    }

    /** If it is removed too early, nothing else can establish the tunnel. */
    @Override
    public final void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (connected != null && state.phase() != Phase.OPEN) {
            sendWaiting(ctx);
            failOnIoThread(ctx, refusal("the handler was removed from the pipeline", null));
        }
    }
}
