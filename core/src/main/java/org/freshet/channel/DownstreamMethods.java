package org.freshet.channel;

/** The downstream methods of the Simple handlers, and the dispatch to them. */
interface DownstreamMethods {
    void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception;

    void bindRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void connectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void disconnectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void unbindRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception;

    /** Calls the method of {@code target} for the kind of {@code e}, or passes {@code e} on if no method handles it. */
    static void hand(DownstreamMethods target, ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent message) {
            target.writeRequested(ctx, message);
        } else if (e instanceof ChannelStateEvent request) {
            handRequest(target, ctx, request);
        } else {
            ctx.sendDownstream(e);
        }
    }

    private static void handRequest(DownstreamMethods target, ChannelHandlerContext ctx, ChannelStateEvent e)
            throws Exception {
        boolean release = e.getValue() == null;
        switch (e.getState()) {
            case OPEN -> {
                if (Boolean.TRUE.equals(e.getValue())) {
                    ctx.sendDownstream(e); // there is no such request; let the sink decide
                } else {
                    target.closeRequested(ctx, e);
                }
            }
            case BOUND -> {
                if (release) {
                    target.unbindRequested(ctx, e);
                } else {
                    target.bindRequested(ctx, e);
                }
            }
            case CONNECTED -> {
                if (release) {
                    target.disconnectRequested(ctx, e);
                } else {
                    target.connectRequested(ctx, e);
                }
            }
            case INTEREST_OPS -> target.setInterestOpsRequested(ctx, e);
        }
    }
}
