package org.freshet.microbench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The processors of this machine. */
final class Processors {
    private static final Path LINUX = Path.of("/proc/cpuinfo");

    private Processors() {}

    static String describe() {
        return Runtime.getRuntime().availableProcessors() + " x " + model();
    }

    private static String model() {
        try (Stream<String> lines = Files.lines(LINUX)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown"; // not Linux
        }
    }
}
