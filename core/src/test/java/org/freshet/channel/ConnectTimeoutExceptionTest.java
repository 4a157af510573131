package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.ConnectException;
import org.junit.jupiter.api.Test;

class ConnectTimeoutExceptionTest {
    @Test
    void shouldBeCaughtAsConnectException() {
        assertInstanceOf(ConnectException.class, new ConnectTimeoutException());
        assertNull(new ConnectTimeoutException().getMessage());
        assertEquals("after 10 ms", new ConnectTimeoutException("after 10 ms").getMessage());
    }
}
