package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.freshet.handler.logging.LoggingHandler;
import org.freshet.handler.traffic.BackPressureHandler;
import org.freshet.internal.PassesMessagesOn;
import org.freshet.testing.PartialLoader;
import org.junit.jupiter.api.Test;

class MessageTreatmentTest {
    @ChannelHandler.Borrower
    public static class Borrowing extends SimpleChannelUpstreamHandler {}

    public static class Inheriting extends Borrowing {}

    public static class Receiving extends Inheriting {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {}
    }

    public static class Handling extends SimpleChannelHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            super.handleUpstream(ctx, e);
        }
    }

    /** Says so although it handles messages. */
    @PassesMessagesOn
    public static class Leaving implements ChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            ctx.sendUpstream(e);
        }
    }

    private static void assertTreatment(MessageTreatment expected, Class<?> type) throws ReflectiveOperationException {
        ChannelUpstreamHandler handler = (ChannelUpstreamHandler) PartialLoader.newInstanceOfAnother(type);
        assertEquals(expected, MessageTreatment.of(handler), type::getName);
        assertEquals(expected, MessageTreatment.of(handler), "the second time");
    }

    /** A type of an optional dependency. */
    public static class Optional {}

    /** Refers to the type in only one of its methods. */
    public static class PartlyLinked extends SimpleChannelUpstreamHandler {
        public void take(Optional value) {}
    }

    @Test
    void shouldAssumeThatAHandlerMayKeepMessagesIfItsMethodsCannotBeListed() throws Exception {
        ChannelUpstreamHandler handler =
                (ChannelUpstreamHandler) new PartialLoader(PartlyLinked.class, Optional.class).newInstance();
        assertThrows(NoClassDefFoundError.class, () -> handler.getClass().getMethods());
        assertEquals(MessageTreatment.MAY_KEEP, MessageTreatment.of(handler));
        assertEquals(MessageTreatment.PASSES_ON, MessageTreatment.of(new PartlyLinked()));
    }

    @Test
    void shouldDecideByTheClassAloneWhetherAMessageMayBeKept() throws Exception {
        assertTreatment(MessageTreatment.BORROWS, Borrowing.class);
        assertTreatment(MessageTreatment.PASSES_ON, Inheriting.class);
        assertTreatment(MessageTreatment.MAY_KEEP, Receiving.class);
        assertTreatment(MessageTreatment.MAY_KEEP, Handling.class);
        assertTreatment(MessageTreatment.PASSES_ON, Leaving.class);
        assertEquals(MessageTreatment.PASSES_ON, MessageTreatment.of(new SimpleChannelHandler()));
        assertEquals(MessageTreatment.PASSES_ON, MessageTreatment.of(new BackPressureHandler()));
        assertEquals(MessageTreatment.PASSES_ON, MessageTreatment.of(new LoggingHandler()));
        assertEquals(MessageTreatment.MAY_KEEP, MessageTreatment.of(new LoggingHandler() {}));
        assertEquals(MessageTreatment.MAY_KEEP, MessageTreatment.of((ctx, e) -> ctx.sendUpstream(e)));
    }
}
