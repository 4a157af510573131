package org.freshet.handler.execution;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;

/** Requests that finish in the order in which the test runs the executor's tasks. */
abstract class PipelinedRequests {
    static final int TIMEOUT_MILLIS = 1000;

    final TaskQueue executor = new TaskQueue();
    final FakeTimer timer = new FakeTimer();
    final Business business = new Business();

    /** The message of a request is the action it performs. */
    interface Request {
        void handle(MessageEvent e) throws Exception;
    }

    static final class Business extends SimpleChannelUpstreamHandler {
        Request onException = e -> {};

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            if (e.getMessage() instanceof Request request) {
                request.handle(e);
            } else {
                e.getChannel().write(e.getMessage());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
            onException.handle(null);
            ctx.sendUpstream(e);
        }
    }

    PipelinedExecutionHandler handler(Executor executor, int maxInFlight, long maxMemory) {
        return new PipelinedExecutionHandler(
                executor, timer, maxInFlight, maxMemory, Duration.ofMillis(TIMEOUT_MILLIS));
    }

    MemoryChannel connect() {
        return MemoryChannel.connected(handler(executor, 100, 1 << 20), business);
    }

    MemoryChannel connectWithSubstitute(Object substitute) {
        return MemoryChannel.connected(
                new PipelinedExecutionHandler(executor, timer, 100, 1 << 20, Duration.ofMillis(TIMEOUT_MILLIS)) {
                    @Override
                    protected Object answerToFailure(ChannelHandlerContext ctx, MessageEvent request, Throwable cause) {
                        return substitute;
                    }
                },
                business);
    }

    static Request writing(Map<String, ChannelFuture> futures, String... parts) {
        return e -> {
            for (String part : parts) {
                futures.put(part, e.getChannel().write(part));
            }
        };
    }

    static Request throwing(RuntimeException thrown) {
        return e -> {
            throw thrown;
        };
    }
}
