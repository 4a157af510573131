package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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

    /** One of the limits: how it is set and read, and its least value. */
    private record Limit(
            String name,
            BiFunction<HttpLimits.Builder, Integer, HttpLimits.Builder> set,
            ToLongFunction<HttpLimits> get,
            int least) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Limit> limits() {
        return List.of(
                new Limit(
                        "maxInitialLineLength",
                        HttpLimits.Builder::maxInitialLineLength,
                        HttpLimits::maxInitialLineLength,
                        1),
                new Limit("maxHeaderSize", HttpLimits.Builder::maxHeaderSize, HttpLimits::maxHeaderSize, 1),
                new Limit("maxHeaders", HttpLimits.Builder::maxHeaders, HttpLimits::maxHeaders, 1),
                new Limit("maxMethodLength", HttpLimits.Builder::maxMethodLength, HttpLimits::maxMethodLength, 7),
                new Limit("maxChunkSize", HttpLimits.Builder::maxChunkSize, HttpLimits::maxChunkSize, 1),
                new Limit(
                        "maxChunkLineLength",
                        HttpLimits.Builder::maxChunkLineLength,
                        HttpLimits::maxChunkLineLength,
                        1),
                new Limit("maxChunkOverhead", HttpLimits.Builder::maxChunkOverhead, HttpLimits::maxChunkOverhead, 0),
                new Limit("maxTrailerSize", HttpLimits.Builder::maxTrailerSize, HttpLimits::maxTrailerSize, 1),
                new Limit("maxContentLength", HttpLimits.Builder::maxContentLength, HttpLimits::maxContentLength, 0),
                new Limit("maxInflatedBytes", HttpLimits.Builder::maxInflatedBytes, HttpLimits::maxInflatedBytes, 1),
                new Limit("maxInflationRatio", HttpLimits.Builder::maxInflationRatio, HttpLimits::maxInflationRatio, 1),
                new Limit(
                        "minBytesForInflationRatio",
                        HttpLimits.Builder::minBytesForInflationRatio,
                        HttpLimits::minBytesForInflationRatio,
                        0),
                new Limit(
                        "maxPipelinedRequests",
                        HttpLimits.Builder::maxPipelinedRequests,
                        HttpLimits::maxPipelinedRequests,
                        1),
                new Limit("maxFormFields", HttpLimits.Builder::maxFormFields, HttpLimits::maxFormFields, 1),
                new Limit("maxFormFieldSize", HttpLimits.Builder::maxFormFieldSize, HttpLimits::maxFormFieldSize, 0),
                new Limit(
                        "maxFormBytesInMemory",
                        HttpLimits.Builder::maxFormBytesInMemory,
                        HttpLimits::maxFormBytesInMemory,
                        0),
                new Limit("maxFormSize", HttpLimits.Builder::maxFormSize, HttpLimits::maxFormSize, 0),
                new Limit("maxFormNameLength", HttpLimits.Builder::maxFormNameLength, HttpLimits::maxFormNameLength, 1),
                new Limit("maxPartHeadSize", HttpLimits.Builder::maxPartHeadSize, HttpLimits::maxPartHeadSize, 1),
                new Limit("maxPartHeaders", HttpLimits.Builder::maxPartHeaders, HttpLimits::maxPartHeaders, 1),
                new Limit(
                        "maxWebSocketFrameSize",
                        HttpLimits.Builder::maxWebSocketFrameSize,
                        HttpLimits::maxWebSocketFrameSize,
                        125),
                new Limit(
                        "maxWebSocketMessageSize",
                        HttpLimits.Builder::maxWebSocketMessageSize,
                        HttpLimits::maxWebSocketMessageSize,
                        125));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void shouldApplyALimitAndNoOther(Limit limit) {
        HttpLimits.Builder builder = HttpLimits.standard().toBuilder();
        HttpLimits changed = limit.set.apply(builder, limit.least).build();
        for (Limit each : limits()) {
            long expected = each.name.equals(limit.name) ? limit.least : each.get.applyAsLong(HttpLimits.standard());
            assertEquals(expected, each.get.applyAsLong(changed), each.name);
        }
        IllegalArgumentException failure =
                assertThrows(IllegalArgumentException.class, () -> limit.set.apply(builder, limit.least - 1));
        assertEquals(limit.name + " < " + limit.least + ": " + (limit.least - 1), failure.getMessage());
    }

    @Test
    void shouldForbidWhatWasAllowed() {
        HttpLimits limits = HttpLimits.netty3().toBuilder()
                .forbid(HttpViolation.MISSING_HOST)
                .build();
        assertFalse(limits.allows(HttpViolation.MISSING_HOST));
        assertTrue(limits.allows(HttpViolation.LF_IN_REQUEST_HEAD));
        assertTrue(HttpLimits.netty3().allows(HttpViolation.MISSING_HOST));
    }

    @Test
    void shouldPrepareTheRulesForHeadsOnceForEachKindOfMessage() {
        HttpLimits limits = HttpLimits.standard().toBuilder().maxHeaders(7).build();
        Set<HeadRules> all = Collections.newSetFromMap(new IdentityHashMap<>());
        for (boolean request : new boolean[] {true, false}) {
            for (boolean httpOnly : new boolean[] {true, false}) {
                HeadRules rules = limits.headRules(request, httpOnly);
                assertEquals(request, rules.request);
                assertEquals(httpOnly, rules.httpOnly);
                assertEquals(7, rules.maxHeaders);
                assertSame(rules, limits.headRules(request, httpOnly));
                all.add(rules);
            }
        }
        assertEquals(4, all.size());
    }

    /** A violation that a peer of one kind may commit isn't allowed to the other. */
    @ParameterizedTest
    @CsvSource({
        "LF_IN_REQUEST_HEAD,true,true,false",
        "LF_IN_RESPONSE_HEAD,false,true,false",
        "FOLDED_REQUEST_HEADERS,true,false,true",
        "FOLDED_RESPONSE_HEADERS,false,false,true",
    })
    void shouldAllowAViolationInOneKindOfMessageOnly(
            HttpViolation violation, boolean inRequests, boolean isLf, boolean isFold) {
        HttpLimits limits = HttpLimits.strict().toBuilder().allow(violation).build();
        for (boolean request : new boolean[] {true, false}) {
            HeadRules rules = limits.headRules(request, true);
            assertEquals(isLf && request == inRequests, rules.lfAllowed);
            assertEquals(isFold && request == inRequests, rules.foldAllowed);
        }
    }

    /** As Netty 3's constructors do; most servers pass the same numbers for each connection. */
    @Test
    void shouldDeriveLimitsFromThreeNumbers() {
        HttpLimits derived = LimitSets.defaultsWith(10, 20, 30);
        assertEquals(10, derived.maxInitialLineLength());
        assertEquals(20, derived.maxHeaderSize());
        assertEquals(30, derived.maxChunkSize());
        assertEquals(HttpLimits.defaults().maxHeaders(), derived.maxHeaders());
        assertSame(derived, LimitSets.defaultsWith(10, 20, 30));
        assertEquals(11, LimitSets.defaultsWith(11, 20, 30).maxInitialLineLength());
        assertEquals(21, LimitSets.defaultsWith(11, 21, 30).maxHeaderSize());
        assertEquals(31, LimitSets.defaultsWith(11, 21, 31).maxChunkSize());
        assertThrows(IllegalArgumentException.class, () -> LimitSets.defaultsWith(0, 20, 30));
    }

    @Test
    void shouldBeThoseThatAPropertyNames() {
        assertSame(HttpLimits.standard(), LimitSets.named("standard"));
        assertSame(HttpLimits.strict(), LimitSets.named("strict"));
        assertSame(HttpLimits.netty3(), LimitSets.named("netty3"));
        assertSame(HttpLimits.standard(), LimitSets.named(null));
        IllegalArgumentException failure =
                assertThrows(IllegalArgumentException.class, () -> LimitSets.named("Strict"));
        assertEquals("org.freshet.http must be standard, strict or netty3, but is: Strict", failure.getMessage());
    }
}
