package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class HttpResponseStatusTest {
    private static final String[] CLASSES = {
        "Unknown Status", "Informational", "Successful", "Redirection", "Client Error", "Server Error", "Unknown Status"
    };

    /** Programs compare the constants by identity. A status without a phrase gets one that says what kind it is. */
    @Test
    void shouldReturnAStatusForAnyCode() {
        int constants = 0;
        for (int code = 0; code <= 1000; code++) {
            HttpResponseStatus status = HttpResponseStatus.valueOf(code);
            assertEquals(code, status.getCode());
            assertEquals(code + " " + status.getReasonPhrase(), status.toString());
            String kind = CLASSES[Math.min(code / 100, 6)] + " (" + code + ")";
            if (status.getReasonPhrase().equals(kind)) {
                assertEquals(status, HttpResponseStatus.valueOf(code));
            } else {
                assertSame(status, HttpResponseStatus.valueOf(code), "a constant");
                constants++;
            }
        }
        assertSame(HttpResponseStatus.OK, HttpResponseStatus.valueOf(200));
        assertSame(HttpResponseStatus.CONTINUE, HttpResponseStatus.valueOf(100));
        assertEquals(true, constants > 40);
    }

    @Test
    void shouldRefuseANegativeCode() {
        assertThrows(IllegalArgumentException.class, () -> HttpResponseStatus.valueOf(-1));
    }
}
