package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens to the HTTP/1.1 handlers when the client has chosen that version. */
class HttpServerChooserTest {
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final RuntimeException FAULT = new IllegalStateException("a fault of the application");

    private static final class Refusing extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
        private boolean isSecond;

        @Override
        public void afterAdd(ChannelHandlerContext ctx) {
            if (ctx.getPipeline().isAttached() || isSecond) {
                throw FAULT;
            }
        }
    }

    /** Answers an exception, as a handler that is alone in the pipeline must not do. */
    private static final class Answering extends SimpleChannelHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, org.freshet.channel.ExceptionEvent e) {
            ctx.getChannel().write("must not be sent");
        }
    }

    private static MemoryChannel connected(ChannelPipelineFactory connections) {
        ChannelPipelineFactory unused = () -> {
            throw new AssertionError("not HTTP/2");
        };
        return MemoryChannel.connected(new HttpServerChooser(connections, unused, Http2Settings.defaults()));
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of("factory", (ChannelPipelineFactory) () -> {
                    throw FAULT;
                }),
                Arguments.of(
                        "handler", (ChannelPipelineFactory) () -> Channels.pipeline(new Refusing(), new Answering())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void shouldReportAFailureOfTheApplicationAndClose(String of, ChannelPipelineFactory failing) {
        MemoryChannel channel = connected(failing);
        channel.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        channel.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size(), () -> "" + caught);
        assertSame(FAULT, root(caught.get(0)));
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.HANDLER_FAILED, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeWritten());
        assertEquals(List.of(), channel.takeReceived());
    }

    /** Takes the handler named "guest" along when it's removed. */
    private static final class Host extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
        @Override
        public void afterRemove(ChannelHandlerContext ctx) {
            if (ctx.getPipeline().get("guest") != null) {
                ctx.getPipeline().remove("guest");
            }
        }
    }

    private static ChannelPipeline withGuest() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("host", new Host());
        pipeline.addLast("guest", new SimpleChannelUpstreamHandler());
        return pipeline;
    }

    @Test
    void shouldAddAHandlerAlthoughAnotherOneRemovesIt() {
        MemoryChannel channel = connected(HttpServerChooserTest::withGuest);
        channel.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(List.of("host", "guest"), channel.getPipeline().getNames().subList(0, 2));
    }

    /** The others are those that the connection had before. */
    @Test
    void shouldRemoveOnlyItsHandlersAfterAFailure() {
        MemoryChannel channel = connected(() -> {
            ChannelPipeline pipeline = withGuest();
            pipeline.addFirst("refusing", new Refusing());
            return pipeline;
        });
        channel.getPipeline().addFirst("earlier", new SimpleChannelUpstreamHandler());
        List<String> before = channel.getPipeline().getNames();
        channel.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        Throwable caught = channel.takeCaught().get(0);
        assertSame(FAULT, root(caught));
        assertEquals(List.of(), List.of(caught.getSuppressed()));
        assertEquals(before, channel.getPipeline().getNames());
    }

    private static Throwable root(Throwable failure) {
        return failure.getCause() == null ? failure : root(failure.getCause());
    }

    private static class Helper extends SimpleChannelUpstreamHandler {}

    /** Adds its own handler, either the same one or a new one each time. */
    private static class WithHelper extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
        private final ChannelHandler helper;

        WithHelper(ChannelHandler helper) {
            this.helper = helper;
        }

        @Override
        public void afterAdd(ChannelHandlerContext ctx) {
            ctx.getPipeline().addBefore(ctx.getName(), "helper", helper == null ? new Helper() : helper);
        }
    }

    @Test
    void shouldNotAddHandlersThatAHandlerAddsItself() {
        for (ChannelHandler helper : new ChannelHandler[] {new Helper(), null}) {
            Last last = new Last();
            MemoryChannel channel = connected(() -> {
                var pipeline = Channels.pipeline();
                pipeline.addLast("first", new SimpleChannelUpstreamHandler());
                pipeline.addLast("application", new WithHelper(helper));
                pipeline.addLast("last", last);
                return pipeline;
            });
            channel.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
            assertEquals(List.of(), channel.takeCaught());
            assertEquals(List.of("first", "helper", "application", "last"), last.names);
        }
    }

    /** The handler that adds "helper" knows nothing of the pipeline's other handler of that name. */
    @Test
    void shouldKeepAHandlerWhoseNameAnotherKindOfHandlerHasTaken() {
        ChannelHandler ofPipeline = new SimpleChannelUpstreamHandler();
        MemoryChannel channel = connected(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            pipeline.addLast("other", ofPipeline);
            pipeline.addLast("application", new WithHelper(null) {
                @Override
                public void afterAdd(ChannelHandlerContext ctx) {
                    if (ctx.getPipeline().isAttached()) {
                        super.afterAdd(ctx);
                        ctx.getPipeline().addLast("other", new Helper());
                    }
                }
            });
            return pipeline;
        });
        channel.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        assertEquals(List.of(), channel.takeCaught());
        assertSame(ofPipeline, channel.getPipeline().get("other-2"));
    }

    /** {@link LifeCycleAwareChannelHandler} promises it, so that a handler releases what it keeps for a pipeline. */
    @Test
    void shouldRemoveAHandlerFromItsOldPipelineBeforeItIsAdded() {
        List<String> events = new ArrayList<>();
        MemoryChannel channel = connected(() -> Channels.pipeline(new Aware(events)));
        channel.receive(ChannelBuffers.copiedBuffer(REQUEST, US_ASCII));
        assertEquals(List.of("added", "removed", "added to a channel"), events);
    }

    private static final class Aware extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
        private final List<String> events;

        Aware(List<String> events) {
            this.events = events;
        }

        @Override
        public void afterAdd(ChannelHandlerContext ctx) {
            events.add(ctx.getPipeline().isAttached() ? "added to a channel" : "added");
        }

        @Override
        public void afterRemove(ChannelHandlerContext ctx) {
            events.add("removed");
        }
    }

    private static final class Last extends SimpleChannelUpstreamHandler {
        private List<String> names;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            names = ctx.getPipeline().getNames().stream()
                    .filter(name -> name.matches("first|helper.*|application|last"))
                    .toList();
        }
    }
}
