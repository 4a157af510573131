package org.freshet.migrate;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Compiles a project and runs its tests, in this JVM. */
final class Compilation {
    private final Path project;
    private final List<Path> classPath;

    /** Everything in {@code classPath} is on this test's class path, too. */
    Compilation(Path project, List<Path> classPath) {
        this.project = project;
        this.classPath = classPath;
    }

    /** Throws an error with the compiler's messages, if there are any. */
    TestExecutionSummary test(String testClass) throws Exception {
        Path classes = Files.createDirectories(project.resolve("target/classes"));
        compile(classes);
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(DiscoverySelectors.selectClass(loader.loadClass(testClass)))
                                    .build(),
                            listener);
            return listener.getSummary();
        }
    }

    private void compile(Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String jars = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> sources = Files.walk(project.resolve("src"))) {
            List<Path> java =
                    sources.filter(file -> file.toString().endsWith(".java")).toList();
            List<String> options = List.of("-d", classes.toString(), "-proc:none", "-classpath", jars);
            compiler.getTask(messages, files, null, options, null, files.getJavaFileObjectsFromPaths(java))
                    .call();
        }
        if (!messages.toString().isEmpty()) {
            throw new IllegalStateException(messages.toString());
        }
    }
}
