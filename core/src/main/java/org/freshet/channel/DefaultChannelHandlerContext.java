package org.freshet.channel;

/**
 * A link of {@link DefaultChannelPipeline}'s chain. One exists for each handler of each connection, so every field counts: the
 * object takes 40 bytes.
 *
 * <p>The handler is kept twice, by direction, so that dispatch needs neither a flag nor a cast.
 *
 * <p><b>Threading.</b> {@code above} and {@code below} are read by dispatch on any thread without a lock and written under the
 * pipeline's monitor.
 *
 * <p><b>Removal.</b> A removed context may still hold an event. Its links are then replaced by a <em>detour</em>: a context
 * without name and handlers that remembers the neighbours of that time. Whoever goes on from a removed context comes to the
 * detour and from there to what now follows the neighbour behind him (or to the end of the chain, if there was none). That
 * neighbour may have been removed in turn; then its own detour leads further. So an event never skips a handler that stayed,
 * and never meets one twice. A replaced context's detour has the replacement on both sides: the event goes on behind it.
 */
final class DefaultChannelHandlerContext implements ChannelHandlerContext {
    final DefaultChannelPipeline pipeline;

    /** Null in a detour. */
    private final String name;

    /** The handler if it handles upstream events, else null. */
    final ChannelUpstreamHandler upstream;

    /** The handler if it handles downstream events, else null. */
    final ChannelDownstreamHandler downstream;

    /** Where upstream events go next; null at the top. In a detour: the neighbour above at the time of the removal. */
    volatile DefaultChannelHandlerContext above;

    /** Where downstream events go next; null at the bottom. In a detour: the neighbour below at the time of the removal. */
    volatile DefaultChannelHandlerContext below;

    private volatile Object attachment;

    /** The place of a handler that is not in the chain yet. */
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
            ctx = ctx.isDetour() ? ctx.backOnTheWayUp() : ctx.above;
        }
        return ctx;
    }

    /** The first downstream handler's context from {@code candidate} on, itself included; null if there is none. */
    static DefaultChannelHandlerContext downstreamFrom(DefaultChannelHandlerContext candidate) {
        DefaultChannelHandlerContext ctx = candidate;
        while (ctx != null && ctx.downstream == null) {
            ctx = ctx.isDetour() ? ctx.backOnTheWayDown() : ctx.below;
        }
        return ctx;
    }

    /** The next place of any direction; null if this is the top. */
    DefaultChannelHandlerContext nextAbove() {
        DefaultChannelHandlerContext ctx = above;
        while (ctx != null && ctx.isDetour()) {
            ctx = ctx.backOnTheWayUp();
        }
        return ctx;
    }

    private boolean isDetour() {
        return name == null;
    }

    private DefaultChannelHandlerContext backOnTheWayUp() {
        DefaultChannelHandlerContext behind = below;
        return behind == null ? pipeline.bottom() : behind.above;
    }

    private DefaultChannelHandlerContext backOnTheWayDown() {
        DefaultChannelHandlerContext behind = above;
        return behind == null ? pipeline.top() : behind.below;
    }

    // ---- leaving the chain: under the pipeline's monitor, after the neighbours have been linked around this context
    // ----

    void leave() {
        detour(above, below);
    }

    void leaveTo(DefaultChannelHandlerContext replacement) {
        detour(replacement, replacement);
    }

    private void detour(DefaultChannelHandlerContext onTheWayDown, DefaultChannelHandlerContext onTheWayUp) {
        DefaultChannelHandlerContext detour = new DefaultChannelHandlerContext(pipeline, onTheWayDown, onTheWayUp);
        above = detour;
        below = detour;
    }

    /** Under the pipeline's monitor. */
    boolean hasLeft() {
        DefaultChannelHandlerContext next = above;
        return next != null && next.isDetour();
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
