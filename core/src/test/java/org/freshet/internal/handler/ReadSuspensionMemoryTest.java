package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/**
 * A request to the transport for which memory runs out. A separate JVM exhausts its heap, because no code here can be
 * made to fail.
 */
class ReadSuspensionMemoryTest {
    private static final String AGAIN = "asked again";

    @Test
    void shouldAskTheTransportAgainAfterThereWasNoMemoryToAsk() throws Exception {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                        "-Xmx12m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Exhausted.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
        assertEquals(AGAIN, output.strip());
    }

    /** The program that runs in that JVM. */
    static final class Exhausted {
        private static final int WARM_UPS = 3;

        public static void main(String[] args) {
            SimpleChannelHandler handler = new SimpleChannelHandler();
            MemoryChannel channel = MemoryChannel.connected(handler);
            ReadSuspension suspension = ReadSuspension.at(channel.context(handler));
            for (int i = 0; i < WARM_UPS; i++) { // loads all classes
                suspension.suspend();
                suspension.resume();
                suspension.update();
            }
            boolean hasFailed = suspendWithoutMemory(suspension);
            boolean wasAsked = !channel.isReadable();
            suspension.update();
            System.out.println(
                    hasFailed && !wasAsked && !channel.isReadable() ? AGAIN : describe(channel, hasFailed, wasAsked));
        }

        private static String describe(Channel channel, boolean hasFailed, boolean wasAsked) {
            return "failed: " + hasFailed + ", asked: " + wasAsked + ", in the end readable: " + channel.isReadable();
        }

        private static boolean suspendWithoutMemory(ReadSuspension suspension) {
            List<Object> filling = new ArrayList<>(1 << 18);
            int bytes = 1 << 20;
            while (bytes > 0) {
                try {
                    filling.add(bytes > Long.BYTES ? new byte[bytes] : new Object());
                } catch (OutOfMemoryError full) {
                    bytes = bytes > Long.BYTES ? bytes / 2 : 0;
                }
            }
            try {
                suspension.suspend();
                return false;
            } catch (OutOfMemoryError expected) {
                return true;
            } finally {
                filling.clear();
            }
        }
    }
}
