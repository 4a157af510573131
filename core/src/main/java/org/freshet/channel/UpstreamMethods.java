package org.freshet.channel;

/** The upstream methods of the Simple handlers, and the dispatch to them. */
interface UpstreamMethods {
    void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception;

    void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception;

    void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void channelBound(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void channelUnbound(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) throws Exception;

    void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) throws Exception;

    void childChannelClosed(ChannelHandlerContext ctx, ChildChannelStateEvent e) throws Exception;

    void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) throws Exception;

    /** Calls the method of {@code target} for the kind of {@code e}, or passes {@code e} on if no method handles it. */
    static void hand(UpstreamMethods target, ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent message) {
            target.messageReceived(ctx, message);
        } else if (e instanceof WriteCompletionEvent completion) {
            target.writeComplete(ctx, completion);
        } else if (e instanceof ChannelStateEvent change) {
            handChange(target, ctx, change);
        } else if (e instanceof ExceptionEvent failure) {
            target.exceptionCaught(ctx, failure);
        } else if (e instanceof ChildChannelStateEvent childChange) {
            handChildChange(target, ctx, childChange);
        } else if (e instanceof InputShutdownEvent end) {
            target.inputShutdown(ctx, end);
        } else {
            ctx.sendUpstream(e);
        }
    }

    private static void handChange(UpstreamMethods target, ChannelHandlerContext ctx, ChannelStateEvent e)
            throws Exception {
        Object value = e.getValue();
        switch (e.getState()) {
            case OPEN -> {
                if (Boolean.TRUE.equals(value)) {
                    target.channelOpen(ctx, e);
                } else {
                    target.channelClosed(ctx, e);
                }
            }
            case BOUND -> {
                if (value != null) {
                    target.channelBound(ctx, e);
                } else {
                    target.channelUnbound(ctx, e);
                }
            }
            case CONNECTED -> {
                if (value != null) {
                    target.channelConnected(ctx, e);
                } else {
                    target.channelDisconnected(ctx, e);
                }
            }
            case INTEREST_OPS -> target.channelInterestChanged(ctx, e);
        }
    }

    private static void handChildChange(UpstreamMethods target, ChannelHandlerContext ctx, ChildChannelStateEvent e)
            throws Exception {
        if (DefaultChildChannelStateEvent.isOpening(e)) {
            target.childChannelOpen(ctx, e);
        } else {
            target.childChannelClosed(ctx, e);
        }
    }
}
