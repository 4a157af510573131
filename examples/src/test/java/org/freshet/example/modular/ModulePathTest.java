package org.freshet.example.modular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that is a module finds Freshet's modules on the module path, and in a JDK image built by jlink. */
class ModulePathTest {
    private static final String EXPECTED = "hello from org.freshet.core";
    private static final int DEADLINE_SECONDS = 60;
    private static final String SLF4J_VERBOSITY = "slf4j.internal.verbosity";

    /** The parts of this test's class path that the program needs. */
    private static final String LIBRARIES = Arrays.stream(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> ModuleFinder.of(Path.of(entry)).findAll().stream()
                    .anyMatch(module -> module.descriptor().name().startsWith("org.freshet.")
                            || module.descriptor().name().equals("org.slf4j")))
            .collect(Collectors.joining(File.pathSeparator));

    @TempDir
    Path directory;

    private String modulePath;

    @BeforeEach
    void compile() {
        Path app = directory.resolve("app");
        run(
                "javac",
                "-d",
                app.toString(),
                "-p",
                LIBRARIES,
                "src/test/modular/module-info.java",
                "src/test/modular/app/Echo.java");
        modulePath = app + File.pathSeparator + LIBRARIES;
    }

    private static void run(String tool, String... arguments) {
        StringWriter messages = new StringWriter();
        PrintWriter out = new PrintWriter(messages);
        int result = ToolProvider.findFirst(tool).orElseThrow().run(out, out, arguments);
        assertEquals(0, result, messages::toString);
    }

    @Test
    void shouldRunAsModules() throws Exception {
        Path[] entries = Arrays.stream(modulePath.split(File.pathSeparator))
                .map(Path::of)
                .toArray(Path[]::new);
        Configuration modules =
                ModuleLayer.boot().configuration().resolve(ModuleFinder.of(entries), ModuleFinder.of(), Set.of("app"));
        ClassLoader loader = ModuleLayer.boot()
                .defineModulesWithOneLoader(modules, ClassLoader.getPlatformClassLoader())
                .findLoader("app");
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setProperty(SLF4J_VERBOSITY, "ERROR"); // otherwise it would print that the layer has no provider
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            loader.loadClass("app.Echo").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
            System.clearProperty(SLF4J_VERBOSITY);
        }
        assertEquals(EXPECTED, printed.toString(StandardCharsets.UTF_8).strip());
    }

    /** The image contains only what the modules require: no jdk.jfr, no java.desktop. */
    @Test
    void shouldRunInItsOwnImage() throws Exception {
        Path image = directory.resolve("image");
        run(
                "jlink",
                "-p",
                modulePath,
                "--add-modules",
                "app",
                "--output",
                image.toString(),
                "--no-man-pages",
                "--no-header-files");
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(image.resolve("bin/java").toString(), "-m", "app/app.Echo")
                .redirectOutput(output.toFile())
                .start();
        assertTrue(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS), "the program has not ended");
        assertEquals(EXPECTED, lastLineOf(output));
        assertEquals(0, process.exitValue());
    }

    private static String lastLineOf(Path file) throws IOException {
        return Files.readString(file).strip().replaceFirst("(?s).*\n", "");
    }
}
