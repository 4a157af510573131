package org.freshet.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

class InstanceLimitTest {
    private final InstanceLimit limit = new InstanceLimit(StringBuilder.class, 3);

    @Test
    void shouldStaySilentWhileInstancesComeAndGo() {
        try (CapturedLog log = CapturedLog.start()) {
            limit.opened();
            limit.opened();
            for (int i = 0; i < 100; i++) {
                limit.opened();
                limit.closed();
            }
            assertTrue(log.messages().isEmpty());
        }
    }

    @Test
    void shouldWarnOnceThatThereAreTooMany() {
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 10; i++) {
                limit.opened();
            }
            assertEquals(1, log.messages().size());
            CapturedLog.Message message = log.messages().get(0);
            assertEquals(InternalLogLevel.WARN, message.level());
            assertTrue(message.text().startsWith("More than 3 instances of java.lang.StringBuilder"), message.text());
        }
    }
}
