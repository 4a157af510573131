package org.freshet.example.execution;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Blocks, as one that asks a database would, and answers. The same code for each way to run it. Any number of threads. */
@Sharable
final class SlowHandler extends SimpleChannelUpstreamHandler {
    /** Ids of threads that answered; virtual threads have one for each request. */
    private final Set<Long> threads = ConcurrentHashMap.newKeySet();

    /** How many threads have answered requests. */
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
