package org.freshet.microbench.compare.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The task of a server.
 *
 * @param options those starting with {@code child.} are socket options, with Netty 3's names; the others are parameters
 *     of the role
 */
public record Assignment(Role role, Map<String, String> options) {
    /** The option that turns on TLS for a role. */
    public static final String SECURE = "tls";

    /** The option for the number of threads that serve connections. */
    public static final String LOOPS = "loops";

    private static final String CHILD = "child.";

    /** An assignment without options. */
    public static Assignment of(Role role) {
        return new Assignment(role, Map.of());
    }

    /** Returns this assignment with one more option. */
    public Assignment with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(name, value.toString());
        return new Assignment(role, more);
    }

    /** Returns command line words that {@link #parse} understands. */
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

    /** Returns the number of threads that serve connections, if the server lets you choose; 1 by default. */
    int loops() {
        return has(LOOPS) ? number(LOOPS) : 1;
    }

    /** Returns the option with that name. */
    String text(String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException(role.id() + " needs the option " + name);
        }
        return value;
    }

    /** Returns whether connections are encrypted, with the certificate of the process that requests it. */
    public boolean isSecure() {
        return role == Role.TLS || has(SECURE);
    }

    /** Returns whether there is an option with that name. */
    boolean has(String name) {
        return options.containsKey(name);
    }

    int number(String name) {
        return Integer.parseInt(text(name));
    }

    /** Returns whether accepted sockets have TCP_NODELAY; true by default. */
    boolean tcpNoDelay() {
        return Boolean.parseBoolean(options.getOrDefault("child.tcpNoDelay", "true"));
    }

    /** Returns the options for accepted sockets, always including {@code child.tcpNoDelay}. */
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
