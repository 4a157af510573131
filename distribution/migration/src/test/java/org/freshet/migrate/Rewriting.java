package org.freshet.migrate;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;
import org.openrewrite.ExecutionContext;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.Parser;
import org.openrewrite.Recipe;
import org.openrewrite.Result;
import org.openrewrite.SourceFile;
import org.openrewrite.config.Environment;
import org.openrewrite.config.YamlResourceLoader;
import org.openrewrite.internal.InMemoryLargeSourceSet;
import org.openrewrite.java.JavaParser;
import org.openrewrite.java.marker.JavaProject;
import org.openrewrite.java.marker.JavaSourceSet;
import org.openrewrite.marker.Marker;
import org.openrewrite.marker.Markers;
import org.openrewrite.maven.MavenExecutionContextView;
import org.openrewrite.maven.MavenParser;
import org.openrewrite.maven.tree.MavenRepository;
import org.openrewrite.text.PlainTextParser;
import org.openrewrite.tree.ParseError;

/** Processes a project like OpenRewrite's Maven plugin, without Maven. */
final class Rewriting {
    private static final String RECIPES = "/META-INF/rewrite/freshet.yml";

    private final Path project;
    private final List<Path> classPath;
    private final List<Path> repositories;
    private final JavaProject marker;

    /** The project's compile class path provides the types of names; the repositories contain its POMs. */
    Rewriting(Path project, List<Path> classPath, List<Path> repositories) {
        this.project = project;
        this.classPath = classPath;
        this.repositories = repositories;
        marker = new JavaProject(UUID.randomUUID(), project.getFileName().toString(), null);
    }

    /** Applies the recipe to the project's files, and returns the paths of the changed ones. */
    List<String> run(String recipeName) throws IOException {
        Recipe recipe = recipe(recipeName);
        List<String> changed = new ArrayList<>();
        for (Result result : recipe.run(new InMemoryLargeSourceSet(parse()), context())
                .getChangeset()
                .getAllResults()) {
            Path file = result.getAfter().getSourcePath();
            Files.writeString(project.resolve(file), result.getAfter().printAll());
            changed.add(file.toString());
        }
        return changed;
    }

    private static Recipe recipe(String name) throws IOException {
        try (InputStream recipes = Rewriting.class.getResourceAsStream(RECIPES)) {
            Recipe recipe = Environment.builder()
                    .load(new YamlResourceLoader(recipes, URI.create("freshet.yml"), new Properties()))
                    .build()
                    .activateRecipes(name);
            recipe.validateAll().forEach(validated -> {
                if (validated.isInvalid()) {
                    throw new IllegalArgumentException(validated.failures().toString());
                }
            });
            return recipe;
        }
    }

    /** Without the network: everything the project needs has been resolved for this module. */
    private ExecutionContext context() {
        MavenExecutionContextView context = MavenExecutionContextView.view(new InMemoryExecutionContext(failure -> {
            throw new IllegalStateException(failure);
        }));
        context.setAddCentralRepository(false);
        context.setAddLocalRepository(false);
        context.setRepositories(repositories.stream().map(Rewriting::local).toList());
        return context;
    }

    private static MavenRepository local(Path directory) {
        return MavenRepository.builder()
                .id(directory.toString())
                .uri(directory.toUri().toString())
                .releases(true)
                .snapshots(true)
                .knownToExist(true)
                .build();
    }

    private List<SourceFile> parse() throws IOException {
        List<SourceFile> sources = new ArrayList<>();
        add(sources, MavenParser.builder().build(), files("pom.xml", ""));
        for (String set : List.of("main", "test")) {
            Parser java = JavaParser.fromJavaVersion().classpath(classPath).build();
            add(sources, java, files("src/" + set + "/java", ".java"), JavaSourceSet.build(set, classPath));
        }
        add(sources, PlainTextParser.builder().build(), files("src/main/resources", ""));
        return sources;
    }

    private List<Path> files(String below, String end) throws IOException {
        try (Stream<Path> files = Files.walk(project.resolve(below))) {
            return files.filter(
                            file -> Files.isRegularFile(file) && file.toString().endsWith(end))
                    .sorted()
                    .toList();
        }
    }

    private void add(List<SourceFile> sources, Parser parser, List<Path> files, Marker... markers) {
        parser.parse(files, project, context()).forEach(source -> {
            if (source instanceof ParseError) {
                throw new IllegalStateException("cannot be parsed: " + source.getSourcePath());
            }
            Markers all = source.getMarkers().add(marker);
            for (Marker another : markers) {
                all = all.add(another);
            }
            sources.add(source.withMarkers(all));
        });
    }
}
