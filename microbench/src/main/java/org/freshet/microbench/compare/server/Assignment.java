package org.freshet.microbench.compare.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a server is told to do.
 *
 * @param options those that begin with {@code child.} are for the sockets, by the names of Netty 3's options; the others are
 *     what the role needs to know
 */
public record Assignment(Role role, Map<String, String> options) {
    /** The option that has a role played over TLS. */
    public static final String SECURE = "tls";

    /** The option that says how many threads have connections. */
    public static final String LOOPS = "loops";

    private static final String CHILD = "child.";

    /** A role that needs to know nothing. */
    public static Assignment of(Role role) {
        return new Assignment(role, Map.of());
    }

    /** This one with one more option. */
    public Assignment with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(name, value.toString());
        return new Assignment(role, more);
    }

    /** The words of a command line that {@link #parse} understands. */
    public List<String> words() {
        List<String> words = new ArrayList<>(List.of(role.id()));
        options.forEach((name, value) -> words.add(name + "=" + value));
        return words;
    }

    static Assignment parse(List<String> words) {
        Assignment assignment = of(Role.of(words.get(0)));
        for (String word : words.subList(1, words.size())) {
            int equals = word.indexOf('=');
            assignment = assignment.with(word.substring(0, equals), word.substring(equals + 1));
        }
        return assignment;
    }

    /** How many threads have connections, where the server lets one choose: one unless told otherwise. */
    int loops() {
        return has(LOOPS) ? number(LOOPS) : 1;
    }

    /** The option of that name. */
    String text(String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException(role.id() + " needs the option " + name);
        }
        return value;
    }

    /** Whether connections are encrypted, by the certificate of the process that asks for it. */
    public boolean isSecure() {
        return role == Role.TLS || has(SECURE);
    }

    /** Whether there is an option of that name. */
    boolean has(String name) {
        return options.containsKey(name);
    }

    int number(String name) {
        return Integer.parseInt(text(name));
    }

    /** Whether accepted sockets send at once, which they do unless told otherwise. */
    boolean tcpNoDelay() {
        return Boolean.parseBoolean(options.getOrDefault("child.tcpNoDelay", "true"));
    }

    /** What is to be set at accepted sockets, {@code child.tcpNoDelay} always among it. */
    Map<String, String> childOptions() {
        Map<String, String> all = new LinkedHashMap<>(Map.of("child.tcpNoDelay", "true"));
        options.forEach((name, value) -> {
            if (name.startsWith(CHILD)) {
                all.put(name, value);
            }
        });
        return all;
    }
}
