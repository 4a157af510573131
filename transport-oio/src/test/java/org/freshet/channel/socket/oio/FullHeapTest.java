package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.SmallJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FullHeapTest {
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES) // each allocation that fails takes a garbage collection first
    void shouldEndAThreadThatBeganWithoutMemory() throws Exception {
        String said = SmallJvm.run(List.of(), FullHeapProgram.class);
        assertTrue(said.contains("ended=true closed=true released=true"), said);
    }

    /** The JDK marks a socket closed before it allocates: a close that failed could not be repeated. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void shouldCloseASocketOnceThereIsMemoryForIt() throws Exception {
        String said = SmallJvm.run(List.of(), SocketCloseProgram.class);
        assertTrue(said.contains("waited=true threw=false ended=true seen=true"), said);
    }
}
