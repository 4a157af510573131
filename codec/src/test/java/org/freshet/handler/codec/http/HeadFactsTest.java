package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.handler.codec.http.HeadFacts.Coding;
import org.freshet.handler.codec.http.internal.KnownNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What header lines say about the end of a message and of its connection. */
class HeadFactsTest {
    private static HeadFacts facts(boolean isRequest, HttpLimits limits) {
        return new HeadFacts(limits.headRules(isRequest, true));
    }

    /** Between bytes that would change the value if they belonged to it. */
    private static void add(HeadFacts facts, int key, String value) throws MalformedHttpMessageException {
        byte[] array = ("7" + value + "8").getBytes(ISO_8859_1);
        facts.onHeader(key, array, 1, array.length - 1);
    }

    private static void assertRefused(HeadFacts facts, int key, String value, String problem) {
        String message = assertThrows(MalformedHttpMessageException.class, () -> add(facts, key, value), value)
                .getMessage();
        assertEquals(problem, message);
    }

    // ---- Content-Length ----

    @ParameterizedTest
    @CsvSource({"0,0", "12,12", "9223372036854775807,9223372036854775807", "0000000000000000009,9"})
    void shouldReadALength(String value, long length) throws MalformedHttpMessageException {
        HeadFacts facts = facts(true, HttpLimits.standard());
        assertEquals(-1, facts.contentLength);
        add(facts, KnownNames.CONTENT_LENGTH, value);
        assertEquals(length, facts.contentLength);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+5",
                "-5",
                "5/",
                "5:",
                "/",
                ":",
                "5 5",
                "5,5",
                "0x5",
                "9223372036854775808",
                "9999999999999999999",
                "00000000000000000005"
            })
    void shouldRefuseALength(String value) {
        HeadFacts facts = facts(true, HttpLimits.netty3());
        assertRefused(facts, KnownNames.CONTENT_LENGTH, value, "a Content-Length that is not a number of bytes");
    }

    @Test
    void shouldAcceptASecondLengthOnlyIfItIsEqualAndAllowed() throws MalformedHttpMessageException {
        for (long length : new long[] {0, 5}) {
            HeadFacts strict = facts(true, HttpLimits.standard());
            add(strict, KnownNames.CONTENT_LENGTH, "" + length);
            assertRefused(strict, KnownNames.CONTENT_LENGTH, "" + length, "more than one Content-Length");
            HeadFacts lax = facts(true, HttpLimits.netty3());
            add(lax, KnownNames.CONTENT_LENGTH, "" + length);
            add(lax, KnownNames.CONTENT_LENGTH, "" + length);
            assertEquals(length, lax.contentLength);
            assertRefused(lax, KnownNames.CONTENT_LENGTH, "6", "more than one Content-Length");
        }
    }

    // ---- Transfer-Encoding ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "chunked|CHUNKED_LAST",
                "CHUNKED|CHUNKED_LAST",
                "gzip, chunked|CHUNKED_LAST",
                "gzip \t,\tchunked|CHUNKED_LAST",
                "gzip|OTHER_LAST",
                "gzip,br|OTHER_LAST",
                "xchunked|OTHER_LAST",
                "chunkec|OTHER_LAST",
                "chunked, gzip|CHUNKED_BEFORE_OTHER",
                "chunked, gzip, br|CHUNKED_BEFORE_OTHER",
                "''|MALFORMED",
                "','|MALFORMED",
                "'chunked,'|MALFORMED",
                "',chunked'|MALFORMED",
                "'gzip, ,chunked'|MALFORMED",
                "chunked, chunked|MALFORMED",
                "chunked, gzip, chunked|MALFORMED",
                "chunked gzip|MALFORMED",
                "chunked;q=1|MALFORMED",
            })
    void shouldSumUpTheCodings(String value, Coding coding) throws MalformedHttpMessageException {
        for (boolean isRequest : new boolean[] {true, false}) {
            HeadFacts facts = facts(isRequest, HttpLimits.standard());
            assertEquals(Coding.NONE, facts.coding);
            assertFalse(facts.hasTransferEncoding());
            add(facts, KnownNames.TRANSFER_ENCODING, value);
            assertEquals(coding, facts.coding);
            assertTrue(facts.hasTransferEncoding());
        }
    }

    @Test
    void shouldSumUpSeveralLinesOfAResponseOnly() throws MalformedHttpMessageException {
        for (boolean isRequest : new boolean[] {true, false}) {
            HeadFacts facts = facts(isRequest, HttpLimits.standard());
            add(facts, KnownNames.TRANSFER_ENCODING, "gzip");
            add(facts, KnownNames.TRANSFER_ENCODING, "chunked");
            assertEquals(isRequest ? Coding.MALFORMED : Coding.CHUNKED_LAST, facts.coding);
            add(facts, KnownNames.TRANSFER_ENCODING, "br");
            assertEquals(isRequest ? Coding.MALFORMED : Coding.CHUNKED_BEFORE_OTHER, facts.coding);
        }
    }

    // ---- Connection, Upgrade, Expect ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "close|true|false",
                "Close|true|false",
                "keep-alive|false|true",
                "'a, KEEP-ALIVE ,b'|false|true",
                "'keep-alive,close'|true|true",
                "'x,\r\n close \r\n'|true|false",
                "''|false|false",
                "closed|false|false",
                "xclose|false|false",
                "'close x'|false|false",
                "'CL{SE'|false|false",
                "upgrade|false|false",
            })
    void shouldReadWhetherTheConnectionStaysOpen(String value, boolean close, boolean keepAlive)
            throws MalformedHttpMessageException {
        HeadFacts facts = facts(true, HttpLimits.standard());
        add(facts, KnownNames.CONNECTION, value);
        assertEquals(close, facts.close());
        assertEquals(keepAlive, facts.keepAlive());
    }

    @Test
    void shouldOfferAnUpgradeOnlyIfBothHeadersDo() throws MalformedHttpMessageException {
        HeadFacts facts = facts(true, HttpLimits.standard());
        add(facts, KnownNames.UPGRADE, "x");
        assertFalse(facts.upgrade());
        add(facts, KnownNames.CONNECTION, "Upgrade");
        assertTrue(facts.upgrade());
        facts.reset();
        add(facts, KnownNames.CONNECTION, "upgrade");
        assertFalse(facts.upgrade());
    }

    @ParameterizedTest
    @CsvSource({"100-continue,true", "100-Continue,true", "'\r\n 100-continue',true", "'',false", "100,false", "x,false"
    })
    void shouldTellTheUsualExpectationFromOthers(String value, boolean isContinue)
            throws MalformedHttpMessageException {
        HeadFacts facts = facts(true, HttpLimits.standard());
        assertFalse(facts.expectContinue() || facts.expectsOther());
        add(facts, KnownNames.EXPECT, value);
        assertEquals(isContinue, facts.expectContinue());
        assertEquals(!isContinue, facts.expectsOther());
    }

    // ---- Host ----

    @Test
    void shouldAcceptOneHost() throws MalformedHttpMessageException {
        HeadFacts facts = facts(true, HttpLimits.strict());
        assertFalse(facts.hasHost());
        add(facts, KnownNames.HOST, "[::1]:80");
        assertTrue(facts.hasHost());
        assertRefused(facts, KnownNames.HOST, "[::1]:80", "more than one Host");
        assertRefused(facts(true, HttpLimits.strict()), KnownNames.HOST, "", "a Host that is not a valid host");
        HeadFacts lax = facts(true, HttpLimits.standard());
        add(lax, KnownNames.HOST, "");
        assertTrue(lax.hasHost());
        assertRefused(facts(true, HttpLimits.standard()), KnownNames.HOST, "a b", "a Host that is not a valid host");
        HeadFacts response = facts(false, HttpLimits.strict());
        add(response, KnownNames.HOST, "a b");
        assertFalse(response.hasHost());
    }

    // ---- handshakes of draft 76 ----

    @Test
    void shouldRecognizeAHandshakeByAllItsHeaders() throws MalformedHttpMessageException {
        int[] keys = {
            KnownNames.SEC_WEBSOCKET_KEY1, KnownNames.SEC_WEBSOCKET_KEY2, KnownNames.UPGRADE, KnownNames.CONNECTION
        };
        for (int left : keys) {
            HeadFacts facts = facts(true, HttpLimits.standard());
            for (int key : keys) {
                if (key != left) {
                    add(facts, key, "upgrade");
                }
            }
            assertFalse(facts.draft76Request());
            add(facts, left, "upgrade");
            assertTrue(facts.draft76Request());
        }
        HeadFacts answer = facts(false, HttpLimits.standard());
        add(answer, KnownNames.SEC_WEBSOCKET_ORIGIN, "a");
        assertFalse(answer.draft76Response());
        add(answer, KnownNames.SEC_WEBSOCKET_LOCATION, "a");
        assertTrue(answer.draft76Response());
        add(answer, KnownNames.SEC_WEBSOCKET_ACCEPT, "a");
        assertFalse(answer.draft76Response());
    }
}
