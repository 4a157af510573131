package org.freshet.channel;

/**
 * A node of {@link DefaultChannelPipeline}'s list of handlers. One exists for each handler of each connection, so every field counts: the
 * object takes 40 bytes.
 *
 * <p>The handler is kept twice, by direction, so that dispatch needs neither a flag nor a cast.
 *
 * <p><b>Threading.</b> {@code above} and {@code below} are read by dispatch on any thread without a lock and written under the
 * pipeline's monitor.
 *
 * <p><b>Removal.</b> A removed context's handler may still hold an event. The context's links are then replaced by a
 * <em>forwarding node</em>: a context without name and handlers that keeps the neighbours of that time. An event that is sent
 * on from a removed context reaches the forwarding node, which leads to the present successor of the neighbour that the event
 * came from, or to the end of the list if there was none. That neighbour may have been removed, too; then its own forwarding
 * node leads further. So an event never skips a handler that stays, and never meets one twice. The forwarding node of a replaced
 * context has the replacement on both sides: the event goes on behind it.
 */
final class DefaultChannelHandlerContext implements ChannelHandlerContext {
    final DefaultChannelPipeline pipeline;

    /** Null in a forwarding node. */
    private final String name;

    /** The handler if it handles upstream events, else null. */
    final ChannelUpstreamHandler upstream;

    /** The handler if it handles downstream events, else null. */
    final ChannelDownstreamHandler downstream;

    /** Where upstream events go next; null at the top. In a forwarding node: the neighbour above at the time of the removal. */
    volatile DefaultChannelHandlerContext above;

    /** Where downstream events go next; null at the bottom. In a forwarding node: the neighbour below at the time of the removal. */
    volatile DefaultChannelHandlerContext below;

    private volatile Object attachment;

    /** A context that is not in the list yet. */
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

    /** The first upstream handler's context from {@code candidate} on, itself included; null if there is none. */
    static DefaultChannelHandlerContext upstreamFrom(DefaultChannelHandlerContext candidate) {
        DefaultChannelHandlerContext ctx = candidate;
        while (ctx != null && ctx.upstream == null) {
            ctx = ctx.isForwarding() ? ctx.resumeUpstream() : ctx.above;
        }
        return ctx;
    }

    /** The first downstream handler's context from {@code candidate} on, itself included; null if there is none. */
    static DefaultChannelHandlerContext downstreamFrom(DefaultChannelHandlerContext candidate) {
        DefaultChannelHandlerContext ctx = candidate;
        while (ctx != null && ctx.downstream == null) {
            ctx = ctx.isForwarding() ? ctx.resumeDownstream() : ctx.below;
        }
        return ctx;
    }

    /** The next context of any direction; null if this is the top. */
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

    /** How messages speak of the handler: {@code 'decoder' (com.example.MyDecoder)}. */
    String label() {
        return "'" + name + "' (" + getHandler().getClass().getName() + ")";
    }

    @Override
    public String toString() {
        return "ChannelHandlerContext" + label();
    }
}
