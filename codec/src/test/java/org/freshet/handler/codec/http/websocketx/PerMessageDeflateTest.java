package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.zip.Deflater;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.internal.CoderPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How permessage-deflate is negotiated (RFC 7692, sections 5 and 7.1). */
class PerMessageDeflateTest {
    private static final String NAME = "permessage-deflate";
    private static final HttpLimits LIMITS = HttpLimits.defaults();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "declined",
            value = {
                "''                                          | server_no_context_takeover; client_no_context_takeover",
                "server_no_context_takeover                  | server_no_context_takeover; client_no_context_takeover",
                "client_max_window_bits                      | server_no_context_takeover; client_no_context_takeover; client_max_window_bits=15",
                "client_max_window_bits=8                    | server_no_context_takeover; client_no_context_takeover; client_max_window_bits=8",
                "server_max_window_bits=8                    | server_no_context_takeover; client_no_context_takeover; server_max_window_bits=8",
                "server_max_window_bits=15                   | server_no_context_takeover; client_no_context_takeover; server_max_window_bits=15",
                "client_max_window_bits=\\\"10\\\"               | server_no_context_takeover; client_no_context_takeover; client_max_window_bits=10",
            })
    void shouldAcceptEachOffer(String offer, String answer) {
        assertEquals(NAME + "; " + answer, answer(PerMessageDeflate.defaults(), offer.replace("\\\"", "\"")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "client_max_window_bits=7",
                "client_max_window_bits=16",
                "client_max_window_bits=99",
                "client_max_window_bits=x",
                "client_max_window_bits=08",
                "client_max_window_bits=+9",
                "server_max_window_bits",
                "server_max_window_bits=7",
                "server_max_window_bits=16",
                "server_max_window_bits=99999999999",
                "server_no_context_takeover=true",
                "client_no_context_takeover=15",
                "server_no_context_takeover; server_no_context_takeover",
                "client_no_context_takeover; client_no_context_takeover",
                "client_max_window_bits; client_max_window_bits=10",
                "server_max_window_bits=10; server_max_window_bits=10",
                "unknown",
                "client_no_context_takeover; x=1",
            })
    void shouldDeclineAnOfferWithABadParameter(String offer) {
        assertNull(PerMessageDeflate.defaults().accept(spec(offer), LIMITS));
    }

    @Test
    void shouldKeepContextsOnlyIfBothSidesAgree() {
        PerMessageDeflate both = PerMessageDeflate.builder()
                .serverContextTakeover(true)
                .clientContextTakeover(true)
                .build();
        assertEquals(NAME, answer(both, ""));
        assertEquals(NAME + "; server_no_context_takeover", answer(both, "server_no_context_takeover"));
        assertEquals(NAME + "; client_no_context_takeover", answer(both, "client_no_context_takeover"));
        PerMessageDeflate server =
                PerMessageDeflate.builder().serverContextTakeover(true).build();
        assertEquals(NAME + "; client_no_context_takeover", answer(server, ""));
    }

    @Test
    void shouldLimitWindowsAsConfigured() {
        PerMessageDeflate small = PerMessageDeflate.builder()
                .serverContextTakeover(true)
                .clientContextTakeover(true)
                .serverMaxWindowBits(10)
                .clientMaxWindowBits(11)
                .build();
        assertEquals(NAME + "; server_max_window_bits=10", answer(small, ""), "the client cannot be asked");
        assertEquals(
                NAME + "; server_max_window_bits=9; client_max_window_bits=11",
                answer(small, "server_max_window_bits=9; client_max_window_bits"));
        assertEquals(
                NAME + "; server_max_window_bits=10; client_max_window_bits=8",
                answer(small, "client_max_window_bits=8; server_max_window_bits=12"));
    }

    @Test
    void shouldOfferAsConfigured() {
        assertEquals(
                "[permessage-deflate; server_no_context_takeover; client_no_context_takeover; client_max_window_bits]",
                PerMessageDeflate.defaults().offers().toString());
        PerMessageDeflate other = PerMessageDeflate.builder()
                .serverContextTakeover(true)
                .clientContextTakeover(true)
                .serverMaxWindowBits(9)
                .clientMaxWindowBits(12)
                .build();
        assertEquals(
                "[permessage-deflate; server_max_window_bits=9; client_max_window_bits=12]",
                other.offers().toString());
    }

    @Test
    void shouldAcceptItsOwnOffers() {
        for (int serverBits = 8; serverBits <= 15; serverBits++) {
            for (int takeover = 0; takeover < 4; takeover++) {
                PerMessageDeflate side = PerMessageDeflate.builder()
                        .serverContextTakeover((takeover & 1) != 0)
                        .clientContextTakeover((takeover & 2) != 0)
                        .serverMaxWindowBits(serverBits)
                        .clientMaxWindowBits(23 - serverBits)
                        .build();
                WebSocketExtensionNegotiator.Accepted accepted =
                        side.accept(side.offers().get(0), LIMITS);
                assertNotNull(side.agree(accepted.answer(), LIMITS));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server_max_window_bits=13",
                "server_max_window_bits=99",
                "server_max_window_bits=x",
                "server_max_window_bits=7",
                "client_max_window_bits=12",
                "client_max_window_bits",
                "client_max_window_bits=7",
                "server_no_context_takeover=1",
                "client_no_context_takeover; client_no_context_takeover",
                "unknown=1",
            })
    void shouldRefuseAnAnswerThatWasNotOffered(String answer) {
        PerMessageDeflate client = PerMessageDeflate.builder()
                .serverMaxWindowBits(12)
                .clientMaxWindowBits(11)
                .build();
        WebSocketHandshakeException refusal =
                assertThrows(WebSocketHandshakeException.class, () -> client.agree(spec(answer), LIMITS));
        assertTrue(refusal.getMessage().contains(answer), refusal.getMessage());
    }

    @Test
    void shouldShareCompressedFramesOnlyWithoutContext() {
        PerMessageDeflate side =
                PerMessageDeflate.builder().serverContextTakeover(true).build();
        WebSocketExtension without =
                side.accept(spec("server_no_context_takeover"), LIMITS).extension();
        WebSocketExtension same =
                side.accept(spec("server_no_context_takeover"), LIMITS).extension();
        WebSocketExtension smaller = side.accept(spec("server_no_context_takeover; server_max_window_bits=10"), LIMITS)
                .extension();
        assertNotNull(without.sharingKey());
        assertEquals(without.sharingKey(), same.sharingKey());
        assertTrue(!without.sharingKey().equals(smaller.sharingKey()));
        assertNull(side.accept(spec(""), LIMITS).extension().sharingKey());
    }

    @Test
    void shouldCheckItsSettings() {
        PerMessageDeflate.Builder builder = PerMessageDeflate.builder();
        assertThrows(IllegalArgumentException.class, () -> builder.level(0));
        assertThrows(IllegalArgumentException.class, () -> builder.level(10));
        assertThrows(IllegalArgumentException.class, () -> builder.threshold(-1));
        assertThrows(IllegalArgumentException.class, () -> builder.serverMaxWindowBits(7));
        assertThrows(IllegalArgumentException.class, () -> builder.clientMaxWindowBits(16));
    }

    @Test
    void shouldTakeAnySettingInRange() {
        for (int level = 1; level <= 9; level++) {
            PerMessageDeflate side =
                    PerMessageDeflate.builder().level(level).threshold(0).build();
            assertEquals(
                    "PerMessageDeflate(level: " + level + ", threshold: 0, offers: " + side.offers() + ")",
                    side.toString());
        }
    }

    /** Frames compressed with a context are only for one connection, so they have no key to share them with. */
    @Test
    void shouldKeepTheClientsContextOnlyIfBothSidesAgree() {
        PerMessageDeflate keeping =
                PerMessageDeflate.builder().clientContextTakeover(true).build();
        assertNull(keeping.agree(spec(""), LIMITS).sharingKey());
        assertNotNull(keeping.agree(spec("client_no_context_takeover"), LIMITS).sharingKey());
        assertNotNull(PerMessageDeflate.defaults().agree(spec(""), LIMITS).sharingKey());
    }

    @Test
    void shouldCompressWithTheSmallestWindowOfAClient() {
        PerMessageDeflate small =
                PerMessageDeflate.builder().clientMaxWindowBits(11).build();
        PerMessageDeflate smaller =
                PerMessageDeflate.builder().clientMaxWindowBits(9).build();
        Object smallest = smaller.agree(spec(""), LIMITS).sharingKey();
        assertEquals(
                smallest, small.agree(spec("client_max_window_bits=9"), LIMITS).sharingKey());
        assertNotEquals(smallest, small.agree(spec(""), LIMITS).sharingKey());
    }

    @Test
    void shouldCountTheCodersInUse() {
        Deflater deflater = CoderPool.takeDeflater(1);
        assertTrue(PerMessageDeflate.activeCoders() > 0);
        CoderPool.give(deflater, 1);
    }

    /** A kept context is a deflater on one side and an inflater on the other. */
    @ParameterizedTest
    @CsvSource({"false, false, 0", "true, false, 2", "false, true, 2", "true, true, 4"})
    void shouldHoldCodersBetweenMessagesOnlyForContextsThatAreKept(
            boolean serverContext, boolean clientContext, int coders) throws Exception {
        PerMessageDeflate both = PerMessageDeflate.builder()
                .serverContextTakeover(serverContext)
                .clientContextTakeover(clientContext)
                .build();
        WebSocketExtensionNegotiator.Accepted accepted =
                both.accept(both.offers().get(0), LIMITS);
        WebSocketExtension server = accepted.extension();
        WebSocketExtension client = both.agree(accepted.answer(), LIMITS);
        int before = CoderPool.taken();
        String text = "text".repeat(500);
        for (int i = 0; i < 2; i++) {
            assertEquals(
                    text, ((TextWebSocketFrame) client.decode(server.encode(new TextWebSocketFrame(text)))).getText());
            assertEquals(
                    text, ((TextWebSocketFrame) server.decode(client.encode(new TextWebSocketFrame(text)))).getText());
            assertEquals(before + coders, CoderPool.taken());
        }
        server.release();
        client.release();
        assertEquals(before, CoderPool.taken());
    }

    private static String answer(PerMessageDeflate server, String offer) {
        return server.accept(spec(offer), LIMITS).answer().toString();
    }

    private static WebSocketExtensionSpec spec(String parameters) {
        String header = parameters.isEmpty() ? NAME : NAME + "; " + parameters;
        return WebSocketExtensionSpec.parse(List.of(header)).get(0);
    }
}
