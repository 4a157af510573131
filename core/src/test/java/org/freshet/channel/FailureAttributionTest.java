package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.freshet.internal.HandlerFailureHook;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which handler the log blames for an exception. */
class FailureAttributionTest {
    private final CapturedLog log = CapturedLog.start();

    @AfterEach
    void closeLog() {
        log.close();
        HandlerFailureHook.set(null);
    }

    private static String unhandledOn(Channel channel, String thrower) {
        return "no handler dealt with an exception on " + channel + ", thrown by handler '" + thrower + "' ("
                + Thrower.class.getName() + ")";
    }

    private List<String> logged() {
        return log.messages().stream().map(CapturedLog.Message::text).toList();
    }

    @Test
    void shouldNameTheFirstHandlerAlthoughItsReportMakesAnotherOneThrow() {
        Exception first = new Exception("first");
        ChannelPipeline pipeline = new DefaultChannelPipeline() {
            @Override
            protected void notifyHandlerException(ChannelEvent e, Throwable t) {
                if (t == first) {
                    Channels.write(e.getChannel(), "an excuse");
                }
                super.notifyHandlerException(e, t);
            }
        };
        pipeline.addLast("decoder", new Thrower(first));
        pipeline.addLast("encoder", new Thrower(new Exception("second")));
        PaperChannel channel = new PaperChannel(pipeline);
        Channels.fireMessageReceived(channel, "m");
        assertEquals(List.of(unhandledOn(channel, "encoder"), unhandledOn(channel, "decoder")), logged());
    }

    @Test
    void shouldNotNameItForALaterFailureThatTheSinkReports() throws Exception {
        PaperChannel channel = new PaperChannel(new Thrower(new Exception("first")));
        Channels.fireMessageReceived(channel, "m");
        channel.sink.exceptionCaught(
                channel.getPipeline(),
                new UpstreamMessageEvent(channel, "m", null),
                new ChannelPipelineException(new Exception("of the transport")));
        assertEquals(List.of(unhandledOn(channel, "0"), "no handler dealt with an exception on " + channel), logged());
    }

    @Test
    void shouldNotifyTheHookOfTheThreadOnWhichAHandlerThrows() {
        Exception thrown = new Exception("for this test");
        List<Object> notified = new ArrayList<>();
        PaperChannel channel = new PaperChannel(new Thrower(thrown));
        HandlerFailureHook.set((of, failure) -> {
            assertEquals(List.of(), logged(), "before the exception event");
            assertSame(thrown, failure);
            notified.add(of);
        });
        Channels.fireMessageReceived(channel, "m");
        assertEquals(List.of(channel), notified);
        assertEquals(1, logged().size());
    }
}
