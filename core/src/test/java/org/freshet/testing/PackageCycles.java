package org.freshet.testing;

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

/** Computes which packages of the module in the working directory import which. */
public final class PackageCycles {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

    /** Imports, and fully qualified names. */
    private static final Pattern USED = Pattern.compile("\\b(org\\.freshet(?:\\.[a-z]\\w*)+)\\.[A-Z]");

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

    private final Map<String, Set<String>> uses = new TreeMap<>();

    private PackageCycles() {}

    public static PackageCycles ofModule() throws IOException {
        PackageCycles cycles = new PackageCycles();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                cycles.add(COMMENT.matcher(Files.readString(file)).replaceAll(""));
            }
        }
        return cycles;
    }

    private void add(String code) {
        Matcher declared = PACKAGE.matcher(code);
        if (declared.find()) {
            Set<String> used = uses.computeIfAbsent(declared.group(1), key -> new TreeSet<>());
            USED.matcher(code).results().map(match -> match.group(1)).forEach(used::add);
            used.remove(declared.group(1));
        }
    }

    /** All packages. */
    public Set<String> packages() {
        return uses.keySet();
    }

    /** Each package that is part of a cycle, with the imports that lead back to it. */
    public Map<String, Set<String>> find() {
        Map<String, Set<String>> cycles = new TreeMap<>();
        uses.forEach((user, used) -> used.stream()
                .filter(other -> reachableFrom(other).contains(user))
                .forEach(other ->
                        cycles.computeIfAbsent(user, key -> new TreeSet<>()).add(other)));
        return cycles;
    }

    private Set<String> reachableFrom(String start) {
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
