package org.freshet.channel;

/** A handler that throws on messages in both directions. */
final class Thrower extends SimpleChannelHandler {
    private final Throwable thrown;

    Thrower(Throwable thrown) {
        this.thrown = thrown;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Rethrow.now(thrown);
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Rethrow.now(thrown);
    }
}
