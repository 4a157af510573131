package org.freshet.channel;

/**
 * A node in the handler list of a {@link DefaultChannelPipeline}. There is one per handler and connection, so every field counts: the
 * object takes 40 bytes.
 *
 * <p>The handler is stored twice, once per direction, so dispatch needs neither a flag nor a cast.
 *
 * <p><b>Threading.</b> Dispatch reads {@code above} and {@code below} on any thread without a lock; they are written under the pipeline's
 * monitor.
 *
 * <p><b>Removal.</b> A removed context's handler may still hold an event. So the context's links are replaced with a <em>forwarding
 * node</em>: a context without a name and handlers that keeps the neighbours at the time of the removal. If an event is sent on from the
 * removed context, it reaches the forwarding node. That leads to the current successor of the neighbour that the event came from, or to the
 * end of the list if there was none. If that neighbour has also been removed, its own forwarding node leads further. So an event never
 * skips a handler that stays, and never reaches one twice. The forwarding node of a replaced context has the replacement on both sides, so
 * the event continues after the replacement.
 */
final class DefaultChannelHandlerContext implements ChannelHandlerContext {
    final DefaultChannelPipeline pipeline;

    /** Null in a forwarding node. */
    private final String name;

    /** The handler if it handles upstream events, otherwise null. */
    final ChannelUpstreamHandler upstream;

    /** The handler if it handles downstream events, otherwise null. */
    final ChannelDownstreamHandler downstream;

    /** The next context upstream; null at the top. In a forwarding node: the neighbour above at the time of the removal. */
    volatile DefaultChannelHandlerContext above;

    /** The next context downstream; null at the bottom. In a forwarding node: the neighbour below at the time of the removal. */
    volatile DefaultChannelHandlerContext below;

    private volatile Object attachment;

    /** Creates a context that is not in the list yet. */
    DefaultChannelHandlerContext(DefaultChannelPipeline pipeline, String name, ChannelHandler handler) {
        this.pipeline = pipeline;
        this.name = name;
        this.upstream = handler instanceof ChannelUpstreamHandler up ? up : null;
        this.downstream = handler instanceof ChannelDownstreamHandler down ? down : null;
        if (upstream == null && downstream == null) {
            throw new IllegalArgumentException(
                    "handler is neither a ChannelUpstreamHandler nor a ChannelDownstreamHandler: "
                            + handler.getClass().getName());
        }
    }

    private DefaultChannelHandlerContext(
            DefaultChannelPipeline pipeline, DefaultChannelHandlerContext above, DefaultChannelHandlerContext below) {
        this.pipeline = pipeline;
        this.name = null;
        this.upstream = null;
        this.downstream = null;
        this.above = above;
        this.below = below;
    }

    // ---- walking: any thread ----

    /** Returns the first upstream handler's context from {@code candidate} on, inclusive; null if none follows. */
    static DefaultChannelHandlerContext upstreamFrom(DefaultChannelHandlerContext candidate) {
        DefaultChannelHandlerContext ctx = candidate;
        while (ctx != null && ctx.upstream == null) {
            ctx = ctx.isForwarding() ? ctx.resumeUpstream() : ctx.above;
        }
        return ctx;
    }

    /** Returns the first downstream handler's context from {@code candidate} on, inclusive; null if none follows. */
    static DefaultChannelHandlerContext downstreamFrom(DefaultChannelHandlerContext candidate) {
        DefaultChannelHandlerContext ctx = candidate;
        while (ctx != null && ctx.downstream == null) {
            ctx = ctx.isForwarding() ? ctx.resumeDownstream() : ctx.below;
        }
        return ctx;
    }

    /** Returns the next context of either direction; null if this is the top. */
    DefaultChannelHandlerContext nextAbove() {
        DefaultChannelHandlerContext ctx = above;
        while (ctx != null && ctx.isForwarding()) {
            ctx = ctx.resumeUpstream();
        }
        return ctx;
    }

    private boolean isForwarding() {
        return name == null;
    }

    private DefaultChannelHandlerContext resumeUpstream() {
        DefaultChannelHandlerContext behind = below;
        return behind == null ? pipeline.bottom() : behind.above;
    }

    private DefaultChannelHandlerContext resumeDownstream() {
        DefaultChannelHandlerContext behind = above;
        return behind == null ? pipeline.top() : behind.below;
    }

    // ---- removal: under the pipeline's monitor, after the neighbours have been linked to each other ----

    void forwardToNeighbours() {
        forward(above, below);
    }

    void forwardTo(DefaultChannelHandlerContext replacement) {
        forward(replacement, replacement);
    }

    private void forward(DefaultChannelHandlerContext formerAbove, DefaultChannelHandlerContext formerBelow) {
        DefaultChannelHandlerContext node = new DefaultChannelHandlerContext(pipeline, formerAbove, formerBelow);
        above = node;
        below = node;
    }

    /** Under the pipeline's monitor. */
    boolean isRemoved() {
        DefaultChannelHandlerContext next = above;
        return next != null && next.isForwarding();
    }

    // ---- for the user ----

    @Override
    public Channel getChannel() {
        return pipeline.getChannel();
    }

    @Override
    public ChannelPipeline getPipeline() {
        return pipeline;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public ChannelHandler getHandler() {
        return upstream != null ? upstream : downstream;
    }

    @Override
    public boolean canHandleUpstream() {
        return upstream != null;
    }

    @Override
    public boolean canHandleDownstream() {
        return downstream != null;
    }

    @Override
    public void sendUpstream(ChannelEvent e) {
        pipeline.deliverUpstream(above, e);
    }

    @Override
    public void sendDownstream(ChannelEvent e) {
        pipeline.deliverDownstream(below, e);
    }

    @Override
    public Object getAttachment() {
        return attachment;
    }

    @Override
    public void setAttachment(Object attachment) {
        this.attachment = attachment;
    }

    /** The handler's name in messages: {@code 'decoder' (com.example.MyDecoder)}. */
    String label() {
        return "'" + name + "' (" + getHandler().getClass().getName() + ")";
    }

    @Override
    public String toString() {
        return "ChannelHandlerContext" + label();
    }
}
