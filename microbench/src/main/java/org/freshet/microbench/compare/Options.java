package org.freshet.microbench.compare;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/**
 * The values given on the command line. They are checked when read; each error message names the option and its value.
 */
final class Options {
    /** Descriptors that a process needs besides its connections: jars, selectors, pipes. */
    private static final int SPARE_DESCRIPTORS = 100;

    /** Makes all options not given take less time. */
    static final Option QUICK =
            Option.toggle("quick", "a first look: fewer and shorter measurements; see the values after 'quick'");

    private final Map<String, String> values = new HashMap<>();

    /** Parses {@code arguments}, using the {@code known} options. */
    Options(List<Option> known, List<String> arguments) throws UsageException {
        Map<String, Option> byName = known.stream().collect(Collectors.toMap(option -> "--" + option.name(), o -> o));
        boolean quick = arguments.contains("--" + QUICK.name());
        for (Option option : known) {
            values.put(option.name(), quick ? option.quick() : option.fallback());
        }
        for (Iterator<String> words = arguments.iterator(); words.hasNext(); ) {
            String word = words.next();
            Option option = byName.get(word);
            if (option == null) {
                throw new UsageException("unknown option: " + word);
            }
            if (!option.isToggle() && !words.hasNext()) {
                throw new UsageException(word + " needs a value");
            }
            values.put(option.name(), option.isToggle() ? "on" : words.next());
        }
    }

    /** Returns whether the switch was given. */
    boolean isOn(String name) {
        return values.get(name) != null;
    }

    /** Returns one constant of {@code type}, given in lower case. */
    <E extends Enum<E>> E choice(String name, Class<E> type) throws UsageException {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(values.get(name))) {
                return constant;
            }
        }
        String all = Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT);
        throw new UsageException("--" + name + " takes one of " + all + ": " + values.get(name));
    }

    /** Returns a whole number from {@code min} to {@code max}. */
    int number(String name, int min, int max) throws UsageException {
        return parse(name, values.get(name), min, max);
    }

    /** Returns comma-separated whole numbers from {@code min} to {@code max}. */
    List<Integer> numbers(String name, int min, int max) throws UsageException {
        List<Integer> numbers = new ArrayList<>();
        for (String word : words(name)) {
            numbers.add(parse(name, word, min, max));
        }
        return numbers;
    }

    /** Returns whether each of the comma-separated values, {@code on} or {@code off}, is on. */
    List<Boolean> switches(String name) throws UsageException {
        List<Boolean> switches = new ArrayList<>();
        for (String word : words(name)) {
            if (!word.equals("on") && !word.equals("off")) {
                throw new UsageException("--" + name + " takes on, off or both: " + word);
            }
            switches.add(word.equals("on"));
        }
        return switches;
    }

    /** Returns comma-separated words. */
    List<String> words(String name) {
        return List.of(values.get(name).split(",", -1));
    }

    /** Returns the option that {@link #peers} reads. */
    static Option peersOption(Role role) {
        return peersOption(role, Peer.able(role).stream().filter(Peer::isUsual).toList());
    }

    /** The same option with other {@code usual} peers. */
    static Option peersOption(Role role, List<Peer> usual) {
        List<Peer> missing = Peer.missing(role);
        return new Option(
                "peers",
                Peer.ids(usual),
                "from " + Peer.ids(Peer.able(role)) + "; ratios are to the first"
                        + (missing.isEmpty() ? "" : "; not available here: " + Peer.ids(missing)));
    }

    /** Returns the comma-separated peers that can play {@code role}; each may be named once. */
    List<Peer> peers(Role role) throws UsageException {
        List<Peer> peers = new ArrayList<>();
        List<Peer> able = Peer.able(role);
        for (String word : words("peers")) {
            Optional<Peer> peer = Peer.of(word).filter(able::contains).filter(p -> !peers.contains(p));
            peers.add(peer.orElseThrow(
                    () -> new UsageException("--peers takes each of " + Peer.ids(able) + " once: " + word)));
        }
        return peers;
    }

    /** Throws if {@code name} requires more connections than this process can open. */
    static void requireDescriptors(String name, int connections) throws UsageException {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                && unix.getMaxFileDescriptorCount() < connections + SPARE_DESCRIPTORS) {
            throw new UsageException("--" + name + " needs " + connections
                    + " descriptors, more than ulimit -n allows: " + unix.getMaxFileDescriptorCount());
        }
    }

    /** Returns a directory, which the writer creates if needed; empty if the text is empty. */
    Optional<Path> directory(String name) {
        return Optional.of(values.get(name)).filter(text -> !text.isEmpty()).map(Path::of);
    }

    private static int parse(String name, String word, int min, int max) throws UsageException {
        try {
            int number = Integer.parseInt(word);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through to the common message.
        }
        throw new UsageException("--" + name + " takes " + min + " to " + max + ": " + word);
    }
}
