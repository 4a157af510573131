package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.ssl.Bytes.record;
import static org.freshet.handler.ssl.Bytes.text;
import static org.freshet.handler.ssl.TlsPair.TLS_1_2;
import static org.freshet.handler.ssl.TlsPair.TLS_1_3;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine's long tasks, run on an executor's threads. */
@Tag("crypto")
class DelegatedTasksTest {
    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldContinueWhenTasksOnOtherThreadsAreDone(String protocol) throws Exception {
        Queue<Runnable> tasks = new ArrayDeque<>();
        TlsPair pair = TlsPair.of(
                Certificates.client().protocols(protocol).delegatedTaskExecutor(tasks::add),
                Certificates.server().protocols(protocol).delegatedTaskExecutor(tasks::add),
                () -> 70);
        pair.client.write(text("hello"));
        int ran = 0;
        for (pair.pump(); !tasks.isEmpty(); pair.pump()) {
            tasks.remove().run();
            ran++;
        }
        assertTrue(ran >= 2, "tasks: " + ran);
        pair.established();
        assertEquals("hello", TlsPair.received(pair.server).toString(US_ASCII));
        pair.assertNothingCaught();
    }

    @Test
    void shouldSuspendReadingWhileTasksDelayALot() throws Exception {
        Queue<Runnable> tasks = new ArrayDeque<>();
        TlsPair pair =
                TlsPair.of(Certificates.client(), Certificates.server().delegatedTaskExecutor(tasks::add), () -> 70);
        pair.pump();
        assertFalse(tasks.isEmpty());
        assertTrue(pair.server.isReadable());
        pair.server.receive(record(TlsRecords.APPLICATION_DATA, 3, new byte[16_000]));
        assertTrue(pair.server.isReadable());
        for (int i = 0; i < 4; i++) {
            pair.server.receive(record(TlsRecords.APPLICATION_DATA, 3, new byte[16_000]));
        }
        assertFalse(pair.server.isReadable());
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        assertTrue(pair.server.isReadable());
        assertFalse(pair.server.isOpen(), "the bytes received in place of the client's answer were not an answer");
    }

    @Test
    void shouldNotForgetThatTheUserSuspendedReadingMeanwhile() throws Exception {
        Queue<Runnable> tasks = new ArrayDeque<>();
        TlsPair pair =
                TlsPair.of(Certificates.client(), Certificates.server().delegatedTaskExecutor(tasks::add), () -> 70);
        pair.pump();
        pair.server.setReadable(false);
        for (int i = 0; i < 5; i++) {
            pair.server.receive(record(TlsRecords.APPLICATION_DATA, 3, new byte[16_000]));
        }
        tasks.remove().run();
        assertFalse(pair.server.isReadable());
    }

    @Test
    void shouldFailWhenTheExecutorRefusesATask() throws Exception {
        TlsPair pair = TlsPair.of(
                Certificates.client(),
                Certificates.server().delegatedTaskExecutor(task -> {
                    throw new java.util.concurrent.RejectedExecutionException("full");
                }),
                () -> 1000);
        pair.pump();
        assertEquals("full", pair.server.takeCaught().get(0).getMessage());
        assertFalse(pair.server.isOpen());
    }
}
