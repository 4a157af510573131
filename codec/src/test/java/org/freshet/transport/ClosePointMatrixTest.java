package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A handler ends its channel in the middle of any event and in any way: later events are in order, and everything
 * completes.
 */
class ClosePointMatrixTest {
    private static final List<String> LIFE = List.of("open", "bound", "connected", "disconnected", "unbound", "closed");

    private static final List<String> POINTS = List.of(
            "open",
            "bound",
            "connected",
            "message",
            "written",
            "interest",
            "exception",
            "disconnected",
            "unbound",
            "closed");

    /** The ways to end a channel. */
    private enum End {
        CLOSE(Channel::close),
        AWAITED_CLOSE(ClosePointMatrixTest::closeAndAwait),
        DISCONNECT(Channel::disconnect),
        UNBIND(Channel::unbind);

        private final Function<Channel, ChannelFuture> request;

        End(Function<Channel, ChannelFuture> request) {
            this.request = request;
        }
    }

    private static ChannelFuture closeAndAwait(Channel channel) {
        ChannelFuture close = channel.close();
        try {
            close.awaitUninterruptibly();
        } catch (IllegalStateException refusal) { // while the channel is being opened
            assertFalse(close.isDone());
        }
        return close;
    }

    /** Triggers every kind of event, ends the channel at one of them, and makes requests that come too late. */
    private static final class Ender extends Recorder {
        private final String point;
        private final End end;
        private final List<ChannelFuture> futures = Collections.synchronizedList(new ArrayList<>());
        private boolean ended;

        Ender(String point, End end) {
            this.point = point;
            this.end = end;
        }

        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
            Channel channel = ctx.getChannel();
            List<String> events = events();
            String event = events.get(events.size() - 1);
            if (event.equals(point) && !ended) {
                ended = true;
                futures.add(channel.write(wrappedBuffer(new byte[] {1})));
                futures.add(end.request.apply(channel));
                futures.add(channel.write(wrappedBuffer(new byte[] {2})));
                futures.add(channel.setReadable(false));
                futures.add(channel.close());
            } else if (event.equals("connected")) {
                futures.add(channel.write(wrappedBuffer(new byte[] {3})));
            } else if (event.equals("message")) {
                futures.add(channel.setReadable(false));
            } else if (event.equals("interest") && !channel.isReadable()) {
                futures.add(channel.setReadable(true));
                throw new IllegalStateException("thrown on purpose");
            } else if (event.equals("exception") && !ended) {
                channel.close();
            }
        }

        void check() {
            awaitClosed();
            Await.success(channel().getCloseFuture(), "the close");
            for (ChannelFuture future : List.copyOf(futures)) {
                Await.done(future, "every future");
            }
            List<String> states = new ArrayList<>(events());
            states.retainAll(LIFE);
            assertTrue(isInOrder(states), () -> "events: " + events());
            assertEquals(states.contains("bound"), states.contains("unbound"), () -> "events: " + events());
            assertEquals(states.contains("connected"), states.contains("disconnected"), () -> "events: " + events());
            assertEquals("closed", events().get(events().size() - 1), () -> "events: " + events());
        }

        /** Each event at most once, and none before one that must precede it. */
        private static boolean isInOrder(List<String> states) {
            int last = -1;
            for (String state : states) {
                if (LIFE.indexOf(state) <= last) {
                    return false;
                }
                last = LIFE.indexOf(state);
            }
            return true;
        }
    }

    static Stream<Arguments> everyPointAndEnd() {
        return Stream.of(Pair.values())
                .flatMap(pair -> POINTS.stream()
                        .flatMap(point -> Stream.of(End.values()).map(end -> Arguments.of(pair, point, end))));
    }

    @ParameterizedTest
    @MethodSource("everyPointAndEnd")
    void shouldEndInOrderWhereverTheClientEnds(Pair pair, String point, End end) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Echoing::new);
            Ender made = new Ender(point, end);
            rig.connecting(server.getLocalAddress(), made);
            made.check();
        }
    }

    @ParameterizedTest
    @MethodSource("everyPointAndEnd")
    void shouldEndInOrderWhereverTheServersEndEnds(Pair pair, String point, End end) {
        try (Rig rig = pair.rig()) {
            Ender accepted = new Ender(point, end);
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            rig.connecting(server.getLocalAddress(), new Echoing());
            accepted.check();
        }
    }

    /** Starts, and echoes. */
    private static final class Echoing extends Recorder {
        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
            List<String> events = events();
            String event = events.get(events.size() - 1);
            if (event.equals("connected") || event.equals("message")) {
                ctx.getChannel().write(wrappedBuffer(new byte[] {4}));
            }
        }
    }
}
