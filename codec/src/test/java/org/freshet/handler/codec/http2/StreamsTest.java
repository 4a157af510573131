package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsTest {
    private final Streams streams = new Streams();
    private final Random random = Seeds.random();

    private static Stream stream(int id) {
        Stream stream = new Stream(null, 0);
        stream.open(id, 0, 0);
        return stream;
    }

    @Test
    void shouldContainTheSameAsAMap() {
        Map<Integer, Stream> model = new TreeMap<>();
        for (int step = 0; step < 5_000; step++) {
            int id = 1 + 2 * random.nextInt(step % 1_000 < 500 ? 500 : 20);
            if (model.containsKey(id)) {
                assertSame(model.get(id), streams.get(id));
                streams.remove(stream(id));
                assertSame(model.get(id), streams.get(id), "another stream of that number was removed");
                streams.remove(model.remove(id));
            } else {
                model.put(id, stream(id));
                streams.add(model.get(id));
            }
            assertEquals(model.size(), streams.count());
            for (int each = 1; each < 60; each += 2) {
                assertSame(model.get(each), streams.get(each), "seed " + Seeds.seed());
            }
        }
        List<Stream> seen = new ArrayList<>();
        streams.forEach(seen::add);
        assertEquals(model.size(), seen.size());
        assertTrue(seen.containsAll(model.values()));
        streams.forEach(streams::remove);
        assertEquals(0, streams.count());
        assertNull(streams.get(1));
    }

    @Test
    void shouldFindStreamsThatWouldHaveTheSamePlace() {
        Stream first = stream(1);
        Stream second = stream(33);
        Stream third = stream(65);
        streams.add(first);
        streams.add(second);
        streams.add(third);
        streams.remove(first);
        assertSame(second, streams.get(33));
        assertSame(third, streams.get(65));
        streams.remove(first);
        assertEquals(2, streams.count());
    }

    @Test
    void shouldRememberTheLastStreamsThatWereReset() {
        assertFalse(streams.wasReset(1));
        for (int i = 0; i < 128; i++) {
            streams.rememberReset(2 * i + 1);
        }
        assertTrue(streams.wasReset(1));
        assertTrue(streams.wasReset(255));
        assertFalse(streams.wasReset(257));
        streams.rememberReset(257);
        assertTrue(streams.wasReset(259), "more than we remember");
    }

    @Test
    void shouldSendTheMostUrgentFirst() {
        SendScheduler scheduler = new SendScheduler();
        assertNull(scheduler.poll());
        List<Stream> byUrgency = new ArrayList<>();
        for (int urgency = 7; urgency >= 0; urgency--) {
            Stream stream = stream(1);
            stream.setPriority(new Http2Priority(urgency, urgency % 2 == 0));
            scheduler.add(stream);
            scheduler.add(stream);
            byUrgency.add(0, stream);
        }
        scheduler.remove(byUrgency.remove(3));
        scheduler.remove(stream(1));
        for (Stream each : byUrgency) {
            assertTrue(each.isScheduled);
            assertSame(each, scheduler.poll());
            assertFalse(each.isScheduled);
        }
        assertNull(scheduler.poll());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepTheOthersWhenAStreamIsRemoved(boolean isIncremental) {
        SendScheduler scheduler = new SendScheduler();
        scheduler.remove(stream(1));
        assertNull(scheduler.poll());
        Stream first = stream(1);
        Stream second = stream(3);
        first.setPriority(new Http2Priority(3, isIncremental));
        second.setPriority(new Http2Priority(3, isIncremental));
        scheduler.add(first);
        scheduler.add(second);
        scheduler.remove(first);
        scheduler.remove(first);
        assertSame(second, scheduler.poll());
        assertNull(scheduler.poll());
    }

    @Test
    void shouldLetIncrementalStreamsTakeTurnsWithTheOldestOfTheOthers() {
        SendScheduler scheduler = new SendScheduler();
        Stream[] inOrder = {stream(1), stream(3)};
        Stream[] byTurns = {stream(5), stream(7)};
        for (Stream each : inOrder) {
            each.setPriority(new Http2Priority(3, false));
            scheduler.add(each);
        }
        for (Stream each : byTurns) {
            scheduler.add(each);
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Stream next = scheduler.poll();
            order.add(next.id());
            scheduler.addAgain(next);
        }
        assertEquals(List.of(1, 5, 1, 7, 1, 5, 1, 7), order);
        scheduler.remove(inOrder[0]);
        scheduler.remove(byTurns[0]);
        assertSame(inOrder[1], scheduler.poll());
        assertSame(byTurns[1], scheduler.poll());
        assertNull(scheduler.poll());
    }
}
