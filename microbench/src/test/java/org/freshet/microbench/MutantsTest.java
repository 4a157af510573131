package org.freshet.microbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each patch in {@code src/test/mutants} fits the sources as they are, without fuzz. {@code microbench/stress mutants}
 * runs only at night, and would end at the first patch that doesn't.
 */
class MutantsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path MUTANTS = Path.of("src/test/mutants");
    private static final String FOUND_BY = "Found by: ";

    /** What a patch replaces at one place. */
    private record Hunk(String file, List<String> before, List<String> after) {}

    private static List<Path> mutants() throws IOException {
        try (Stream<Path> files = Files.list(MUTANTS)) {
            return files.filter(file -> file.toString().endsWith(".patch"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Hunk> hunks(List<String> patch) {
        List<Hunk> hunks = new ArrayList<>();
        String file = null;
        for (String line : patch) {
            if (line.startsWith("+++ b/")) {
                file = line.substring("+++ b/".length());
            } else if (line.startsWith("@@ ")) {
                hunks.add(new Hunk(file, new ArrayList<>(), new ArrayList<>()));
            } else if (!hunks.isEmpty() && !line.startsWith("--- a/")) {
                addLine(hunks.get(hunks.size() - 1), line);
            }
        }
        return hunks;
    }

    private static void addLine(Hunk hunk, String line) {
        String text = line.isEmpty() ? "" : line.substring(1);
        if (!line.startsWith("+")) {
            hunk.before.add(text);
        }
        if (!line.startsWith("-")) {
            hunk.after.add(text);
        }
    }

    /** The lines may have moved, but they must be in the file, all in a row, and only once. */
    private static void assertFits(Hunk hunk, List<String> source) {
        int size = hunk.before.size();
        List<Integer> places = new ArrayList<>();
        for (int at = 0; at + size <= source.size(); at++) {
            if (source.subList(at, at + size).equals(hunk.before)) {
                places.add(at + 1);
            }
        }
        assertEquals(
                1,
                places.size(),
                () -> "these lines are not in " + hunk.file + ", or not only once " + places + ":\n"
                        + hunk.before.stream().collect(Collectors.joining("\n")));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void shouldFitTheSources(Path mutant) throws IOException {
        List<Hunk> hunks = hunks(Files.readAllLines(mutant));
        assertFalse(hunks.isEmpty(), "a patch without a change");
        for (Hunk hunk : hunks) {
            assertFalse(hunk.before.equals(hunk.after), "a patch that changes nothing");
            assertFits(hunk, Files.readAllLines(ROOT.resolve(hunk.file)));
        }
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void shouldNameATestThatFindsIt(Path mutant) throws IOException {
        String[] foundBy = Files.readAllLines(mutant).stream()
                .filter(line -> line.startsWith(FOUND_BY))
                .findFirst()
                .orElseThrow()
                .substring(FOUND_BY.length())
                .split(" ");
        assertTrue(List.of("stress", "simulation").contains(foundBy[0]), foundBy[0]);
        if (foundBy[0].equals("stress")) {
            String[] classes = foundBy[1].split("\\.");
            String test = source(classes[0]);
            assertTrue(classes.length == 1 || test.contains("class " + classes[1] + " "), foundBy[1]);
        }
    }

    private static String source(String stressTest) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            return Files.readString(files.filter(file -> file.endsWith(stressTest + ".java"))
                    .findFirst()
                    .orElseThrow());
        }
    }

    @Test
    void shouldRefuseAPatchOfOtherLines() {
        List<String> patch = List.of("--- a/A", "+++ b/A", "@@ -1,2 +1,2 @@", " int a;", "-int b;", "+int c;");
        Hunk hunk = hunks(patch).get(0);
        assertFits(hunk, List.of("class A", "int a;", "int b;"));
        assertThrows(AssertionError.class, () -> assertFits(hunk, List.of("int a;", "int x;", "int b;")));
        assertThrows(AssertionError.class, () -> assertFits(hunk, List.of("int a;", "int b;", "int a;", "int b;")));
    }
}
