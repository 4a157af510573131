package org.freshet.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DebugUtilTest {
    @Test
    void shouldBeOffByDefault() {
        assertFalse(DebugUtil.isDebugEnabled());
    }

    @ParameterizedTest
    @CsvSource({
        ", false",
        "'', true",
        "true, true",
        "yes, true",
        "1, true",
        "false, false",
        "' No ', false",
        "OFF, false",
        "0, false"
    })
    void shouldReadTheProperty(String value, boolean on) {
        assertEquals(on, DebugUtil.isOn(value));
    }
}
