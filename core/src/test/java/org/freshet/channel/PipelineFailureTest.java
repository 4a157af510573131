package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a pipeline treats exceptions of handlers and sinks: who is notified, which future fails, what is logged. */
class PipelineFailureTest {
    private final CapturedLog log = CapturedLog.start();
    private final List<Throwable> caught = new ArrayList<>();

    @AfterEach
    void closeLog() {
        log.close();
    }

    static List<Throwable> throwables() {
        return List.of(new RuntimeException("unchecked"), new Exception("checked"), new AssertionError("error"));
    }

    /** Handles failures. */
    private final class Catcher extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            caught.add(e.getCause());
        }
    }

    private static InternalLogLevel levelOf(Throwable t) {
        return t instanceof Error ? InternalLogLevel.ERROR : InternalLogLevel.WARN;
    }

    // ---- who is notified ----

    @ParameterizedTest
    @MethodSource("throwables")
    void shouldSendUpTheExceptionOfAnUpstreamHandler(Throwable thrown) {
        Channels.fireMessageReceived(new PaperChannel(new Thrower(thrown), new Catcher()), "m");
        assertEquals(List.of(thrown), caught);
    }

    @Test
    void shouldSendAFailureUpFromTheFirstHandler() {
        PaperChannel channel = new PaperChannel(new Catcher(), new Thrower(new Exception("above")));
        Channels.fireMessageReceived(channel, "m");
        assertEquals(1, caught.size(), "the first handler receives the second handler's exception");
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void shouldFailTheFutureAndSendUpTheExceptionOfADownstreamHandler(Throwable thrown) {
        PaperChannel channel = new PaperChannel(new Thrower(thrown), new Catcher());
        ChannelFuture future = channel.write("m");
        assertSame(thrown, future.getCause());
        assertEquals(List.of(thrown), caught);
        assertEquals(List.of(), channel.sink.sunk);
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void shouldFailTheFutureAndSendUpTheExceptionOfTheSink(Throwable thrown) {
        PaperChannel channel = new PaperChannel(new Catcher());
        channel.sink.failure = thrown;
        ChannelFuture future = channel.write("m");
        assertSame(thrown, future.getCause());
        assertEquals(List.of(thrown), caught);
    }

    /** Otherwise nothing could close it anymore, because the handler that is notified usually closes. */
    @ParameterizedTest
    @MethodSource("throwables")
    void shouldCloseAndReportOnceEvenIfADownstreamHandlerThrows(Throwable thrown) {
        ChannelHandler thrower = new SimpleChannelDownstreamHandler() {
            @Override
            public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
                Rethrow.now(thrown);
            }
        };
        ChannelHandler closer = new SimpleChannelUpstreamHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                caught.add(e.getCause());
                e.getChannel().close();
            }
        };
        MemoryChannel channel = MemoryChannel.connected(thrower, closer);
        ChannelFuture future = channel.close();
        assertTrue(future.isSuccess());
        assertFalse(channel.isOpen());
        assertEquals(List.of(thrown), caught);
    }

    @Test
    void shouldNotThrowAtTheHandlerThatSentTheRequest() {
        List<String> order = new ArrayList<>();
        ChannelHandler sender = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                ctx.sendDownstream(e);
                order.add("returned, future done: " + e.getFuture().isDone());
            }
        };
        new PaperChannel(new Thrower(new Exception("below")), sender, new Catcher()).write("m");
        assertEquals(List.of("returned, future done: true"), order);
    }

    @Test
    void shouldUnwrapAPipelineExceptionThrownByAHandler() {
        Exception inner = new Exception("inner");
        ChannelPipelineException bare = new ChannelPipelineException("bare");
        Channels.fireMessageReceived(
                new PaperChannel(new Thrower(new ChannelPipelineException(inner)), new Catcher()), "m");
        Channels.fireMessageReceived(new PaperChannel(new Thrower(bare), new Catcher()), "m");
        assertEquals(List.of(inner, bare), caught);
    }

    @Test
    void shouldReportLaterIfTheSinkAsksForIt() {
        PaperChannel channel = new PaperChannel(new Thrower(new Exception("later")));
        channel.sink.postpones = true;
        channel.sink.reportsLater = true;
        channel.write("m");
        assertEquals(List.of(), log.messages());
        channel.sink.runPostponed();
        assertTrue(
                log.only().text().contains("thrown by handler '0' (" + Thrower.class.getName() + ")"),
                log.only().text());
    }

    @Test
    void shouldReportImmediatelyUnlessTheSinkAsksForLater() {
        Exception thrown = new Exception("now");
        MemoryChannel channel = MemoryChannel.connected(new Thrower(thrown)).holdTasks();
        channel.write("m");
        assertEquals(List.of(thrown), channel.takeCaught());
        assertEquals(0, channel.runTasks());
    }

    @Test
    void shouldTolerateAnEventWithoutFuture() {
        PaperChannel channel = new PaperChannel(new Catcher());
        channel.sink.failure = new Exception("no future");
        channel.getPipeline().sendDownstream(new ChannelEvent() {
            @Override
            public Channel getChannel() {
                return channel;
            }

            @Override
            public ChannelFuture getFuture() {
                return null;
            }
        });
        assertEquals(List.of(channel.sink.failure), caught);
    }

    @Test
    void shouldPassExceptionsToASubclass() {
        List<Throwable> notified = new ArrayList<>();
        ChannelPipeline pipeline = new DefaultChannelPipeline() {
            @Override
            protected void notifyHandlerException(ChannelEvent e, Throwable t) {
                notified.add(t);
                super.notifyHandlerException(e, t);
            }
        };
        Exception thrown = new Exception("raw");
        pipeline.addLast("thrower", new Thrower(thrown));
        Channels.fireMessageReceived(new PaperChannel(pipeline), "m");
        assertEquals(List.of(thrown), notified);
        assertTrue(log.only().text().contains("handler 'thrower'"), log.only().text());
    }

    // ---- unhandled failures are logged, once ----

    @ParameterizedTest
    @ValueSource(strings = {"Connection reset by peer", "Connection reset", "Broken pipe", "Connection timed out"})
    void shouldLogALostConnectionInOneLine(String message) {
        PaperChannel channel = new PaperChannel(new SimpleChannelUpstreamHandler());
        Channels.fireExceptionCaught(channel, new IOException(message));
        CapturedLog.Message line = log.only();
        assertEquals(InternalLogLevel.WARN, line.level());
        assertEquals(
                "no handler dealt with an exception on " + channel + ": java.io.IOException: " + message, line.text());
        assertNull(line.cause());
    }

    @Test
    void shouldLogATlsFailureInOneLine() {
        PaperChannel channel = new PaperChannel(new SimpleChannelUpstreamHandler());
        Channels.fireExceptionCaught(channel, new SSLHandshakeException("no cipher suites in common"));
        CapturedLog.Message line = log.only();
        assertEquals(InternalLogLevel.WARN, line.level());
        assertEquals(
                "no handler dealt with an exception on " + channel
                        + ": javax.net.ssl.SSLHandshakeException: no cipher suites in common",
                line.text());
        assertNull(line.cause());
    }

    @Test
    void shouldLogOtherFailuresOfATransportWithTheirStackTrace() {
        IOException cause = new IOException("No space left on device");
        Channels.fireExceptionCaught(new PaperChannel(new SimpleChannelUpstreamHandler()), cause);
        assertSame(cause, log.only().cause());
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void shouldLogAnUnhandledFailureOnceWithChannelAndHandler(Throwable thrown) {
        PaperChannel channel =
                new PaperChannel(new Thrower(thrown), new SimpleChannelUpstreamHandler(), new SimpleChannelHandler());
        Channels.fireMessageReceived(channel, "m");
        CapturedLog.Message line = log.only();
        assertEquals(levelOf(thrown), line.level());
        assertSame(thrown, line.cause());
        assertTrue(line.text().contains(channel.toString()), line.text());
        assertTrue(line.text().contains("handler '0' (" + Thrower.class.getName() + ")"), line.text());
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void shouldLogAnUnhandledFailureOfTheSinkOnce(Throwable thrown) {
        PaperChannel channel = new PaperChannel(new SimpleChannelHandler());
        channel.sink.failure = thrown;
        channel.write("m");
        CapturedLog.Message line = log.only();
        assertEquals(levelOf(thrown), line.level());
        assertSame(thrown, line.cause());
        assertTrue(line.text().contains("the sink"), line.text());
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void shouldLogAnUnhandledFailureOfTheTransportOnce(Throwable thrown) {
        PaperChannel channel = new PaperChannel(new SimpleChannelHandler());
        Channels.fireExceptionCaught(channel, thrown);
        CapturedLog.Message line = log.only();
        assertEquals("no handler dealt with an exception on " + channel, line.text());
        assertEquals(levelOf(thrown), line.level());
        assertSame(thrown, line.cause());
    }

    /** Like handlers that pass an exception on both themselves and through their superclass. */
    private static final class PassingOnTwice extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
            Channels.fireExceptionCaught(ctx, e.getCause());
            super.exceptionCaught(ctx, e);
        }
    }

    @Test
    void shouldLogAnExceptionOnceHoweverOftenHandlersPassItOn() {
        PaperChannel channel = new PaperChannel(new PassingOnTwice(), new PassingOnTwice(), new PassingOnTwice());
        Channels.fireExceptionCaught(channel, new IllegalStateException("one"));
        assertEquals(1, log.messages().size(), () -> log.messages().toString());
        Channels.fireExceptionCaught(channel, new IllegalStateException("another"));
        assertEquals(2, log.messages().size(), () -> log.messages().toString());
        Channels.fireExceptionCaught(new PaperChannel(), log.messages().get(1).cause());
        assertEquals(3, log.messages().size(), "of another channel");
    }

    @Test
    void shouldLogAFailureOfAnEmptyPipeline() {
        PaperChannel channel = new PaperChannel();
        Channels.fireExceptionCaught(channel, new Exception("nobody here"));
        assertEquals(
                "no handler dealt with an exception on " + channel, log.only().text());
    }

    @Test
    void shouldNotLogAHandledException() {
        Channels.fireMessageReceived(new PaperChannel(new Thrower(new Exception("handled")), new Catcher()), "m");
        assertEquals(List.of(), log.messages());
    }

    @Test
    void shouldLogAHandlersErrorEvenIfItIsHandled() {
        Throwable error = new AssertionError("bad");
        Channels.fireMessageReceived(new PaperChannel(new Thrower(error), new Catcher()), "m");
        assertEquals(List.of(error), caught);
        assertEquals(InternalLogLevel.ERROR, log.only().level());
    }

    @Test
    void shouldNotBlameAHandlerForADifferentFailureItReports() {
        PaperChannel other = new PaperChannel(new SimpleChannelUpstreamHandler());
        ChannelHandler reporter = new SimpleChannelUpstreamHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                Channels.fireExceptionCaught(other, new Exception("another"));
            }
        };
        Channels.fireMessageReceived(new PaperChannel(new Thrower(new Exception("first")), reporter), "m");
        assertEquals(
                "no handler dealt with an exception on " + other, log.only().text());
    }

    // ---- failures of handlers that handle failures end in the log ----

    @Test
    void shouldLogExceptionsThrownWhileAFailureIsHandled() {
        Exception second = new Exception("second");
        List<Throwable> told = new ArrayList<>();
        ChannelHandler clumsy = new SimpleChannelUpstreamHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
                told.add(e.getCause());
                throw second;
            }
        };
        Exception first = new Exception("first");
        Channels.fireMessageReceived(new PaperChannel(new Thrower(first), clumsy), "m");
        assertEquals(List.of(first), told, "notified once, no loop");
        assertSame(second, log.only().cause());
        assertTrue(log.only().text().startsWith("handler '1' ("), log.only().text());
    }

    @Test
    void shouldReportAWriteThatFailsWhileAFailureIsHandled() {
        List<Throwable> told = new ArrayList<>();
        List<ChannelFuture> answers = new ArrayList<>();
        ChannelHandler answering = new SimpleChannelUpstreamHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                told.add(e.getCause());
                if (told.size() == 1) {
                    answers.add(ctx.getChannel().write("sorry"));
                }
            }
        };
        Exception thrown = new Exception("both ways");
        Channels.fireMessageReceived(new PaperChannel(new Thrower(thrown), answering), "m");
        assertEquals(List.of(thrown, thrown), told);
        assertSame(thrown, answers.get(0).getCause());
    }

    @Test
    void shouldLogASinkThatCannotReport() {
        Exception thrown = new Exception("thrown");
        Exception sinkFailure = new Exception("cannot report");
        ChannelPipeline pipeline = Channels.pipeline(new Thrower(thrown));
        PaperChannel elsewhere = new PaperChannel();
        pipeline.attach(elsewhere, new AbstractChannelSink() {
            @Override
            public void eventSunk(ChannelPipeline ignored, ChannelEvent e) {}

            @Override
            public void exceptionCaught(ChannelPipeline ignored, ChannelEvent e, ChannelPipelineException cause)
                    throws Exception {
                throw sinkFailure;
            }
        });
        pipeline.sendUpstream(new UpstreamMessageEvent(elsewhere, "m", null));
        CapturedLog.Message line = log.only();
        assertSame(sinkFailure, line.cause());
        assertSame(thrown, line.cause().getSuppressed()[0]);
    }

    @Test
    void shouldCompleteTheFutureOnceIfTheHandlerCompletedItBeforeItThrew() {
        PaperChannel channel = new PaperChannel(
                new SimpleChannelDownstreamHandler() {
                    @Override
                    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                        e.getFuture().setSuccess();
                        throw new IllegalStateException("too late");
                    }
                },
                new Catcher());
        ChannelFuture future = channel.write("m");
        assertTrue(future.isSuccess());
        assertEquals("too late", caught.get(0).getMessage());
        assertFalse(future.setFailure(caught.get(0)));
    }
}
