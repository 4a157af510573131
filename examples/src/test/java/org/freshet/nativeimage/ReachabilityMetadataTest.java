package org.freshet.nativeimage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.example.ModuleClasses;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * For each reflective call in the library there is a reason why it works in a native image, and the metadata in the
 * jars is what these reasons require. {@code mvn test -pl examples -am -Dtest=ReachabilityMetadataTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dfreshet.native.write=true} rewrites it.
 */
class ReachabilityMetadataTest {
    private static final String WRITE_PROPERTY = "freshet.native.write";
    private static final Path REASONS = Path.of("src/test/resources/reflective-calls.txt");

    private enum Module {
        CORE("core", ChannelHandler.class),
        CODEC("codec", FrameDecoder.class),
        NIO("transport-nio", NioServerSocketChannelFactory.class),
        OIO("transport-oio", OioServerSocketChannelFactory.class);

        final String folder;
        final Class<?> member;

        Module(String folder, Class<?> member) {
            this.folder = folder;
            this.member = member;
        }

        List<Class<?>> types() throws IOException {
            return ModuleClasses.of(member);
        }

        String resource() {
            return "META-INF/native-image/org.freshet/freshet-" + folder + "/reachability-metadata.json";
        }
    }

    @Test
    void shouldHaveAReasonForEachReflectiveCall() throws IOException {
        Set<String> calls = new TreeSet<>();
        for (Module module : Module.values()) {
            calls.addAll(ReflectiveCalls.in(module.types()));
        }
        Set<String> explained = new TreeSet<>();
        String reason = "";
        for (String line : Files.readAllLines(REASONS)) {
            if (line.startsWith("#")) {
                reason = line;
            } else if (!line.isBlank()) {
                assertFalse(reason.isEmpty(), () -> "no reason above " + line);
                assertTrue(explained.add(line), () -> "twice: " + line);
            }
        }
        assertEquals(
                String.join("\n", explained), String.join("\n", calls), "reflective calls, and their explanations");
    }

    /** Makes calls of each kind. */
    private static final class Sample {
        private static final VarHandle CONSTANT;

        static {
            try {
                CONSTANT = MethodHandles.lookup().findVarHandle(Sample.class, "field", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private int field;

        static VarHandle named(String name) throws ReflectiveOperationException {
            return MethodHandles.lookup().findVarHandle(Sample.class, name, int.class);
        }

        static Stream<Method[]> methods(Stream<Class<?>> types) {
            return types.map(Class::getMethods);
        }

        static Object load(List<String> names) {
            return names.stream().map(name -> Sample.class.getResource(name)).toList();
        }
    }

    @Test
    void shouldFindCallsInLambdasAndMethodReferencesButNoVarHandlesOfConstants() throws IOException {
        String sample = "nativeimage.ReachabilityMetadataTest$Sample.";
        assertEquals(
                Set.of(
                        sample + "named: MethodHandles$Lookup.findVarHandle",
                        sample + "methods: Class.getMethods",
                        sample + "load: Class.getResource"),
                ReflectiveCalls.in(List.of(Sample.class)));
    }

    @ParameterizedTest
    @EnumSource
    void shouldHaveTheMetadataNamedByTheReasonsInTheJar(Module module) throws IOException {
        String expected = ReachabilityMetadata.of(module.types());
        if (Boolean.getBoolean(WRITE_PROPERTY)) {
            Path source = Path.of("..", module.folder, "src/main/resources", module.resource());
            Files.createDirectories(source.getParent());
            Files.writeString(source, expected);
            return;
        }
        try (InputStream resource = module.member.getResourceAsStream("/" + module.resource())) {
            assertNotNull(resource, module.resource());
            assertEquals(
                    expected,
                    new String(resource.readAllBytes(), UTF_8),
                    () -> module.resource() + " is out of date; -D" + WRITE_PROPERTY + "=true rewrites it");
        }
    }
}
