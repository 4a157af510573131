package org.freshet.microbench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks docs/experiments.md against the existing examples, comparisons, benchmarks and tests. */
class ExperimentsPageTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..");
    private static final int COLUMNS = 4;

    /** What the first word of a command refers to. */
    private enum Kind {
        EXAMPLE("examples/run "),
        COMPARISON("compare "),
        BENCHMARK("jmh "),
        TEST("mvn test -Dtest=");

        private final String start;

        Kind(String start) {
            this.start = start;
        }

        static Kind of(String command) {
            return Stream.of(values())
                    .filter(kind -> command.startsWith(kind.start))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("not a command of the page: " + command));
        }

        String nameIn(String command) {
            return command.substring(start.length()).split(" ")[0];
        }
    }

    @Test
    void shouldNameOnlyCommandsThatExist() throws Exception {
        for (List<String> row : rows()) {
            String cell = row.get(COLUMNS - 1);
            String command = cell.substring(1, cell.length() - 1); // between backticks
            Kind kind = Kind.of(command);
            String name = kind.nameIn(command);
            assertTrue(name.equals("-l") || existing(kind).contains(name), () -> "does not exist: " + command);
        }
    }

    @Test
    void shouldHaveFourCellsInEachRow() throws Exception {
        List<List<String>> rows = rows();
        assertFalse(rows.isEmpty());
        for (List<String> row : rows) {
            assertEquals(COLUMNS, row.size(), row::toString);
            assertFalse(row.contains(""), row::toString);
        }
    }

    private static List<List<String>> rows() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/experiments.md")).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| the document shows"))
                .map(line -> line.substring(1, line.length() - 1).split("\\|", -1))
                .map(cells -> Arrays.stream(cells).map(String::trim).toList())
                .toList();
    }

    private static Set<String> existing(Kind kind) throws Exception {
        return switch (kind) {
            case EXAMPLE -> firstWords(Files.readAllLines(ROOT.resolve("examples/examples.txt")), '|');
            case COMPARISON -> firstWords(help().lines().toList(), ':');
            case BENCHMARK -> classesIn("microbench/src/main/java");
            case TEST ->
                Stream.of("codec/src/test/java", "examples/src/test/java")
                        .flatMap(directory -> classesIn(directory).stream())
                        .collect(Collectors.toSet());
        };
    }

    private static Set<String> firstWords(List<String> lines, char end) {
        return lines.stream()
                .filter(line -> line.indexOf(end) > 0)
                .map(line -> line.substring(0, line.indexOf(end)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String help() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Main.run(List.of("--help"), new Progress(System.err, false), new PrintStream(out, true));
        return out.toString();
    }

    private static Set<String> classesIn(String directory) {
        try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
