package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HttpLimitsTest {
    @Test
    void shouldKeepDefaultsForUnsetLimits() {
        HttpLimits limits = HttpLimits.standard().toBuilder()
                .maxHeaderSize(100)
                .allow(HttpViolation.NON_ASCII_TARGET)
                .build();

        assertEquals(100, limits.maxHeaderSize());
        assertEquals(8192, limits.maxInitialLineLength());
        assertTrue(limits.allows(HttpViolation.NON_ASCII_TARGET));
        assertTrue(limits.allows(HttpViolation.MISSING_HOST));
        assertFalse(HttpLimits.standard().allows(HttpViolation.NON_ASCII_TARGET));
        assertEquals(8192, HttpLimits.standard().maxHeaderSize());
    }

    @Test
    void shouldBeFiniteByDefault() {
        HttpLimits limits = HttpLimits.standard();
        assertEquals(8192, limits.maxInitialLineLength());
        assertEquals(200, limits.maxHeaders());
        assertEquals(256, limits.maxChunkLineLength());
        assertEquals(4096, limits.maxTrailerSize());
        assertEquals(64 << 20, limits.maxInflatedBytes());
        assertEquals(100, limits.maxInflationRatio());
        assertEquals(1 << 20, limits.minBytesForInflationRatio());
        assertEquals(1, limits.maxPipelinedRequests());
        assertEquals(1000, limits.maxFormFields());
        assertEquals(1024, limits.maxFormNameLength());
        assertEquals(8192, limits.maxPartHeadSize());
        assertEquals(16 << 20, limits.maxFormFieldSize());
    }

    @Test
    void shouldNotChangeWithTheirBuilder() {
        HttpLimits.Builder builder = HttpLimits.strict().toBuilder();
        HttpLimits limits = builder.build();
        builder.allow(HttpViolation.MISSING_HOST).maxHeaders(1);

        assertFalse(limits.allows(HttpViolation.MISSING_HOST));
        assertEquals(200, limits.maxHeaders());
    }

    @Test
    void shouldAllowNoViolationsIfStrictAndAllOfThemLikeNetty3() {
        for (HttpViolation violation : HttpViolation.values()) {
            assertFalse(HttpLimits.strict().allows(violation), violation.toString());
            assertTrue(HttpLimits.netty3().allows(violation), violation.toString());
        }
    }

    @Test
    void shouldRefuseInvalidLimits() {
        IllegalArgumentException failure = assertThrows(
                IllegalArgumentException.class,
                () -> HttpLimits.standard().toBuilder().maxHeaders(0));

        assertEquals("maxHeaders < 1: 0", failure.getMessage());
    }
}
