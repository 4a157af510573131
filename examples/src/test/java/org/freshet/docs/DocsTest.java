package org.freshet.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import org.freshet.channel.ChannelOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything that README.md and the pages of {@code docs} name exists, and the code they show comes from examples that
 * run.
 */
class DocsTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> MODULES =
            List.of("core", "codec", "transport-nio", "transport-oio", "distribution/testkit", "examples");

    private static final String API = "https://freshet.github.io/freshet";

    /** JDK packages whose classes the pages name without a package. */
    private static final List<String> JDK_PACKAGES = List.of(
            "java.io",
            "java.lang",
            "java.net",
            "java.nio",
            "java.nio.channels",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "javax.net.ssl");

    /** Pages elsewhere whose links are checked, too. */
    private static final List<String> OTHER_PAGES = List.of(
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "MUTANTS.md",
            "microbench/README.md",
            "microbench/RESULTS.md",
            "microbench/NOTEBOOK.md",
            "codec/src/test/README.md");

    /** Includes pictures: {@code <img src="...">}. */
    private static final Pattern LINK = Pattern.compile("(?:]\\(|src(?:set)?=\")([^)\"\\s]+)[)\"]");

    private static final Pattern INLINE_CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern CLASS_NAME = Pattern.compile("[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");
    private static final Pattern EVENT = Pattern.compile("@Name\\(\"(org\\.freshet\\.\\w+)\"\\)");
    private static final Pattern METRIC = Pattern.compile("\"(freshet_[a-z_]+)\"");
    private static final Pattern PROPERTY = Pattern.compile("\"(org\\.freshet\\.[a-z]+[A-Za-z.]*)\"");

    static Stream<MarkdownPage> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            List<Path> files =
                    new ArrayList<>(docs.filter(file -> file.toString().endsWith(".md"))
                            .sorted()
                            .toList());
            files.add(ROOT.resolve("README.md"));
            return files.stream().map(MarkdownPage::read).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void shouldShowCodeOfExamples(MarkdownPage page) throws IOException {
        for (MarkdownPage.Code code : page.javaCode()) {
            if (code.isProgram()) {
                continue; // ProgramsTest runs it
            }
            assertFalse(code.source().isEmpty(), () -> page + ": no source is named above\n" + code.text());
            String source = MarkdownPage.withoutIndentation(Files.readAllLines(ROOT.resolve(code.source())));
            String line = code.text().lines().findFirst().orElseThrow();
            assertTrue(
                    source.contains(code.text()),
                    () -> page + ": not in " + code.source() + " as it stands, from \"" + line + "\"");
        }
    }

    static Stream<MarkdownPage> allPages() throws IOException {
        return Stream.concat(pages(), OTHER_PAGES.stream().map(page -> MarkdownPage.read(ROOT.resolve(page))));
    }

    @ParameterizedTest
    @MethodSource("allPages")
    void shouldHaveNoBrokenLinks(MarkdownPage page) throws IOException {
        Matcher link = LINK.matcher(page.text());
        while (link.find()) {
            String target = link.group(1);
            if (target.startsWith(API)) {
                assertTrue(isOfTheApi(target.substring(API.length())), () -> page + " links to " + target);
            }
            if (target.startsWith("https://")) {
                continue;
            }
            String[] parts = target.split("#", 2);
            Path file = parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]);
            assertTrue(Files.exists(file), () -> page + " links to " + target);
            if (parts.length > 1) {
                Set<String> anchors = MarkdownPage.read(file).anchors();
                assertTrue(anchors.contains(parts[1]), () -> page + " links to " + target + "; there are " + anchors);
            }
        }
    }

    /** The pages of the published API are generated by {@code mvn -Pdocs}: MODULE/PACKAGE/CLASS.html. */
    private static boolean isOfTheApi(String page) throws IOException {
        if (page.isEmpty()) {
            return true;
        }
        String source = page.substring(page.indexOf('/', 1) + 1).replaceFirst("\\.html(#.*)?$", ".java");
        String module = "module " + page.substring(1, page.indexOf('/', 1)) + " {";
        for (String directory : MODULES) {
            Path sources = ROOT.resolve(directory).resolve("src/main/java");
            if (Files.exists(sources.resolve("module-info.java"))
                    && Files.readString(sources.resolve("module-info.java")).contains(module)) {
                return Files.exists(sources.resolve(source));
            }
        }
        return false;
    }

    /**
     * The security pages name HTTP fields and attributes; another test checks which of Freshet's names they mention.
     */
    static Stream<MarkdownPage> pagesOfClasses() throws IOException {
        return pages().filter(page -> !page.toString().contains("docs/security"));
    }

    @ParameterizedTest
    @MethodSource("pagesOfClasses")
    void shouldNameClassesThatExist(MarkdownPage page) throws IOException {
        Set<String> known = classesOfFreshet();
        page.javaCode().forEach(code -> known.addAll(declaredIn(code.text())));
        Matcher code = INLINE_CODE.matcher(page.prose());
        while (code.find()) {
            String name = code.group(1).split("[.(<#:\\[ ]", 2)[0];
            if (CLASS_NAME.matcher(name).matches() && !page.isOfAnotherLibrary(name)) {
                assertTrue(known.contains(name) || isOfTheJdk(name), () -> page + " names " + name);
            }
        }
    }

    @Test
    void shouldListEveryOption() throws IOException {
        assertEquals(
                new TreeSet<>(ChannelOption.knownKeys()),
                MarkdownPage.read(ROOT.resolve("docs/guide/options.md")).firstColumn("Options"));
    }

    /** System properties and logger names are literals in the sources; a page has to describe each of them. */
    @Test
    void shouldDocumentEverySystemPropertyAndLogger() throws IOException {
        Set<String> told = new TreeSet<>();
        MarkdownPage page = MarkdownPage.read(ROOT.resolve("docs/operations/properties.md"));
        told.addAll(page.firstColumn("System properties"));
        told.addAll(page.firstColumn("Loggers"));
        assertEquals(literals(PROPERTY), told);
    }

    @Test
    void shouldDocumentEveryFlightRecorderEvent() throws IOException {
        MarkdownPage page = MarkdownPage.read(ROOT.resolve("docs/operations/metrics.md"));
        assertEquals(literals(EVENT), new TreeSet<>(page.firstColumn("Flight Recorder")));
    }

    @Test
    void shouldEnableEveryEventInTheFlightRecorderSettings() throws Exception {
        Set<String> on = new TreeSet<>();
        Configuration.create(ROOT.resolve("docs/freshet.jfc")).getSettings().forEach((setting, value) -> {
            if (setting.endsWith("#enabled") && value.equals("true")) {
                on.add(setting.substring(0, setting.indexOf('#')));
            }
        });
        assertEquals(literals(EVENT), on);
    }

    @Test
    void shouldDocumentEveryMetric() throws IOException {
        MarkdownPage page = MarkdownPage.read(ROOT.resolve("docs/operations/metrics.md"));
        assertEquals(literals(METRIC), new TreeSet<>(page.firstColumn("Metrics")));
    }

    private static Set<String> literals(Pattern pattern) throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path source : sources(List.of("core", "codec", "transport-nio", "transport-oio"), "src/main/java")) {
            Matcher literal = pattern.matcher(Files.readString(source));
            while (literal.find()) {
                if (!literal.group(1).endsWith(".")) {
                    found.add(literal.group(1));
                }
            }
        }
        return found;
    }

    private static Set<String> classesOfFreshet() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path source : sources(MODULES, "src/test/java")) {
            names.add(source.getFileName().toString().replace(".java", ""));
        }
        for (Path source : sources(MODULES, "src/main/java")) {
            names.addAll(declaredIn(Files.readString(source)));
        }
        return names;
    }

    private static List<String> declaredIn(String source) {
        return DECLARED.matcher(source).results().map(match -> match.group(1)).toList();
    }

    private static List<Path> sources(List<String> modules, String folder) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : modules) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    private static boolean isOfTheJdk(String name) {
        return JDK_PACKAGES.stream().anyMatch(packageName -> {
            try {
                Class.forName(packageName + '.' + name, false, null);
                return true;
            } catch (ClassNotFoundException e) {
                return false;
            }
        });
    }

    /** The list that {@code BinaryCompatibilityTest} compares with the jars. */
    @Test
    void shouldNameAReplacementForEachOmittedType() throws IOException {
        MarkdownPage page = MarkdownPage.read(ROOT.resolve("docs/migration.md"));
        List<String> types =
                Files.readAllLines(ROOT.resolve("distribution/netty3/src/test/resources/differences.txt")).stream()
                        .filter(line -> line.matches("[\\w.$]+"))
                        .map(type -> type.replaceFirst("\\$.*", "").replaceFirst(".*\\.", ""))
                        .toList();
        assertTrue(types.size() > 30, types::toString);
        for (String type : types) {
            assertTrue(page.text().contains("`" + type + "`"), () -> page + " does not name " + type);
        }
    }

    /** Like {@code examples/run}. */
    @Test
    void shouldListEveryExampleBySubject() throws IOException {
        Map<String, List<String>> subjects = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (String line : Files.readAllLines(ROOT.resolve("examples/examples.txt"))) {
            if (line.startsWith("#: ")) {
                names = subjects.computeIfAbsent(line.substring(3), subject -> new ArrayList<>());
            } else if (!line.startsWith("#")) {
                names.add(line.substring(0, line.indexOf('|')));
            }
        }
        Map<String, List<String>> listed = new LinkedHashMap<>();
        Matcher row = Pattern.compile("(?m)^\\| ([^|`]+) \\| ((?:`[^`]+` )+)\\|$")
                .matcher(MarkdownPage.read(ROOT.resolve("docs/examples.md")).text());
        while (row.find()) {
            listed.put(
                    row.group(1), List.of(row.group(2).replace("`", "").strip().split(" ")));
        }
        assertEquals(subjects, listed);
        assertTrue(subjects.size() > 10, subjects::toString);
    }
}
