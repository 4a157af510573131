package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentFieldsTest {
    /** A {@code Host} with another name would send the request to a different host than the target's. */
    @ParameterizedTest
    @CsvSource({"CONNECT, t:443, t:443", "GET, http://t/a, t", "OPTIONS, http://t, t", "GET, /a, other"})
    void shouldTakeTheAuthorityFromTheTargetRatherThanFromHost(String method, String target, String authority) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), target);
        request.headers().set("Host", "other");
        FieldList fields = new FieldList();
        SentFields.add(fields, request, "https", false);
        List<String> hosts = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.name(i).equals(":authority") || fields.name(i).equalsIgnoreCase("host")) {
                hosts.add(fields.name(i) + " " + fields.value(i));
            }
        }
        assertEquals(List.of(":authority " + authority), hosts);
    }

    /** Users' messages may have their own idea of it; {@code DefaultHttpMessage} looks at both. */
    @Test
    void shouldTakeTheFlagOrTheHeaderForAnAnnouncementOfChunks() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/") {
            @Override
            public boolean isChunked() {
                return false;
            }
        };
        assertFalse(SentFields.announcesChunks(request));
        request.headers().set("Transfer-Encoding", "chunked");
        assertTrue(SentFields.announcesChunks(request));
    }

    /** More names than are remembered, so that many share a place. */
    @Test
    void shouldConvertEachNameToLowerCase() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 1_000; i++) {
                assertEquals("x-" + i, LowerCaseNames.of("X-" + i));
            }
        }
    }
}
