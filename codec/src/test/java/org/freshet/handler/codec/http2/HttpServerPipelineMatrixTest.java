package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Seeds;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each option of a ready-made pipeline combined with each other one, with none and with all, for each way in which a
 * client may reach it: requests, errors, HEAD, a slow client and a drain. A build tests a sample; {@code
 * -Dfreshet.seams=true} tests all combinations, which takes several minutes.
 */
class HttpServerPipelineMatrixTest {
    private static final int SAMPLE = 40;

    @TempDir
    static Path directory;

    private static HashedWheelTimer timer;

    @BeforeAll
    static void prepare() throws Exception {
        timer = new HashedWheelTimer();
        Files.writeString(directory.resolve("small.txt"), PipelineExpectations.SMALL_FILE);
        Files.writeString(directory.resolve("large.txt"), PipelineExpectations.LARGE_FILE);
    }

    @AfterAll
    static void stop() {
        timer.stop();
    }

    private static List<Set<PipelineOption>> pairs() {
        List<Set<PipelineOption>> pairs = new ArrayList<>();
        for (PipelineOption one : PipelineOption.values()) {
            for (PipelineOption other : PipelineOption.values()) {
                if (one.compareTo(other) <= 0) { // an option combined with itself stands alone
                    pairs.add(EnumSet.of(one, other));
                }
            }
        }
        return pairs;
    }

    static Stream<Arguments> combinations() {
        List<Arguments> all = new ArrayList<>();
        List<Arguments> always = new ArrayList<>();
        for (PipelineWire wire : PipelineWire.values()) {
            pairs().forEach(options -> all.add(Arguments.of(wire, options)));
            always.add(Arguments.of(wire, EnumSet.noneOf(PipelineOption.class)));
            always.add(Arguments.of(wire, EnumSet.allOf(PipelineOption.class)));
        }
        if (Boolean.getBoolean("freshet.seams")) {
            return Stream.concat(always.stream(), all.stream());
        }
        Collections.shuffle(all, Seeds.random());
        return Stream.concat(always.stream(), all.stream().limit(Seeds.rounds(SAMPLE)));
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void shouldServeWithOptionsTogether(PipelineWire wire, Set<PipelineOption> options) throws Exception {
        try (CapturedLog log = CapturedLog.start()) {
            try (PipelineServer server = new PipelineServer(wire, options, directory, timer)) {
                new PipelineScenarios(wire, server, new PipelineExpectations(wire, options)).play();
            }
            assertEquals(
                    List.of(),
                    log.messages().stream()
                            .filter(HttpServerPipelineMatrixTest::isUnexpected)
                            .toList());
        }
    }

    private static boolean isUnexpected(CapturedLog.Message message) {
        boolean isProblem = message.level() == InternalLogLevel.WARN || message.level() == InternalLogLevel.ERROR;
        return isProblem && !(message.cause() instanceof PipelineServer.Failure);
    }
}
