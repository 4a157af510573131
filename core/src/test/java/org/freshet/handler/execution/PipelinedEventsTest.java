package org.freshet.handler.execution;

import static org.freshet.handler.execution.TaskRunner.throwing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which events wait for their turn, which pass immediately, and which exceptions belong to a request. */
class PipelinedEventsTest {
    private final TaskQueue executor = new TaskQueue();
    private final List<String> log = new ArrayList<>();
    private Runnable onException = () -> {};

    private final class Business extends TaskRunner {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            log.add(e.getCause().getMessage());
            onException.run();
        }
    }

    private final PipelinedExecutionHandler handler =
            new PipelinedExecutionHandler(executor, new FakeTimer(), 2, 1 << 20, Duration.ofSeconds(1)) {
                @Override
                protected Object answerToFailure(ChannelHandlerContext ctx, MessageEvent request, Throwable cause) {
                    if (cause.getMessage().equals("no substitute")) {
                        throw new IllegalStateException("thrown by answerToFailure");
                    }
                    return "failed: " + cause.getMessage();
                }
            };

    private final List<ChannelEvent> unknown = new ArrayList<>();

    /** Keeps events that no transport understands. */
    private final ChannelDownstreamHandler bottom = (ctx, e) -> {
        if (e instanceof DownstreamChannelStateEvent || e instanceof MessageEvent) {
            ctx.sendDownstream(e);
        } else {
            unknown.add(e);
        }
    };

    private final MemoryChannel channel = MemoryChannel.connected(bottom, handler, new Business());

    /** Brings a message to the business on this thread, outside of any request. */
    private void bring(Object message) {
        channel.context(handler).sendUpstream(new UpstreamMessageEvent(channel, message, null));
    }

    // ---- events on their way up ----

    @Test
    void shouldPassEventsThatAreNoRequestsImmediately() {
        channel.receive("a");
        channel.takeUpstream();
        Channels.fireChannelInterestChanged(channel);
        Channels.fireWriteComplete(channel, 3);
        assertEquals(2, channel.takeUpstream().size());
        assertEquals(1, executor.size());
    }

    @Test
    void shouldGiveHandlersTheRequestThatTheyAnswer() {
        List<Object> requests = new ArrayList<>();
        Runnable request =
                () -> requests.add(PipelinedAnswer.current().getRequest().getMessage());
        channel.receive(request);
        executor.runAll();
        assertEquals(List.of(request), requests);
    }

    // ---- events on their way down ----

    private ChannelEvent request(ChannelState state, Object value) {
        return new DownstreamChannelStateEvent(channel, Channels.future(channel), state, value);
    }

    private List<ChannelState> statesRequested() {
        return channel.takeDownstream().stream()
                .filter(DownstreamChannelStateEvent.class::isInstance)
                .map(e -> ((DownstreamChannelStateEvent) e).getState())
                .filter(state -> state != ChannelState.INTEREST_OPS)
                .toList();
    }

    private void sendInTheSecondRequest(ChannelEvent e) {
        channel.receive("a");
        channel.receive((Runnable) () -> channel.getPipeline().sendDownstream(e));
        channel.takeDownstream();
        executor.run(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"CONNECTED", "BOUND"})
    void shouldDisconnectAndUnbindInTurn(ChannelState ended) {
        sendInTheSecondRequest(request(ended, null));
        assertEquals(List.of(), statesRequested());
        executor.runAll();
        assertEquals(List.of(ended), statesRequested());
    }

    @Test
    void shouldBindImmediately() {
        sendInTheSecondRequest(request(ChannelState.BOUND, new InetSocketAddress(0)));
        assertEquals(List.of(ChannelState.BOUND), statesRequested());
    }

    @Test
    void shouldSendEventsOfUnknownKindsImmediately() {
        ChannelEvent event = new ChannelEvent() {
            @Override
            public MemoryChannel getChannel() {
                return channel;
            }

            @Override
            public ChannelFuture getFuture() {
                return Channels.succeededFuture(channel);
            }
        };
        sendInTheSecondRequest(event);
        assertEquals(List.of(event), unknown);
    }

    @Test
    void shouldRememberARequestToReadWhileReadingIsSuspended() {
        channel.receive("a");
        channel.receive("b");
        assertFalse(channel.isReadable());
        channel.setReadable(true);
        assertFalse(channel.isReadable());
        channel.setReadable(false);
        executor.runAll();
        assertFalse(channel.isReadable());
        channel.setReadable(true);
        assertTrue(channel.isReadable());
    }

    // ---- exceptions ----

    @Test
    void shouldNotTakeAnExceptionOfAnotherChannelForAFailure() {
        MemoryChannel other = MemoryChannel.connected(new Business());
        channel.receive((Runnable) () -> {
            channel.write("a");
            other.receive(throwing("of another channel"));
        });
        executor.runAll();
        assertEquals(List.of("of another channel"), log);
        assertEquals(List.of("a"), channel.takeWritten());
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldNotTakeALaterExceptionOnTheSameThreadForAFailure() {
        List<PipelinedAnswer> answers = new ArrayList<>();
        channel.receive((Runnable) () -> answers.add(PipelinedAnswer.current().defer()));
        executor.runAll();
        onException = () -> log.add(PipelinedAnswer.currentOrNull() == null ? "outside" : "in a request");
        bring(throwing("of no request"));
        assertEquals(List.of("of no request", "outside"), log);
        answers.get(0).write("a");
        answers.get(0).end();
        assertEquals(List.of("a"), channel.takeWritten());
    }

    /** The handle belongs to the code that failed. */
    @Test
    void shouldKeepItsFirstFailureWhenCodeWithItsFormerHandleThrows() {
        List<PipelinedAnswer> answers = new ArrayList<>();
        channel.receive((Runnable) () -> answers.add(PipelinedAnswer.current().defer()));
        executor.runAll();
        onException = () -> {
            onException = () -> {};
            answers.get(0).run(() -> bring(throwing("second")));
        };
        answers.get(0).fail(new IllegalStateException("first"));
        assertEquals(List.of("first", "second"), log);
        assertEquals(List.of("failed: first"), channel.takeWritten());
    }

    @Test
    void shouldReportAnExceptionOfTheSubstituteAndClose() {
        channel.receive(throwing("no substitute"));
        executor.runAll();
        assertEquals(List.of("no substitute", "thrown by answerToFailure"), log);
        assertFalse(channel.isOpen());
    }
}
