package org.freshet.internal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.testing.SmallJvm;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reserve is let go although nothing of it ran before the heap was full. */
class HeapReserveTest {
    @ParameterizedTest
    @ValueSource(strings = {"reported", "logged"})
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void shouldBeLetGoInAFullHeapByTheFirstFailureOfAProcess(String how) throws Exception {
        List<String> interpreted =
                List.of("-Xint"); // so that each method's first call is resolved then, and not by a compiler
        String said = SmallJvm.run(interpreted, FullOnce.class, how);
        assertTrue(said.contains("missing before=false after=true retaken=true"), said);
    }

    /** The program. */
    static final class FullOnce {
        private static final FailsafeLogMessage MESSAGE =
                FailsafeLogMessage.error(InternalLoggerFactory.getInstance(FullOnce.class), "a task failed");

        private static Object[] blocks;

        private FullOnce() {}

        public static void main(String[] args) {
            OutOfMemoryError failure = new OutOfMemoryError();
            boolean isLogged = args[0].equals("logged");
            boolean before = HeapReserve.isMissing();
            fill();
            if (isLogged) {
                MESSAGE.log(null, failure);
            } else {
                HeapReserve.onFailure(failure);
            }
            boolean after = HeapReserve.isMissing();
            blocks = null;
            System.out.println("missing before=" + before + " after=" + after + " retaken=" + HeapReserve.retake());
        }

        /** Each block refers to the previous one. */
        private static void fill() {
            for (int size = 64 * 1024; size > 0; ) {
                try {
                    Object[] block = new Object[size];
                    block[0] = blocks;
                    blocks = block;
                } catch (OutOfMemoryError e) {
                    size /= 2;
                }
            }
        }
    }
}
