package org.freshet.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScriptedPeerTest {
    private ScriptedServer server;
    private ScriptedPeer here;
    private ScriptedPeer there;

    @BeforeEach
    void connect() throws Exception {
        server = ScriptedServer.listen();
        here = ScriptedPeer.connect(server.address());
        there = server.accept();
    }

    @AfterEach
    void close() throws Exception {
        here.close();
        there.close();
        server.close();
    }

    @Test
    void shouldSendAllFragments() throws Exception {
        byte[] bytes = {1, 2, 3, 4, 5, 6, 7};
        here.sendInFragments(bytes, 3).sendByteByByte(bytes);
        assertArrayEquals(bytes, there.read(7));
        assertArrayEquals(bytes, there.read(7));
    }

    @Test
    void shouldReadLines() throws Exception {
        here.send("first\r\nsecond\n");
        assertEquals("first", there.readLine());
        assertEquals("second", there.readLine());
    }

    @Test
    void shouldStillReadAfterTheEndOfItsOutput() throws Exception {
        here.endOutput();
        there.awaitEnd();
        there.send("late").endOutput();
        assertArrayEquals("late".getBytes(), here.readToEnd());
    }

    @Test
    void shouldReset() throws Exception {
        here.reset();
        assertThrows(SocketException.class, () -> there.read(1));
        there.awaitEnd();
    }

    @Test
    void shouldFailWhenTheStreamEndsTooEarly() throws Exception {
        here.send("ab").endOutput();
        assertThrows(AssertionError.class, () -> there.read(3));
    }
}
