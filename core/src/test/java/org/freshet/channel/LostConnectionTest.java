package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which exceptions of the systems that Java runs on mean that the connection is gone. */
class LostConnectionTest {
    private static void assertKnown(boolean isLost, boolean isReset, Throwable cause) {
        assertEquals(isLost, LostConnection.isLost(cause), () -> String.valueOf(cause));
        assertEquals(isReset, LostConnection.isReset(cause), () -> String.valueOf(cause));
    }

    @ParameterizedTest
    @CsvSource({
        "Connection reset, true, true",
        "Connection reset by peer, true, true",
        "Broken pipe, true, true",
        "Connection aborted, true, true",
        "Software caused connection abort: socket write error, true, true",
        "An existing connection was forcibly closed by the remote host, true, true",
        "CONNECTION RESET, true, true",
        "Connection timed out, true, false",
        "Connection refused, false, false",
        "No space left on device, false, false"
    })
    void shouldKnowALostConnectionByItsMessage(String message, boolean isLost, boolean isReset) {
        assertKnown(isLost, isReset, new IOException(message));
    }

    @Test
    void shouldOnlyBelieveExceptionsOfInputAndOutput() {
        assertKnown(false, false, new IOException());
        assertKnown(false, false, new IllegalStateException("Connection reset"));
        assertKnown(true, true, new EOFException("Connection reset"));
        assertKnown(false, false, null);
    }
}
