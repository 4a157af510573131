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

/** The values that a user chose, checked when they are asked for; each refusal names the option and its value. */
final class Options {
    /** Descriptors that a process needs beside its connections: jars, selectors, pipes. */
    private static final int SPARE_DESCRIPTORS = 100;

    /** Has all options that were not given take less time. */
    static final Option QUICK =
            Option.toggle("quick", "a first look: fewer and shorter measurements; see the values behind 'quick'");

    private final Map<String, String> values = new HashMap<>();

    /** Reads {@code arguments} against the {@code known} options. */
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

    /** Whether the switch was given. */
    boolean isOn(String name) {
        return values.get(name) != null;
    }

    /** One constant of {@code type}, in small letters. */
    <E extends Enum<E>> E choice(String name, Class<E> type) throws UsageException {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(values.get(name))) {
                return constant;
            }
        }
        String all = Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT);
        throw new UsageException("--" + name + " takes one of " + all + ": " + values.get(name));
    }

    /** A whole number between {@code min} and {@code max}, both allowed. */
    int number(String name, int min, int max) throws UsageException {
        return parse(name, values.get(name), min, max);
    }

    /** Comma-separated whole numbers between {@code min} and {@code max}, both allowed. */
    List<Integer> numbers(String name, int min, int max) throws UsageException {
        List<Integer> numbers = new ArrayList<>();
        for (String word : words(name)) {
            numbers.add(parse(name, word, min, max));
        }
        return numbers;
    }

    /** Comma-separated, each {@code on} or {@code off}: whether it is on. */
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

    /** Comma-separated words. */
    List<String> words(String name) {
        return List.of(values.get(name).split(",", -1));
    }

    /** The option that {@link #peers} reads. */
    static Option peersOption(Role role) {
        return peersOption(role, Peer.able(role).stream().filter(Peer::isUsual).toList());
    }

    /** As the other one, where other peers are {@code usual}. */
    static Option peersOption(Role role, List<Peer> usual) {
        List<Peer> missing = Peer.missing(role);
        return new Option(
                "peers",
                Peer.ids(usual),
                "of " + Peer.ids(Peer.able(role)) + "; ratios are to the first"
                        + (missing.isEmpty() ? "" : "; not available here: " + Peer.ids(missing)));
    }

    /** Comma-separated peers that are able to play {@code role}, each at most once. */
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

    /** Refuses {@code name}, which asks for that many connections at a time, if this process may not have them. */
    static void requireDescriptors(String name, int connections) throws UsageException {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                && unix.getMaxFileDescriptorCount() < connections + SPARE_DESCRIPTORS) {
            throw new UsageException("--" + name + " needs " + connections
                    + " descriptors here, more than ulimit -n allows: " + unix.getMaxFileDescriptorCount());
        }
    }

    /** A directory, which the writer creates if needed; empty if the text is. */
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
            // Falls through to the one message for all that is wrong.
        }
        throw new UsageException("--" + name + " takes " + min + " to " + max + ": " + word);
    }
}
