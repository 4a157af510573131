package org.freshet.handler.codec.http2;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.handler.Borrowers;
import org.freshet.internal.handler.QuietProbe;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.telemetry.Explainable;
import org.freshet.telemetry.Explanation;

/**
 * The handler of a connection, common to both sides. All events of the connection's life pass through it. Its messages end
 * here; those of its streams go through the streams' pipelines.
 *
 * <p>Belongs to its pipeline's I/O thread.
 */
@ActsOn({
    EventKind.OPEN,
    EventKind.BOUND,
    EventKind.CONNECTED,
    EventKind.INTEREST_CHANGED,
    EventKind.DISCONNECTED,
    EventKind.UNBOUND,
    EventKind.CLOSED,
    EventKind.WRITTEN
})
abstract class Http2ConnectionHandler
        implements ChannelUpstreamHandler, ChannelDownstreamHandler, LifeCycleAwareChannelHandler, Explainable {
    private final Http2Settings settings;
    private final ChannelPipelineFactory requestPipelines;
    private final byte[] sentPreface;

    private volatile Connection connection;
    private boolean isStarted;

    Http2ConnectionHandler(Http2Settings settings, ChannelPipelineFactory requestPipelines, byte[] sentPreface) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.requestPipelines = requestPipelines;
        this.sentPreface = sentPreface;
    }

    /** Null until the pipeline has a channel. */
    final Connection connection() {
        return connection;
    }

    /**
     * Ends the connection without failing a request: the peer is told to open no more streams (GOAWAY), and the channel closes
     * when the last stream has ended. A {@link DrainEvent} does the same in two steps, so streams that the peer opens before it
     * has heard are not refused (RFC 9113, section 6.8). Any thread may call this. Does nothing before the pipeline has a
     * channel.
     */
    public final void drain() {
        Connection now = connection;
        if (now != null) {
            now.execute(now::drain);
        }
    }

    @Override
    public final void explain(ChannelHandlerContext ctx, Explanation out) {
        Connection now = connection;
        if (now != null) {
            out.put("state", now.state()).put("streams", now.streams().count());
            if (now.isServer()) {
                out.put(
                        "requests refused before a handler got them",
                        now.streams().unhandledRequests());
            }
        }
    }

    /** Gets the received bytes, before they are parsed. */
    abstract void received(Connection to, ChannelBuffer in);

    @Override
    public final void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        makeConnection(ctx);
        if (connection.inIoThread()) {
            receive(ctx, e); // not as a task: we may be inside one, which must finish before the waiting ones
        } else { // a handler below runs events on its own thread
            QuietProbe.move(ctx, e, connection::execute, () -> receiveAsTask(ctx, e));
        }
    }

    private void receiveAsTask(ChannelHandlerContext ctx, ChannelEvent e) {
        try {
            receive(ctx, e);
        } catch (Throwable t) {
            Channels.fireExceptionCaught(ctx, t);
        }
    }

    private void receive(ChannelHandlerContext ctx, ChannelEvent e) {
        if (e instanceof MessageEvent message && Borrowers.message(this, message) instanceof ChannelBuffer in) {
            startOnce();
            if (!connection.end().drop(in)) {
                received(connection, in);
            }
            return;
        }
        if (e instanceof ChannelStateEvent event) {
            beforeEvent(event);
        } else if (e instanceof WriteCompletionEvent written) {
            connection.onWritten(written.getWrittenAmount());
        } else if (e instanceof InputShutdownEvent) {
            connection.execute(connection.end()::onInputEnd);
        } else if (e instanceof DrainEvent drain) {
            connection.execute(() -> connection.drain(drain));
        }
        ctx.sendUpstream(e);
    }

    private void beforeEvent(ChannelStateEvent e) {
        boolean isEnd = isEnd(e);
        if (e.getState() == ChannelState.CONNECTED && !isEnd) {
            startOnce();
        } else if (e.getState() == ChannelState.INTEREST_OPS) {
            connection.onWritability();
        } else if (isEnd) {
            connection.onClosed();
        }
    }

    private void startOnce() {
        if (!isStarted) {
            isStarted = true;
            connection.start(sentPreface);
        }
    }

    @Override
    public final void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
        if (e instanceof MessageEvent) {
            e.getFuture()
                    .setFailure(new UnsupportedOperationException(
                            "cannot write to an HTTP/2 connection: write to the channel of a stream"));
            return;
        }
        Connection now = connection;
        if (now != null && ReadSuspension.isReadRequest(e) && now.end().isDropping()) {
            e.getFuture().setSuccess();
            return;
        }
        if (now != null && e instanceof ChannelStateEvent event && isEnd(event)) {
            now.execute(now::onClosing);
        }
        ctx.sendDownstream(e);
    }

    /** Whether the channel is, or is to be, disconnected, unbound or closed. Any of them ends the connection. */
    private static boolean isEnd(ChannelStateEvent e) {
        return e.getValue() == null || Boolean.FALSE.equals(e.getValue());
    }

    private void makeConnection(ChannelHandlerContext ctx) {
        if (connection == null) {
            connection = new Connection(ctx, settings, requestPipelines);
        }
    }

    @Override
    public final void beforeAdd(ChannelHandlerContext ctx) {}

    /** If the channel is already connected, no event will announce that. */
    @Override
    public final void afterAdd(ChannelHandlerContext ctx) {
        if (ctx.getPipeline().isAttached() && ctx.getChannel().isConnected()) {
            makeConnection(ctx);
            connection.execute(this::startOnce);
        }
    }

    @Override
    public final void beforeRemove(ChannelHandlerContext ctx) {
        if (connection != null) {
            connection.execute(connection::onRemoved);
        }
    }

    @Override
    public final void afterRemove(ChannelHandlerContext ctx) {}
}
