package org.freshet.internal.lending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

class LendingModeTest {
    @Test
    void shouldReadTheSystemProperty() {
        assertEquals(Lending.ON, Lending.parse(null));
        assertEquals(Lending.ON, Lending.parse("on"));
        assertEquals(Lending.CHECK, Lending.parse(" Check"));
        assertEquals(Lending.OFF, Lending.parse("off"));
    }

    @Test
    void shouldReportAndIgnoreAnUnknownValue() {
        try (CapturedLog log = CapturedLog.start()) {
            assertEquals(Lending.ON, Lending.parse("never"));
            assertEquals(InternalLogLevel.WARN, log.only().level());
            assertTrue(log.only().text().contains("never"));
        }
    }
}
