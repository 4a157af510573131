package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.freshet.internal.race.RaceCheck;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which calls of handlers are recorded while the check for races is on. Here they are made directly. */
class CheckedCallsTest {
    /** For each event, how many handlers are being called then. */
    private static class Watching extends SimpleChannelHandler {
        final List<Integer> calls = new ArrayList<>();

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            calls.add(RaceCheck.INSTANCE.size());
        }

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            calls.add(RaceCheck.INSTANCE.size());
        }
    }

    @ChannelHandler.Sharable
    private static final class Shared extends Watching {}

    private static DefaultChannelHandlerContext contextOf(ChannelHandler handler) {
        ChannelPipeline pipeline = new PaperChannel(handler).getPipeline();
        return (DefaultChannelHandlerContext) pipeline.getContext(handler);
    }

    private static ChannelEvent received(DefaultChannelHandlerContext ctx) {
        return new UpstreamMessageEvent(ctx.getChannel(), "m", null);
    }

    private static ChannelEvent written(DefaultChannelHandlerContext ctx) {
        return new DownstreamMessageEvent(ctx.getChannel(), Channels.future(ctx.getChannel()), "m", null);
    }

    @AfterEach
    void shouldKeepNoCallsThatHaveReturned() {
        assertEquals(0, RaceCheck.INSTANCE.size());
    }

    @Test
    void shouldRecordCallsOfHandlersThatAreNotSharableInBothDirections() throws Exception {
        for (Watching handler : List.of(new Watching(), new Shared())) {
            DefaultChannelHandlerContext ctx = contextOf(handler);
            CheckedCalls.handleUpstream(ctx, received(ctx));
            CheckedCalls.handleDownstream(ctx, written(ctx));
            int recorded = handler instanceof Shared ? 0 : 1;
            assertEquals(List.of(recorded, recorded), handler.calls);
        }
    }

    @Test
    void shouldForgetCallsThatThrow() {
        Exception thrown = new Exception("for this test");
        DefaultChannelHandlerContext ctx = contextOf(new Thrower(thrown));
        assertEquals(thrown, assertThrows(Exception.class, () -> CheckedCalls.handleUpstream(ctx, received(ctx))));
        assertEquals(thrown, assertThrows(Exception.class, () -> CheckedCalls.handleDownstream(ctx, written(ctx))));
    }

    /** A handler's failure is reported on the thread on which it failed. */
    @Test
    void shouldAllowAFailureOrAWriteOnAnotherThread() throws Exception {
        DefaultChannelHandlerContext ctx = contextOf(new SimpleChannelHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext place, MessageEvent e) {
                onAnotherThread((DefaultChannelHandlerContext) place);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext place, ExceptionEvent e) {}
        });
        try (CapturedLog log = CapturedLog.start()) {
            CheckedCalls.handleUpstream(ctx, received(ctx));
            assertEquals(List.of(), log.messages());
        }
    }

    private static void onAnotherThread(DefaultChannelHandlerContext ctx) {
        Thread other = new Thread(() -> {
            try {
                CheckedCalls.handleUpstream(
                        ctx, new DefaultExceptionEvent(ctx.getChannel(), new Exception("expected")));
                CheckedCalls.handleDownstream(ctx, written(ctx));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        Await.end(other);
    }
}
