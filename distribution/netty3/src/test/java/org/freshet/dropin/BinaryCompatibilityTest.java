package org.freshet.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.model.AccessModifier;
import japicmp.model.JApiBehavior;
import japicmp.model.JApiChangeStatus;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChange;
import japicmp.model.JApiCompatibilityChangeType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Everything compiled against Netty 3 links with the drop-in jar, except for what {@code differences.txt} lists. A line
 * that is no longer needed fails the test, too.
 */
class BinaryCompatibilityTest {
    private static final Path LIST = Path.of("src/test/resources/differences.txt");

    /**
     * Also counts methods that cannot be called from outside their package; others are reported for the superclass
     * itself.
     */
    private static final Set<JApiCompatibilityChangeType> IN_SUPERCLASS =
            EnumSet.of(JApiCompatibilityChangeType.METHOD_REMOVED_IN_SUPERCLASS);

    @Test
    void shouldBreakOnlyWhatIsListed() throws IOException {
        Set<String> breaks = new TreeSet<>(breaks());
        Set<String> listed = listed();
        assertEquals(List.of(), breaks.stream().filter(b -> !listed.contains(b)).toList(), "not in " + LIST);
        assertEquals(
                List.of(), listed.stream().filter(b -> !breaks.contains(b)).toList(), "no longer needed in " + LIST);
    }

    private static Set<String> listed() throws IOException {
        try (Stream<String> lines = Files.lines(LIST)) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static List<String> breaks() {
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.setAccessModifier(AccessModifier.PROTECTED);
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
        List<JApiClass> classes = new JarArchiveComparator(options)
                .compare(
                        new JApiCmpArchive(DropIn.netty3().toFile(), "3.10.6.Final"),
                        new JApiCmpArchive(DropIn.JAR.toFile(), "drop-in"));
        List<String> breaks = new ArrayList<>();
        for (JApiClass type : classes) {
            String name = type.getFullyQualifiedName();
            if (type.getChangeStatus() == JApiChangeStatus.REMOVED) {
                breaks.add(name);
            } else {
                addBreaksOf(type, name, breaks);
            }
        }
        return breaks;
    }

    private static void addBreaksOf(JApiClass type, String name, List<String> breaks) {
        add(breaks, name, type);
        add(
                breaks,
                name + " extends " + type.getSuperclass().getOldSuperclassName().orElse("nothing"),
                type.getSuperclass());
        type.getInterfaces().forEach(i -> add(breaks, name + " implements " + i.getFullyQualifiedName(), i));
        type.getConstructors().stream()
                .filter(BinaryCompatibilityTest::wasForOthers)
                .forEach(c -> add(breaks, name + parametersOf(c), c));
        type.getMethods().stream()
                .filter(BinaryCompatibilityTest::wasForOthers)
                .forEach(m -> add(breaks, name + "#" + m.getName() + parametersOf(m), m));
        type.getFields().forEach(f -> add(breaks, name + "#" + f.getName(), f));
    }

    /** Constructors and methods of a package itself are compared as well. */
    private static boolean wasForOthers(JApiBehavior behavior) {
        AccessModifier access = behavior.getAccessModifier().getOldModifier().orElse(AccessModifier.PUBLIC);
        return access == AccessModifier.PUBLIC || access == AccessModifier.PROTECTED;
    }

    private static String parametersOf(JApiBehavior behavior) {
        return behavior.getParameters().stream()
                .map(parameter -> parameter.getType().replaceFirst(".*\\.", ""))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static void add(List<String> breaks, String what, JApiCompatibility element) {
        for (JApiCompatibilityChange change : element.getCompatibilityChanges()) {
            if (!change.isBinaryCompatible() && !IN_SUPERCLASS.contains(change.getType())) {
                breaks.add(what + ": " + change.getType());
            }
        }
    }
}
