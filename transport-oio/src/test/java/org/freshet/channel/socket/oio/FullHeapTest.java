package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
        String result =
                said.lines().reduce("", (before, line) -> line); // the JVM may report a thread of its pool first
        assertEquals("ended=true closed=true released=true", result, said);
    }

    /** The JDK marks a socket closed before it allocates: a close that failed could not be repeated. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void shouldCloseASocketOnceThereIsMemoryForIt() throws Exception {
        String said = SmallJvm.run(List.of(), SocketCloseProgram.class);
        String result = said.lines().reduce("", (before, line) -> line);
        assertEquals("waited=true threw=false ended=true seen=true", result, said);
    }
}
