package org.freshet.microbench.compare;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.freshet.microbench.compare.report.Report;

/** Compares whole servers: {@code java -cp benchmarks.jar org.freshet.microbench.compare.Main NAME [options]}. */
public final class Main {
    private static final List<Comparison> COMPARISONS = List.of(
            EchoComparison.plain(),
            EchoComparison.overTls(),
            new TwoLoopsComparison(),
            new FanoutComparison(),
            new IdleComparison(),
            new SocketWheelComparison(),
            new NagleComparison(),
            new ShortComparison(),
            new BuffersComparison(),
            new OrderedComparison(),
            new HttpComparison(),
            new Http2Comparison(),
            new FilesComparison(),
            new WebSocketComparison(),
            new StartComparison());

    private Main() {}

    /** Runs one comparison. Exit code 2: the command line is wrong; 1: a server or the load failed. */
    public static void main(String[] arguments) {
        Progress progress = new Progress(System.err, System.console() != null);
        try {
            run(List.of(arguments), progress, System.out);
        } catch (UsageException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        } catch (Exception e) {
            progress.done();
            System.err.println(progress.where() + " failed: " + e);
            System.exit(1);
        }
    }

    static void run(List<String> arguments, Progress progress, PrintStream out) throws Exception {
        if (arguments.isEmpty() || arguments.get(0).equals("--help")) {
            out.print(help());
            return;
        }
        Comparison comparison = named(arguments.get(0));
        Options options = new Options(known(comparison), arguments.subList(1, arguments.size()));
        Optional<Path> directory = options.directory("out");
        Report report = new Rounds(comparison, comparison.plan(options), options, progress).run();
        out.println(report.text());
        if (directory.isPresent()) {
            report.writeTo(directory.get()).forEach(file -> out.println("wrote " + file));
        }
    }

    /** The options of a comparison, and those for all of which it has none of its own. */
    static List<Option> known(Comparison comparison) {
        List<Option> known = new ArrayList<>(comparison.options());
        Rounds.OPTIONS.stream()
                .filter(option ->
                        comparison.options().stream().map(Option::name).noneMatch(option.name()::equals))
                .forEach(known::add);
        return known;
    }

    private static Comparison named(String name) throws UsageException {
        for (Comparison comparison : COMPARISONS) {
            if (comparison.name().equals(name)) {
                return comparison;
            }
        }
        throw new UsageException("no such comparison: " + name + "; available: "
                + String.join(", ", COMPARISONS.stream().map(Comparison::name).toList()));
    }

    private static String help() {
        StringBuilder text = new StringBuilder("java -cp benchmarks.jar " + Main.class.getName() + " NAME [options]\n");
        for (Comparison comparison : COMPARISONS) {
            text.append('\n')
                    .append(comparison.name())
                    .append(": ")
                    .append(comparison.question())
                    .append('\n');
            describe(comparison.options(), text);
        }
        text.append("\noptions for all of them:\n");
        describe(Rounds.OPTIONS, text);
        return text.toString();
    }

    private static void describe(List<Option> options, StringBuilder text) {
        for (Option option : options) {
            text.append(String.format("  --%-14s %s%s%n", option.name(), option.help(), defaults(option)));
        }
    }

    private static String defaults(Option option) {
        if (option.isToggle() || option.fallback().isEmpty()) {
            return "";
        }
        String quick = option.quick().equals(option.fallback()) ? "" : ", quick: " + option.quick();
        return " (" + option.fallback() + quick + ")";
    }
}
