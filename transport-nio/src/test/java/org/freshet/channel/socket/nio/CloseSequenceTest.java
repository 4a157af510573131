package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Recorder;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

class CloseSequenceTest {
    private static final int MANY_STEPS = 100;

    /** Asking for its pipeline is a step at which memory runs out; it comes just before an event is created. */
    private static Channel starved(Channel channel, Scarcity scarcity) {
        return (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (self, method, args) -> {
                    if (method.getName().equals("getPipeline")) {
                        scarcity.step();
                    }
                    return method.invoke(channel, args);
                });
    }

    @Test
    void shouldFireEachEventOnceWheneverMemoryRunsOut() {
        boolean wasReached = true;
        for (int steps = 0; wasReached; steps++) {
            Recorder recorder = new Recorder();
            Scarcity scarcity = new Scarcity(steps);
            List<String> ended = new ArrayList<>();
            CloseSequence sequence = new CloseSequence(
                    starved(MemoryChannel.connected(recorder), scarcity),
                    () -> {
                        scarcity.step();
                        ended.add("requests");
                    },
                    true,
                    true);
            Scarcity.survive(sequence::resume);
            sequence.resume();
            assertEquals(List.of("requests"), ended);
            assertEquals(
                    List.of("open", "bound", "connected", "disconnected", "unbound", "closed"),
                    recorder.events(),
                    "no memory after " + steps + " steps");
            wasReached = scarcity.wasReached() && steps < MANY_STEPS;
        }
    }
}
