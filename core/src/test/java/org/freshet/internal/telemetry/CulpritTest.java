package org.freshet.internal.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Who is named, by stacks that the handlers take themselves. */
class CulpritTest {
    private Culprit culprit;

    private void look(Channel channel) {
        culprit = Culprit.of(Thread.currentThread().getStackTrace(), channel);
    }

    private class Looking extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            look(e.getChannel());
        }
    }

    /** Overrides nothing. */
    private final class Inheriting extends Looking {}

    /** Passes on what comes, up to the one that looks. */
    private final class Passing extends SimpleChannelUpstreamHandler {
        private final boolean isLooking;

        Passing(boolean isLooking) {
            this.isLooking = isLooking;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (isLooking) {
                look(e.getChannel());
            } else {
                ctx.sendUpstream(e);
            }
        }
    }

    private void receive(ChannelHandler... handlers) {
        MemoryChannel.connected(handlers).receive("x");
    }

    private void assertHandler(String name, Class<?> type, String frame) {
        assertEquals(Culprit.Kind.HANDLER, culprit.kind());
        assertEquals(name, culprit.name());
        assertEquals(type.getName(), culprit.type());
        assertTrue(
                culprit.where().startsWith("org.freshet.internal.telemetry.")
                        && culprit.where().contains(frame),
                culprit::toString);
    }

    @Test
    void shouldNameAHandlerByItsOwnMethod() {
        receive(new SimpleChannelUpstreamHandler(), new Looking());
        assertHandler("1", Looking.class, "CulpritTest$Looking.messageReceived(CulpritTest.java:");
    }

    @Test
    void shouldNameAHandlerByAMethodThatItInherits() {
        receive(new SimpleChannelUpstreamHandler(), new Inheriting());
        assertHandler("1", Inheriting.class, "CulpritTest$Looking.messageReceived(CulpritTest.java:");
    }

    /** Before one of a class that inherits the method, too. */
    @Test
    void shouldPreferTheHandlerOfTheVeryClass() {
        receive(new Looking(), new Inheriting());
        assertHandler("0", Looking.class, "CulpritTest$Looking.messageReceived(CulpritTest.java:");
    }

    @Test
    void shouldNameALambda() {
        ChannelUpstreamHandler lambda = (ctx, e) -> {
            if (e instanceof MessageEvent) {
                look(e.getChannel());
            }
            ctx.sendUpstream(e);
        };
        receive(new SimpleChannelUpstreamHandler(), lambda);
        assertHandler("1", lambda.getClass(), "CulpritTest.");
    }

    @Test
    void shouldNameAnAnonymousClass() {
        ChannelUpstreamHandler anonymous = new ChannelUpstreamHandler() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
                look(e.getChannel());
            }
        };
        receive(new SimpleChannelUpstreamHandler(), anonymous);
        assertHandler("1", anonymous.getClass(), "handleUpstream(CulpritTest.java:");
    }

    @Test
    void shouldTellTwoHandlersOfOneClassApart() {
        receive(new Passing(false), new SimpleChannelUpstreamHandler(), new Passing(true));
        assertHandler("2", Passing.class, "messageReceived(CulpritTest.java:");
        receive(new Passing(true), new SimpleChannelUpstreamHandler(), new Passing(false));
        assertHandler("0", Passing.class, "messageReceived(CulpritTest.java:");
    }

    @Test
    void shouldNameADownstreamHandler() {
        ChannelHandler slow = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                look(e.getChannel());
            }
        };
        MemoryChannel.connected(slow, new SimpleChannelUpstreamHandler()).write("x");
        assertHandler("0", slow.getClass(), "writeRequested(CulpritTest.java:");
    }

    /** Rather than the handler that completed the future. */
    @Test
    void shouldNameAListener() {
        DefaultChannelFuture future = new DefaultChannelFuture(null, false);
        future.addListener(done -> look(null));
        receive(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                future.setSuccess();
            }
        });
        assertEquals(Culprit.Kind.LISTENER, culprit.kind());
        assertNull(culprit.name());
        assertEquals(CulpritTest.class.getName(), culprit.type());
    }

    @Test
    void shouldNameAHandlerThatIsNotInThePipelineAnyMore() {
        receive(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                ctx.getPipeline().remove(this);
                look(e.getChannel());
            }
        });
        assertEquals(Culprit.Kind.HANDLER, culprit.kind());
        assertNull(culprit.name());
    }

    @Test
    void shouldNameTheNewestFrameThatIsNotTheJdksOutsideOfAllHandlers() {
        look(null);
        assertEquals(Culprit.Kind.UNKNOWN, culprit.kind());
        assertEquals("look", culprit.frame().getMethodName());
    }
}
