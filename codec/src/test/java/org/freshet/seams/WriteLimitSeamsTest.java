package org.freshet.seams;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.seams.Scene.Transport;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code writeBufferLimit} bounds what is queued, whatever holds it: a peer that does not read, one place where
 * messages are queued, one form of message, one policy.
 */
class WriteLimitSeamsTest {
    private static final int LIMIT = 256 * 1024;

    private static final int CELLS_A_BUILD = 10;

    /** Names of places, separated by commas; null for all. */
    private static final String ONLY = System.getProperty("freshet.seams.place");

    /**
     * Allowance for what handlers below add or must be able to send (TLS records, heads of frames, a chunk of the input
     * in progress) and for messages between two counts.
     */
    private static final int ALLOWANCE = 64 * 1024;

    /** The octets of a batch of HTTP/2 frames at most, and of the head of each. */
    private static final int BATCH = 64 * 1024;

    private static final int FRAME_HEAD = 9;

    /** More would be held only by chance, depending on the order in which descriptors close. */
    private static final int MORE_REGIONS = 16;

    /** Bytes per second: only the first message passes during a test. */
    private static final long RATE = 1;

    private static final Form[] BUFFERS = {Form.BUFFER_1_B, Form.BUFFER_1_KIB, Form.BUFFER_64_KIB};
    private static final Form[] STRINGS = {Form.STRING_1_B, Form.STRING_1_KIB, Form.STRING_64_KIB};
    private static final Form[] FRAMES = {Form.FRAME_1_B, Form.FRAME_1_KIB, Form.FRAME_64_KIB};

    static Stream<Arguments> cells() {
        List<Arguments> cells = new ArrayList<>();
        for (Place place : Place.values()) {
            if (ONLY != null && !List.of(ONLY.split(",")).contains(place.name())) {
                continue;
            }
            for (Transport transport : transports(place)) {
                forms(transport, place)
                        .forEach(form -> policies(place)
                                .forEach(policy -> cells.add(Arguments.of(transport, place, form, policy))));
            }
        }
        return ONLY != null || Seams.areAllRun() ? cells.stream() : sample(cells).stream();
    }

    /** A build runs some cells, always the same; another seed selects others. */
    private static List<Arguments> sample(List<Arguments> cells) {
        Collections.shuffle(cells, Seeds.random());
        return cells.subList(0, Math.min(cells.size(), Seeds.rounds(CELLS_A_BUILD)));
    }

    /**
     * A blocking transport makes its writers wait, so little can be queued in it; handlers above it can hold many
     * messages.
     */
    private static List<Transport> transports(Place place) {
        return switch (place) {
            case TRANSPORT, CHANNEL_SHAPER, TLS_UNFINISHED, EXECUTOR -> List.of(Transport.values());
            case CHUNKS_ABOVE_ENCODER, BUFFERED, BUFFERED_ABOVE_ENCODER -> List.of(Transport.NIO, Transport.LOCAL);
            default -> List.of(Transport.NIO);
        };
    }

    /**
     * A message that waits for an answer's end blocks nothing, because that answer needs the room: BLOCK closes in this
     * case.
     */
    private static Stream<WriteOverflow> policies(Place place) {
        return Stream.of(WriteOverflow.values())
                .filter(policy -> place != Place.PIPELINED || policy != WriteOverflow.BLOCK);
    }

    private static Stream<Form> forms(Transport transport, Place place) {
        if (place.isWebSocket()) {
            return Stream.of(FRAMES);
        }
        Stream<Form> texts = place.hasEncoder() ? Stream.of(STRINGS) : Stream.of(BUFFERS);
        boolean mayHoldRegions = !place.isAsked() && transport != Transport.LOCAL && !place.isTls();
        return mayHoldRegions ? Stream.concat(texts, Stream.of(Form.REGION)) : texts;
    }

    @ParameterizedTest
    @MethodSource("cells")
    void shouldLimitWhatIsQueued(Transport transport, Place place, Form form, WriteOverflow policy) throws Exception {
        int threads = place.isWebSocket() || transport == Transport.OIO ? Form.MAX_THREADS : 1;
        try (Scene scene = new Scene(transport, place, form, RATE)) {
            Channel channel = scene.open(Map.of("writeBufferLimit", LIMIT, "writeOverflow", policy));
            Load load = new Load(channel, form, threads);
            load.start();
            boolean writersWait = policy == WriteOverflow.BLOCK
                    || transport == Transport.OIO && place == Place.TRANSPORT; // there each writer waits
            if (writersWait) {
                shouldBlock(scene, load, form);
            } else if (policy == WriteOverflow.FAIL) {
                shouldFail(scene, load, form);
            } else {
                shouldClose(scene, channel, load, form);
            }
            assertEquals(0, load.completedTwice(), "futures that completed twice");
        }
    }

    private static void assertBounded(Load load, Place place, Form form) {
        int messages = load.threadCount() + aboutToComplete(place, form);
        long bound = LIMIT + (long) messages * form.charge() + ALLOWANCE;
        assertTrue(load.mostWaiting.get() <= bound, () -> "more than " + bound + " wait; " + load);
        assertTrue(load.mostCounted.get() <= bound, () -> "more than " + bound + " are counted; " + load);
        long regions = LIMIT / Form.REGION_COST + load.threadCount() + MORE_REGIONS;
        assertTrue(load.mostRegions.get() <= regions, () -> "more than " + regions + " regions are open; " + load);
    }

    /** How many sent messages are released before the future of the first completes: one, or those of a batch of frames. */
    private static int aboutToComplete(Place place, Form form) {
        return place.isStream() ? Math.max(1, BATCH / (FRAME_HEAD + form.bytes)) : 1;
    }

    private static void shouldClose(Scene scene, Channel channel, Load load, Form form) {
        load.awaitStandstill();
        assertBounded(load, scene.place, form);
        Channel connection = scene.connection();
        Await.done(connection.getCloseFuture(), "the close; " + load);
        assertEquals(Kind.OVERFLOW, connection.getCloseReason().kind());
        scene.letGo(); // a write that a handler below is working on completes when that is done
        load.awaitCompletion(scene::flush);
        assertTrue(load.failed.get() > 0, load::toString);
    }

    private static void shouldFail(Scene scene, Load load, Form form) {
        load.awaitStandstill();
        assertBounded(load, scene.place, form);
        assertTrue(load.failed.get() > 0, () -> "no write has failed; " + load);
        scene.letGo();
        load.awaitCompletion(scene::flush);
        if (scene.place.isStream()) {
            assertTrue(scene.connection().isOpen(), "the connection ended with the stream");
            return;
        }
        load.failures.forEach(cause -> assertInstanceOf(WriteOverflowException.class, cause));
        ChannelFuture last = load.writeLast();
        load.awaitCompletion(scene::flush);
        Await.success(last, "a write when the peer reads again");
        assertReceived(scene, load);
    }

    private static void shouldBlock(Scene scene, Load load, Form form) {
        load.awaitStandstill();
        boolean areBlocked = load.areWriting();
        assertBounded(load, scene.place, form);
        assertTrue(areBlocked, () -> "no writer was blocked; " + load);
        scene.letGo();
        load.awaitCompletion(scene::flush);
        assertEquals(0, load.failed.get(), () -> "failed writes, with " + load.failures.peek());
        assertBounded(load, scene.place, form);
        assertReceived(scene, load);
    }

    private static void assertReceived(Scene scene, Load load) {
        Collector collector = scene.collector;
        long expected = load.sentBytes() + (scene.place.hasChunks() ? Scene.HEAD_BYTES : 0);
        Await.until(
                () -> collector.receivedBytes() >= expected,
                () -> expected + " bytes; received " + collector.receivedBytes());
        assertEquals(expected, collector.receivedBytes());
        assertNull(collector.damage());
        for (int i = 0; i < load.threadCount(); i++) {
            assertArrayEquals(load.sentMarks(i), collector.marks(i), "messages of writer " + i);
        }
    }
}
