package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.freshet.handler.codec.http.cookie.CookieFuzz;
import org.freshet.handler.codec.http.multipart.FormFuzz;
import org.freshet.handler.codec.http2.Http2Fuzz;
import org.freshet.handler.codec.http2.hpack.HpackFuzz;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Properties that hold whatever is decoded, checked for interesting inputs and for changed ones, the same in each
 * build.
 *
 * <p>{@code -Dfreshet.fuzz=SECONDS} lets Jazzer search for other inputs, guided by the code they reach. They are kept
 * in {@code target/fuzz}.
 */
class FuzzTest {
    private static final int MUTATIONS = 4000;

    /** For inputs that need a connection. */
    private static final int CONNECTIONS = 800;

    private static final long SEED = 20_261_122;

    private static final int SECONDS = Integer.getInteger("freshet.fuzz", 0);

    /** Time for Jazzer to start and to report its findings. */
    private static final int MORE_SECONDS_FOR_JAZZER = 120;

    private static final int MAX_BYTES = 4096;
    private static final int MAX_SECONDS_OF_AN_INPUT = 10;
    private static final int MAX_MEGABYTES = 3072;

    /** The directory where Jazzer continues from earlier findings and stores inputs that fail. */
    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"), "fuzz");

    enum Target {
        HTTP_DECODER(HttpDecoderFuzz.class, HttpDecoderFuzz::fuzzerTestOneInput, HttpDecoderFuzz.seeds(), MUTATIONS),
        FORM(FormFuzz.class, FormFuzz::fuzzerTestOneInput, FormFuzz.seeds(), MUTATIONS),
        COOKIE(CookieFuzz.class, CookieFuzz::fuzzerTestOneInput, CookieFuzz.seeds(), MUTATIONS),
        HTTP2(Http2Fuzz.class, Http2Fuzz::fuzzerTestOneInput, Http2Fuzz.seeds(), CONNECTIONS),
        HPACK(HpackFuzz.class, HpackFuzz::fuzzerTestOneInput, HpackFuzz.seeds(), MUTATIONS);

        private final Class<?> jazzerTarget;
        private final Consumer<byte[]> check;
        private final List<byte[]> seeds;
        private final int mutations;

        Target(Class<?> jazzerTarget, Consumer<byte[]> check, List<byte[]> seeds, int mutations) {
            this.jazzerTarget = jazzerTarget;
            this.check = check;
            this.seeds = seeds;
            this.mutations = mutations;
        }

        void check(byte[] input) {
            try {
                check.accept(input);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "input " + HexFormat.of().formatHex(input) + ":\n" + SeenRequest.shown(input), e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHoldForKnownInputs(Target target) {
        target.seeds.forEach(target::check);
    }

    @ParameterizedTest
    @EnumSource
    void shouldHoldForChangedInputs(Target target) {
        Random random = new Random(SEED);
        RequestMutator mutator = new RequestMutator(random);
        for (int i = 0; i < target.mutations; i++) {
            target.check(mutator.changed(target.seeds.get(random.nextInt(target.seeds.size()))));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(100_000)
    void shouldHoldForInputsOfJazzer(Target target) throws Exception {
        assumeTrue(SECONDS > 0, "-Dfreshet.fuzz=SECONDS was not given");
        Path folder = FOLDER.resolve(target.name());
        Path corpus = Files.createDirectories(folder.resolve("corpus"));
        for (int i = 0; i < target.seeds.size(); i++) {
            Files.write(corpus.resolve("seed" + i), target.seeds.get(i));
        }
        Path log = folder.resolve("log");
        Process jazzer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-ea",
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + target.jazzerTarget.getName(),
                        "--instrumentation_includes=org.freshet.handler.codec.**",
                        "-max_total_time=" + SECONDS,
                        "-max_len=" + MAX_BYTES,
                        "-timeout=" + MAX_SECONDS_OF_AN_INPUT,
                        "-rss_limit_mb=" + MAX_MEGABYTES,
                        "-print_final_stats=1",
                        corpus.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertTrue(jazzer.waitFor(SECONDS + MORE_SECONDS_FOR_JAZZER, TimeUnit.SECONDS), "Jazzer did not exit");
        } finally {
            jazzer.destroyForcibly();
        }
        assertEquals(0, jazzer.exitValue(), () -> target + ", see " + log + ":\n" + findings(log));
    }

    private static String findings(Path log) {
        try {
            String text = Files.readString(log, StandardCharsets.ISO_8859_1);
            return text.substring(Math.max(0, text.indexOf("\n== ")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
