package org.freshet.microbench.compare;

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

/** The values that a user chose, checked when they are asked for; each refusal names the option and its value. */
final class Options {
    private final Map<String, String> values = new HashMap<>();

    /** Reads {@code arguments} against the {@code known} options. */
    public Options(List<Option> known, List<String> arguments) throws UsageException {
        Map<String, Option> byName = known.stream().collect(Collectors.toMap(option -> "--" + option.name(), o -> o));
        for (Option option : known) {
            values.put(option.name(), option.fallback());
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
    public boolean isOn(String name) {
        return values.get(name) != null;
    }

    /** One constant of {@code type}, in small letters. */
    public <E extends Enum<E>> E choice(String name, Class<E> type) throws UsageException {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(values.get(name))) {
                return constant;
            }
        }
        String all = Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT);
        throw new UsageException("--" + name + " takes one of " + all + ": " + values.get(name));
    }

    /** A whole number between {@code min} and {@code max}, both allowed. */
    public int number(String name, int min, int max) throws UsageException {
        return parse(name, values.get(name), min, max);
    }

    /** Comma-separated whole numbers between {@code min} and {@code max}, both allowed. */
    public List<Integer> numbers(String name, int min, int max) throws UsageException {
        List<Integer> numbers = new ArrayList<>();
        for (String word : values.get(name).split(",", -1)) {
            numbers.add(parse(name, word, min, max));
        }
        return numbers;
    }

    /** Comma-separated peers of those {@code allowed}, each at most once. */
    public List<Peer> peers(String name, List<Peer> allowed) throws UsageException {
        List<Peer> peers = new ArrayList<>();
        for (String word : values.get(name).split(",", -1)) {
            Optional<Peer> peer = Peer.of(word).filter(allowed::contains).filter(p -> !peers.contains(p));
            peers.add(peer.orElseThrow(
                    () -> new UsageException("--" + name + " takes each of " + Peer.ids(allowed) + " once: " + word)));
        }
        return peers;
    }

    /** A directory, made if need be by who writes to it; empty when the text is. */
    public Optional<Path> directory(String name) {
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
