package org.freshet.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.freshet.testing.Await;

/**
 * Follows one page in a separate directory: writes its programs, runs its commands, and compares their output with the
 * page. Belongs to the test's thread.
 *
 * <p>Ports 8080 and 8443 are replaced with free ones everywhere. A line {@code ...} stands for any output. Programs
 * started with {@code java} run until they exit or their section ends; then they get a SIGTERM, as with Ctrl+C, and
 * must exit.
 */
final class PageSession implements AutoCloseable {
    private static final int MAX_WAIT_SECONDS = 60;
    private static final int MIN_PORT = 15_000;
    private static final int MAX_PORT = 32_000;
    private static final Pattern START = Pattern.compile("java -cp 'lib/\\*' (.*)");
    private static final Pattern CLASS = Pattern.compile("(?m)^public (?:final )?class (\\w+)");

    /** A running program, and the file with its standard output. */
    private record Running(String command, Process process, Path output) {
        List<String> printed() {
            try {
                return Files.readAllLines(output);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private final Path directory;
    private final String plainPort = freePort();
    private final String securePort = freePort();
    private final List<Running> running = new ArrayList<>();

    PageSession(Path directory) {
        this.directory = directory;
    }

    /**
     * Below the range from which the system assigns ports to clients, so no client takes one before the program does.
     */
    private static String freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(MIN_PORT, MAX_PORT);
            try (ServerSocket socket = new ServerSocket(port)) {
                return String.valueOf(socket.getLocalPort());
            } catch (IOException e) {
                // taken: try another one
            }
        }
    }

    private String withFreePorts(String text) {
        return text.replaceAll("\\b8080\\b", plainPort).replaceAll("\\b8443\\b", securePort);
    }

    void paste(String program) throws IOException {
        Matcher name = CLASS.matcher(program);
        assertTrue(name.find(), () -> "no public class in\n" + program);
        Files.writeString(directory.resolve(name.group(1) + ".java"), withFreePorts(program));
    }

    /** @param block commands, each after {@code $}, and below each its output */
    void type(List<String> block) throws IOException, InterruptedException {
        String command = "";
        List<String> shown = new ArrayList<>();
        for (String line : block) {
            if (line.startsWith("$ ")) {
                run(command, shown);
                command = withFreePorts(line.substring(2));
                shown = new ArrayList<>();
            } else {
                shown.add(withFreePorts(line));
            }
        }
        run(command, shown);
    }

    private void run(String command, List<String> shown) throws IOException, InterruptedException {
        Matcher start = START.matcher(command);
        if (command.isEmpty()) {
            assertEquals(List.of(), shown, "output without a command");
        } else if (start.matches()) {
            start(start.group(1), shown);
        } else {
            Process process = started("shell", List.of("bash", "-c", command)).process;
            assertTrue(process.waitFor(MAX_WAIT_SECONDS, TimeUnit.SECONDS), () -> command + " keeps running");
            List<String> printed = Files.readAllLines(directory.resolve("shell.out"));
            assertTrue(isShown(printed, shown), () -> "$ " + command + "\n" + String.join("\n", printed) + errors());
        }
    }

    private void start(String file, List<String> shown) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // for a fast start
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
        command.addAll(List.of(file.split(" ")));
        Running program = started("program-" + running.size(), command);
        running.add(program);
        Await.until(
                () -> isShown(program.printed(), shown) || !program.process.isAlive(),
                () -> file + " printed\n" + String.join("\n", program.printed()) + errors());
        assertTrue(
                isShown(program.printed(), shown),
                () -> file + " printed\n" + String.join("\n", program.printed()) + errors());
    }

    private Running started(String name, List<String> command) throws IOException {
        Path output = directory.resolve(name + ".out");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("errors").toFile()))
                .start();
        return new Running(String.join(" ", command), process, output);
    }

    private String errors() {
        try {
            return "\n" + Files.readString(directory.resolve("errors"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isShown(List<String> printed, List<String> shown) {
        Iterator<String> lines = printed.iterator();
        boolean mayLeaveOut = false;
        for (String expected : shown) {
            if (expected.equals("...")) {
                mayLeaveOut = true;
                continue;
            }
            String line;
            do {
                if (!lines.hasNext()) {
                    return false;
                }
                line = lines.next();
            } while (mayLeaveOut && !line.equals(expected));
            if (!line.equals(expected)) {
                return false;
            }
            mayLeaveOut = false;
        }
        return mayLeaveOut || !lines.hasNext();
    }

    void endSection() throws InterruptedException {
        for (Running program : running) {
            program.process.destroy();
            assertTrue(
                    program.process.waitFor(MAX_WAIT_SECONDS, TimeUnit.SECONDS),
                    () -> "does not end: " + program.command);
        }
        running.clear();
    }

    @Override
    public void close() {
        running.forEach(program -> program.process.destroyForcibly());
    }
}
