package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.freshet.handler.logging.LoggingHandler;
import org.freshet.handler.traffic.BackPressureHandler;
import org.freshet.testing.PartialLoader;
import org.junit.jupiter.api.Test;

class MessageTreatmentTest {
    @ChannelHandler.Borrower
    private static class Borrowing extends SimpleChannelUpstreamHandler {}

    private static class Inheriting extends Borrowing {}

    private static class Receiving extends Inheriting {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {}
    }

    private static class Handling extends SimpleChannelHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            super.handleUpstream(ctx, e);
        }
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
    void shouldDecideByTheClassAloneWhetherAMessageMayBeKept() {
        assertEquals(MessageTreatment.BORROWS, MessageTreatment.of(new Borrowing()));
        assertEquals(MessageTreatment.PASSES_ON, MessageTreatment.of(new Inheriting()));
        assertEquals(MessageTreatment.MAY_KEEP, MessageTreatment.of(new Receiving()));
        assertEquals(MessageTreatment.MAY_KEEP, MessageTreatment.of(new Handling()));
        assertEquals(MessageTreatment.PASSES_ON, MessageTreatment.of(new SimpleChannelHandler()));
        assertEquals(MessageTreatment.PASSES_ON, MessageTreatment.of(new BackPressureHandler()));
        assertEquals(MessageTreatment.PASSES_ON, MessageTreatment.of(new LoggingHandler()));
        assertEquals(MessageTreatment.MAY_KEEP, MessageTreatment.of(new LoggingHandler() {}));
        assertEquals(MessageTreatment.MAY_KEEP, MessageTreatment.of((ctx, e) -> ctx.sendUpstream(e)));
    }
}
