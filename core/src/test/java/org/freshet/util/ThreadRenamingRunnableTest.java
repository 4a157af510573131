package org.freshet.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThreadRenamingRunnableTest {
    private final String original = Thread.currentThread().getName();
    private final List<String> names = new ArrayList<>();
    private final Runnable task = () -> names.add(Thread.currentThread().getName());

    @BeforeEach
    void name() {
        Thread.currentThread().setName("before");
    }

    @AfterEach
    void restore() {
        ThreadRenamingRunnable.setThreadNameDeterminer(ThreadNameDeterminer.PROPOSED);
        Thread.currentThread().setName(original);
    }

    private String nameAfterwards() {
        return Thread.currentThread().getName();
    }

    @Test
    void shouldRunUnderTheProposedNameAndRestoreTheOldOne() {
        new ThreadRenamingRunnable(task, "proposed").run();
        assertEquals(List.of("proposed"), names);
        assertEquals("before", nameAfterwards());
    }

    @Test
    void shouldRestoreTheOldNameWhenTheTaskThrows() {
        Runnable failing = new ThreadRenamingRunnable(
                () -> {
                    task.run();
                    throw new IllegalStateException();
                },
                "proposed");
        assertThrows(IllegalStateException.class, failing::run);
        assertEquals(List.of("proposed"), names);
        assertEquals("before", nameAfterwards());
    }

    @Test
    void shouldAskItsDeterminer() {
        new ThreadRenamingRunnable(task, "proposed", (current, proposed) -> current + " and " + proposed).run();
        new ThreadRenamingRunnable(task, "proposed", ThreadNameDeterminer.CURRENT).run();
        assertEquals(List.of("before and proposed", "before"), names);
    }

    @Test
    void shouldOtherwiseAskTheCurrentDefaultDeterminer() {
        assertSame(ThreadNameDeterminer.PROPOSED, ThreadRenamingRunnable.getThreadNameDeterminer());
        Runnable runnable = new ThreadRenamingRunnable(task, "proposed", null);
        ThreadRenamingRunnable.setThreadNameDeterminer((current, proposed) -> "chosen for all");
        runnable.run();
        assertEquals(List.of("chosen for all"), names);
    }

    @Test
    void shouldKeepTheNameWhenTheDeterminerFails() {
        Exception failure = new Exception("no idea");
        try (CapturedLog log = CapturedLog.start()) {
            new ThreadRenamingRunnable(task, "proposed", (current, proposed) -> {
                        throw failure;
                    })
                    .run();
            assertSame(failure, log.messages(InternalLogLevel.WARN).get(0).cause());
        }
        assertEquals(List.of("before"), names);
    }

    @Test
    void shouldRefuseNulls() {
        assertThrows(NullPointerException.class, () -> new ThreadRenamingRunnable(null, "proposed"));
        assertThrows(NullPointerException.class, () -> new ThreadRenamingRunnable(task, null));
        assertThrows(NullPointerException.class, () -> ThreadRenamingRunnable.setThreadNameDeterminer(null));
    }
}
