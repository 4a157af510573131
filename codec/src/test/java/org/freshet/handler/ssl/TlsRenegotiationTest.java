package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.ssl.Bytes.text;
import static org.freshet.handler.ssl.TlsPair.TLS_1_2;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.channel.ChannelFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Another handshake on an established connection, allowed only if both sides have enabled it. */
@Tag("crypto")
class TlsRenegotiationTest {
    @Test
    void shouldRefuseToRenegotiateUnlessEnabled() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_2).established();
        assertFalse(pair.serverHandler.isEnableRenegotiation());
        pair.clientHandler.setEnableRenegotiation(true);
        ChannelFuture again = pair.clientHandler.handshake();
        assertFalse(again.isDone());
        pair.pump();
        assertEquals(
                "the peer asked to renegotiate, but renegotiation is not enabled",
                pair.server.takeCaught().get(0).getMessage());
        assertFalse(pair.server.isOpen());
        assertFalse(again.isSuccess());
        assertTrue(again.isDone());
    }

    @Test
    void shouldRenegotiateIfEnabled() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_2).established();
        pair.clientHandler.setEnableRenegotiation(true);
        pair.serverHandler.setEnableRenegotiation(true);
        ChannelFuture before = pair.clientHandler.handshake();
        pair.pump();
        assertTrue(before.isSuccess());
        ChannelFuture again = pair.clientHandler.handshake();
        assertNotSame(before, again);
        pair.client.write(text("after it"));
        pair.pump();
        assertTrue(again.isSuccess(), () -> "" + again);
        assertEquals("after it", TlsPair.received(pair.server).toString(US_ASCII));
        pair.assertNothingCaught();
    }

    /** Both sides may request another handshake at the same time. */
    @Test
    void shouldCompleteTheFutureOfAHandshakeThatThePeerStartsMeanwhile() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_2).established();
        pair.clientHandler.setEnableRenegotiation(true);
        pair.serverHandler.setEnableRenegotiation(true);
        pair.server.holdTasks();
        ChannelFuture requested = pair.serverHandler.handshake();
        pair.clientHandler.handshake();
        pair.deliver(pair.client, pair.server);
        pair.server.runTasks();
        pair.pump();
        assertTrue(requested.isSuccess(), () -> "" + requested);
        pair.assertNothingCaught();
    }
}
