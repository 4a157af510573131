package org.freshet.channel.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

class BufferSizeWarningTest {
    private final BufferSizeWarning warning = new BufferSizeWarning("receive", "net.core.rmem_max");

    @Test
    void shouldWarnOnceWhenTheKernelGrantsLess() {
        try (CapturedLog log = CapturedLog.start()) {
            assertTrue(warning.isUnknown(1 << 23));
            warning.onGranted(1 << 23, 212_992);
            assertEquals(InternalLogLevel.WARN, log.only().level());
            assertEquals(
                    "a socket requested a receive buffer of 8388608 bytes and got 212992. The system's limit is lower: on Linux,"
                            + " 'sysctl -w net.core.rmem_max=8388608' raises it. This is logged once.",
                    log.only().text());
            assertFalse(warning.isUnknown(Integer.MAX_VALUE));
        }
    }

    @Test
    void shouldNotAskAgainAboutSizesThatWereGranted() {
        try (CapturedLog log = CapturedLog.start()) {
            warning.onGranted(10_000, 10_000);
            warning.onGranted(5_000, 6_000);
            assertFalse(warning.isUnknown(10_000));
            assertTrue(warning.isUnknown(10_001));
            assertTrue(log.messages().isEmpty());
        }
    }
}
