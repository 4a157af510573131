package org.freshet.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.server.HttpTimeouts;
import org.freshet.handler.codec.http2.Http2Settings;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code docs/security.md} and the pages of {@code docs/security} to the sources: the tests that it names, the defaults that it states. What it says of
 * advisories is written for scanners by {@code mvn test -pl examples -am -Dtest=SecurityPageTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dfreshet.vex.write=true}.
 */
class SecurityPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path VEX = ROOT.resolve("docs/vex.openvex.json");
    private static final String WRITE_PROPERTY = "freshet.vex.write";
    private static final List<String> MODULES =
            List.of("core", "codec", "transport-nio", "transport-oio", "examples", "microbench");

    private static final Set<String> OF_THE_JDK = Set.of("ObjectInputFilter");

    private final SecurityPage page = new SecurityPage(
            read(ROOT.resolve("docs/security.md")),
            read(ROOT.resolve("docs/security/advisories.md")),
            read(ROOT.resolve("docs/security/limits.md")));

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** By simple name; classes in several modules may have the same one. */
    private static Map<String, List<Path>> sources(String root) throws IOException {
        Map<String, List<Path>> sources = new HashMap<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve(root))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .forEach(file -> sources.computeIfAbsent(simpleName(file), name -> new ArrayList<>())
                                .add(file));
            }
        }
        return sources;
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replaceFirst("\\.java$", "");
    }

    // ---- tests ----

    @Test
    void shouldNameTestsThatExist() throws IOException {
        Map<String, List<Path>> sources = sources("src/test/java");
        Set<String> missing = new TreeSet<>(page.tests());
        missing.removeIf(test -> {
            int hash = test.indexOf('#');
            return hasTest(sources, test.substring(0, hash), test.substring(hash + 1));
        });
        assertEquals(Set.of(), missing, "named by the pages on security, and no tests");
        assertTrue(page.tests().size() >= 100, () -> page.tests().size() + " tests");
    }

    /** Includes methods that the class inherits. */
    private static boolean hasTest(Map<String, List<Path>> sources, String className, String method) {
        for (Path source : sources.getOrDefault(className, List.of())) {
            String text = read(source);
            Matcher parent =
                    Pattern.compile("class " + className + " extends (\\w+)").matcher(text);
            if (declaresTest(text, method) || parent.find() && hasTest(sources, parent.group(1), method)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a test annotation stands between the end of the previous member and the method. */
    private static boolean declaresTest(String source, String method) {
        Matcher declaration = Pattern.compile("^    (public )?void " + method + "\\(", Pattern.MULTILINE)
                .matcher(source);
        if (!declaration.find()) {
            return false;
        }
        String before = source.substring(0, declaration.start());
        String annotations = before.substring(before.lastIndexOf("\n\n"));
        return annotations.contains("    @Test\n") || annotations.contains("    @ParameterizedTest");
    }

    @Test
    void shouldNameATestForEachAdvisoryThatApplies() {
        List<String> without = page.advisories().stream()
                .filter(advisory -> advisory.status() == SecurityPage.Status.TESTED)
                .filter(advisory -> SecurityPage.testsIn(advisory.proof()).isEmpty())
                .map(SecurityPage.Advisory::wrong)
                .toList();
        assertEquals(List.of(), without);
    }

    /** Checks the text before the advisories, which also name classes of other projects. */
    @Test
    void shouldNameClassesThatExist() throws IOException {
        Map<String, List<Path>> sources = sources("src/main/java");
        Set<String> missing = new TreeSet<>(page.classesOfTheIntroduction());
        missing.removeAll(sources.keySet());
        missing.remove("SecurityPageTest");
        missing.removeAll(OF_THE_JDK);
        assertEquals(Set.of(), missing);
        assertTrue(page.classesOfTheIntroduction().size() >= 20);
    }

    // ---- limits ----

    @Test
    void shouldStateTheDefaultsInTheCode() throws Exception {
        Map<String, List<Path>> sources = sources("src/main/java");
        List<String> wrong = new ArrayList<>();
        for (SecurityPage.Limit limit : page.limits()) {
            Path source = sources.getOrDefault(limit.holder(), List.of()).stream()
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no class " + limit.holder()));
            long actual = new DefaultValue(className(source)).read(limit.member());
            if (actual != limit.value()) {
                wrong.add(limit + " is " + actual);
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static String className(Path source) {
        String path = source.toString();
        return path.substring(path.indexOf("org"), path.length() - ".java".length())
                .replace(source.getFileSystem().getSeparator(), ".");
    }

    @Test
    void shouldStateEveryLimitInTheSettings() {
        Set<String> stated = new TreeSet<>();
        page.limits().forEach(limit -> stated.add(limit.holder() + '.' + limit.member()));
        Set<String> missing = new TreeSet<>();
        for (Class<?> settings : List.of(HttpLimits.class, Http2Settings.class, HttpTimeouts.class)) {
            Arrays.stream(settings.getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 0)
                    .filter(method ->
                            Set.of(int.class, long.class, Duration.class).contains(method.getReturnType()))
                    .filter(method -> !method.getName().equals("hashCode"))
                    .forEach(method -> missing.add(settings.getSimpleName() + '.' + method.getName() + "()"));
        }
        assertTrue(missing.size() >= 31, missing::toString);
        missing.removeAll(stated);
        assertEquals(Set.of(), missing, "not in the table of limits");
    }

    // ---- VEX ----

    @Test
    void shouldStateTheSameForScanners() throws IOException {
        String vex = new OpenVex(page).toString();
        if (Boolean.getBoolean(WRITE_PROPERTY)) {
            Files.writeString(VEX, vex);
        }
        assertEquals(
                vex,
                Files.exists(VEX) ? Files.readString(VEX) : "",
                () -> VEX.getFileName() + " is out of date; -D" + WRITE_PROPERTY + "=true rewrites it");
    }

    @Test
    void shouldStateEachAdvisoryOnce() {
        List<String> ids = page.advisories().stream()
                .flatMap(advisory -> advisory.vulnerabilities().stream())
                .map(SecurityPage.Vulnerability::name)
                .toList();
        assertEquals(ids.size(), new TreeSet<>(ids).size(), ids::toString);
        assertTrue(ids.size() >= 100, () -> ids.size() + " advisories");
    }
}
