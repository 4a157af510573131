package org.freshet.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

class LastStepsTest {
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger(1);

    private void step(String name) {
        if (failures.getAndDecrement() > 0) {
            throw new OutOfMemoryError("thrown on purpose");
        }
        done.add(name);
    }

    private void awaitEnd() {
        Await.until(() -> done.contains("forget"), "the last step");
    }

    @Test
    void shouldCloseAgainAfterRunningOutOfMemory() {
        new LastSteps(
                        events -> {
                            step("close");
                            events.run();
                        },
                        () -> done.add("events"),
                        () -> done.add("forget"))
                .run();
        awaitEnd();
        assertEquals(List.of("close", "events", "forget"), done);
    }

    @Test
    void shouldFireTheRestOfTheEventsAfterRunningOutOfMemory() {
        new LastSteps(Runnable::run, () -> step("events"), () -> done.add("forget")).run();
        awaitEnd();
        assertEquals(List.of("events", "forget"), done);
    }
}
