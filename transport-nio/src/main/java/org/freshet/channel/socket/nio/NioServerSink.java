package org.freshet.channel.socket.nio;

import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;

/** Where the downstream events of listening sockets end: bind and close become tasks of the boss. Any thread. */
final class NioServerSink extends AbstractChannelSink {
    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        if (e instanceof ChannelStateEvent event) {
            onState((NioServerSocketChannel) e.getChannel(), event);
        }
    }

    private static void onState(NioServerSocketChannel channel, ChannelStateEvent e) {
        ChannelFuture future = e.getFuture();
        boolean isBind = e.getState() == ChannelState.BOUND && e.getValue() != null;
        boolean isClose = e.getState() == ChannelState.OPEN && Boolean.FALSE.equals(e.getValue())
                || e.getState() == ChannelState.BOUND && e.getValue() == null;
        if (isBind && !channel.boss().execute(() -> channel.onBind(future, (SocketAddress) e.getValue()))) {
            future.setFailure(new ClosedChannelException());
        } else if (isClose) {
            channel.close(future);
        }
    }

    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        return LoopTasks.execute(((NioServerSocketChannel) pipeline.getChannel()).boss(), pipeline.getChannel(), task);
    }
}
