package org.freshet.example.execution;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * Blocks, like a handler that queries a database, and answers. The same code for each way to run it. Any number of
 * threads.
 */
@Sharable
final class SlowHandler extends SimpleChannelUpstreamHandler {
    /** IDs of threads that answered; with virtual threads, one for each request. */
    private final Set<Long> threads = ConcurrentHashMap.newKeySet();

    /** Returns the number of threads that have answered requests. */
    int threads() {
        return threads.size();
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        Request request = (Request) e.getMessage();
        try {
            Thread.sleep(request.blockingMillis());
        } catch (InterruptedException endOfRun) {
            return;
        }
        threads.add(Thread.currentThread().getId());
        e.getChannel().write(request.toBuffer());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(e.getChannel() + ": " + e.getCause());
        e.getChannel().close();
    }
}
