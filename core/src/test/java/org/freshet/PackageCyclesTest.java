package org.freshet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of this module form layers: none imports one that imports it back, not even by way of others. */
class PackageCyclesTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    /** Imports, and names that are written out. */
    private static final Pattern USED = Pattern.compile("\\b(org\\.freshet(?:\\.[a-z]\\w*)+)\\.[A-Z]");

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

    @Test
    void shouldImportNoPackageThatImportsItBack() throws IOException {
        Map<String, Set<String>> uses = packagesByUser();
        assertTrue(uses.size() > 15, () -> "run in the module's directory: " + uses.keySet());
        Map<String, Set<String>> cycles = new TreeMap<>();
        uses.forEach((user, used) -> used.stream()
                .filter(other -> reachableFrom(other, uses).contains(user))
                .forEach(other ->
                        cycles.computeIfAbsent(user, key -> new TreeSet<>()).add(other)));
        assertEquals(Map.of(), cycles, "a package of the module, and what it imports although that leads back to it");
    }

    private static Map<String, Set<String>> packagesByUser() throws IOException {
        Map<String, Set<String>> uses = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
                Matcher declared = PACKAGE.matcher(code);
                if (declared.find()) {
                    Set<String> used = uses.computeIfAbsent(declared.group(1), key -> new TreeSet<>());
                    USED.matcher(code).results().map(match -> match.group(1)).forEach(used::add);
                    used.remove(declared.group(1));
                }
            }
        }
        return uses;
    }

    private static Set<String> reachableFrom(String start, Map<String, Set<String>> uses) {
        Set<String> reached = new TreeSet<>();
        Deque<String> toVisit = new ArrayDeque<>(Set.of(start));
        while (!toVisit.isEmpty()) {
            String next = toVisit.remove();
            if (reached.add(next)) {
                toVisit.addAll(uses.getOrDefault(next, Set.of()));
            }
        }
        return reached;
    }
}
