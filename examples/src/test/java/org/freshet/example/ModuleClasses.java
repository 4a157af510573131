package org.freshet.example;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All classes of one of the library's modules, from a folder or a jar. */
public final class ModuleClasses {
    private ModuleClasses() {}

    /** Sorted by name, and not initialized. */
    public static List<Class<?>> of(Class<?> member) throws IOException {
        List<Class<?>> types = new ArrayList<>();
        for (String name : names(member)) {
            try {
                types.add(Class.forName(name, false, member.getClassLoader()));
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
        }
        return types;
    }

    private static List<String> names(Class<?> member) throws IOException {
        Path location;
        try {
            location = Path.of(
                    member.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
        if (Files.isDirectory(location)) {
            return namesBelow(location);
        }
        try (FileSystem jar = FileSystems.newFileSystem(location)) {
            return namesBelow(jar.getPath("/"));
        }
    }

    private static List<String> namesBelow(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.startsWith("org/freshet/") && name.endsWith(".class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> !name.endsWith("-info"))
                    .sorted()
                    .toList();
        }
    }
}
