package org.freshet.migrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * A project written for Netty 3, with a server, a client in its tests, and configuration, is migrated with the recipe
 * alone.
 */
class FromNetty3Test {
    private static final String RECIPE = "org.freshet.migrate.FromNetty3";
    private static final String TESTS = "com.example.chat.ChatServerTest";

    /** As left by the build, with versions filled in. */
    private static final Path ORIGINAL = Path.of(System.getProperty("freshet.project"));

    private static final List<Path> CLASS_PATH = Arrays.stream(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .toList();

    private static final Path LOCAL_REPOSITORY = Path.of(System.getProperty("freshet.repository"));

    /** Relative to this module's directory. */
    private static final Path ROOT = Path.of("../..");

    @TempDir
    Path directory;

    private Path project;
    private Path reactor;

    @BeforeEach
    void copy() throws IOException {
        project = Files.createDirectory(directory.resolve("chat"));
        try (Stream<Path> files = Files.walk(ORIGINAL)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = project.resolve(ORIGINAL.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        reactor = Files.createDirectory(directory.resolve("repository"));
        publish("parent", ROOT);
        for (String module : List.of("core", "codec", "transport-nio", "transport-oio")) {
            publish(module, ROOT.resolve(module));
        }
    }

    /** The POMs of this build, which is not in a repository yet. OpenRewrite ignores a POM without its jar. */
    private void publish(String artifact, Path module) throws IOException {
        Path pom = module.resolve("pom.xml");
        String version = Files.readString(pom).replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
        Path target = Files.createDirectories(reactor.resolve("org/freshet/freshet-" + artifact + "/" + version));
        Files.copy(pom, target.resolve("freshet-" + artifact + "-" + version + ".pom"));
        try (JarOutputStream jar = new JarOutputStream(
                Files.newOutputStream(target.resolve("freshet-" + artifact + "-" + version + ".jar")))) {
            jar.putNextEntry(new ZipEntry("META-INF/"));
        }
    }

    @Test
    void shouldMigrateAProjectThatThenPassesItsTests() throws Exception {
        TestExecutionSummary before = new Compilation(project, CLASS_PATH).test(TESTS);
        assertEquals(List.of(), before.getFailures());
        assertEquals(2, before.getTestsSucceededCount());

        Set<String> changed = new TreeSet<>(rewrite());
        assertEquals(
                Set.of(
                        "pom.xml",
                        "src/main/java/com/example/chat/ChatServer.java",
                        "src/main/resources/chat.xml",
                        "src/main/resources/logging.properties",
                        "src/test/java/com/example/chat/ChatServerTest.java"),
                changed);
        for (String file : changed) {
            assertFalse(Files.readString(project.resolve(file)).contains("jboss"), file);
        }
        String pom = Files.readString(project.resolve("pom.xml"));
        assertFalse(pom.contains("io.netty"), pom);
        assertFalse(pom.contains("<!--~~"), pom); // where OpenRewrite reports errors
        assertTrue(pom.contains("<artifactId>freshet-transport-nio</artifactId>"), pom);
        assertTrue(pom.contains("<artifactId>freshet-codec</artifactId>"), pom);
        assertTrue(pom.contains("<artifactId>freshet-transport-oio</artifactId>"), pom);

        TestExecutionSummary after = new Compilation(project, without("netty-3")).test(TESTS);
        assertEquals(List.of(), after.getFailures());
        assertEquals(2, after.getTestsSucceededCount());

        assertEquals(List.of(), rewrite(), "a second run has nothing to do");
    }

    private List<String> rewrite() throws IOException {
        return new Rewriting(project, CLASS_PATH, List.of(reactor, LOCAL_REPOSITORY)).run(RECIPE);
    }

    private static List<Path> without(String jar) {
        return CLASS_PATH.stream()
                .filter(entry -> !entry.getFileName().toString().startsWith(jar))
                .toList();
    }
}
