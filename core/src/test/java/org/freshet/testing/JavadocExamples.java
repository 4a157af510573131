package org.freshet.testing;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compiles the examples in the Javadoc of a module: each {@code <pre>} block that begins with {@code {@code}. A block
 * consists of statements, of members of a class, or of classes; a line of three dots stands for omitted code.
 *
 * <p>Every package of the module and {@code java.util}, {@code java.net} and the like are imported. Anything else an
 * example assumes, such as a {@code pipeline}, is declared by the test. Immutable; any thread may call this.
 */
public final class JavadocExamples {
    private static final Pattern COMMENT = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern EXAMPLE =
            Pattern.compile("<pre>\\{@code(.*?)\\R\\s*\\*?\\s*\\}</pre>", Pattern.DOTALL);
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern FIELD =
            Pattern.compile("^(?:private|public|protected|static) [^{(=]*(?:=.*)?;$", Pattern.MULTILINE);

    /** Where javac reports an error: the class, the message, and the line. */
    private static final Pattern ERROR = Pattern.compile("(\\w+)\\.java:\\d+: error: (.*\\R.*)\\R");

    private static final ToolProvider JAVAC = ToolProvider.findFirst("javac")
            .orElseThrow(() -> new IllegalStateException("no javac: run tests on a JDK"));

    private static final Path DIRECTORY = Path.of("target", "javadoc-examples");

    /** Turns an example into a compilation unit, given the context. */
    private static final List<Function<String, String>> FORMS = List.of(
            example -> fields(example) + "void example() throws Exception {\n"
                    + FIELD.matcher(example).replaceAll("").replaceAll("\\bpublic (?=class|interface|enum|record)", "")
                    + "\n}",
            example -> example);

    private final Path sources;
    private final String imports;
    private final String context;

    private JavadocExamples(Path sources, String imports, String context) {
        this.sources = sources;
        this.imports = imports;
        this.context = context;
    }

    /** @param sources the root directory of the module's sources, relative to where its tests run */
    public static JavadocExamples in(String sources) {
        return new JavadocExamples(Path.of(sources), "", "");
    }

    /** The same examples with more imports, such as {@code org.freshet.util.Timer}. */
    public JavadocExamples importing(String... names) {
        String more = Stream.of(names).map(name -> "import " + name + ";\n").collect(Collectors.joining());
        return new JavadocExamples(sources, imports + more, context);
    }

    /** The same examples with class members they may use, such as {@code ChannelPipeline pipeline;}. */
    public JavadocExamples given(String... members) {
        return new JavadocExamples(sources, imports, context + String.join("\n", members) + "\n");
    }

    /**
     * Compiles all examples.
     *
     * @return the number of examples
     * @throws AssertionError if examples do not compile; names their files and errors
     */
    public int compile() {
        Map<String, String> examples = find();
        Map<String, String> failures = Map.of();
        Map<String, String> open = examples;
        for (Function<String, String> form : FORMS) {
            Map<String, String> errors = errors(open, form);
            Map<String, String> former = failures;
            failures = errors.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey,
                            e -> former.containsKey(e.getKey()) ? former.get(e.getKey()) : e.getValue(),
                            (a, b) -> a,
                            TreeMap::new));
            open = new TreeMap<>(open);
            open.keySet().retainAll(failures.keySet());
        }
        if (!failures.isEmpty()) {
            throw new AssertionError(failures.size() + " of " + examples.size()
                    + " Javadoc examples do not compile; what they take for granted belongs into given():\n"
                    + String.join("\n", failures.values()));
        }
        return examples.size();
    }

    private Map<String, String> find() {
        Map<String, String> examples = new TreeMap<>();
        for (Path file : javaFiles()) {
            Matcher comments = COMMENT.matcher(read(file));
            while (comments.find()) {
                Matcher blocks = EXAMPLE.matcher(comments.group(1));
                while (blocks.find()) {
                    String name =
                            sources.relativize(file).toString().replace(".java", "") + " example " + examples.size();
                    examples.put(name, text(blocks.group(1)));
                }
            }
        }
        return examples;
    }

    private static String text(String block) {
        return block.lines()
                .map(line -> line.replaceFirst("^\\s*\\* ?", ""))
                .map(line -> line.strip().equals("...") ? "" : line)
                .collect(Collectors.joining("\n"));
    }

    private List<Path> javaFiles() {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String fields(String example) {
        Matcher fields = FIELD.matcher(example);
        StringBuilder all = new StringBuilder();
        while (fields.find()) {
            all.append(fields.group()).append('\n');
        }
        return all.toString();
    }

    private String header() {
        TreeSet<String> packages = new TreeSet<>(List.of(
                "java.io", "java.net", "java.nio.file", "java.util", "java.util.concurrent", "java.util.function"));
        for (Path file : javaFiles()) {
            Matcher declaration = PACKAGE.matcher(read(file));
            if (declaration.find()) {
                packages.add(declaration.group(1));
            }
        }
        return packages.stream().map(name -> "import " + name + ".*;\n").collect(Collectors.joining())
                + "import static java.nio.charset.StandardCharsets.*;\n"
                + imports;
    }

    /** Returns the first error of each example that does not compile. */
    private Map<String, String> errors(Map<String, String> examples, Function<String, String> form) {
        if (examples.isEmpty()) {
            return Map.of();
        }
        String header = header();
        Map<String, String> names = new TreeMap<>();
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-Xlint:none",
                "-Xmaxerrs",
                "1000",
                "-XDshould-stop.ifError=FLOW", // one that cannot be parsed must not keep others from it
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                DIRECTORY.toString()));
        examples.forEach((name, example) -> {
            String className = name.replaceAll("\\W", "_");
            names.put(className, name);
            String body = "abstract class " + className + " {\n" + context + form.apply(example) + "\n}\n";
            arguments.add(
                    write(className, "package examples;\n" + header + body).toString());
        });
        StringWriter output = new StringWriter();
        PrintWriter out = new PrintWriter(output, true);
        JAVAC.run(out, out, arguments.toArray(String[]::new));
        Map<String, String> errors = new TreeMap<>();
        Matcher messages = ERROR.matcher(output.toString());
        while (messages.find()) {
            String name = names.get(messages.group(1));
            errors.putIfAbsent(name, name + ": " + messages.group(2).strip());
        }
        return errors;
    }

    private static Path write(String className, String text) {
        try {
            Path file = Files.createDirectories(DIRECTORY).resolve(className + ".java");
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
