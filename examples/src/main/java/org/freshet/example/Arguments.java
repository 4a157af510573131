package org.freshet.example;

import java.util.function.Consumer;

/** Reads an example's arguments. If they are invalid, prints one clear line and ends the program with exit code 2. */
public final class Arguments {
    private static final int MAX_PORT = 65535;

    /** What a refusal does with its line; replaced where one JVM tries many examples. */
    static Consumer<String> onRefusal = line -> {
        System.err.println(line);
        System.exit(2);
    };

    private final String usage;
    private final String[] values;

    /** @param usage the command line of the example, such as {@code "echo-client HOST PORT"} */
    public Arguments(String usage, int atLeast, int atMost, String... values) {
        this.usage = usage;
        this.values = values.clone();
        if (values.length < atLeast || values.length > atMost) {
            throw refuse("expected " + (atLeast == atMost ? "" + atLeast : atLeast + " to " + atMost)
                    + " arguments, got " + values.length);
        }
    }

    public int count() {
        return values.length;
    }

    public String text(int index) {
        return values[index];
    }

    public int port(int index, int ifAbsent) {
        return number(index, "port", 0, MAX_PORT, ifAbsent);
    }

    public int number(int index, String name, int min, int max, int ifAbsent) {
        if (index >= values.length) {
            return ifAbsent;
        }
        try {
            int value = Integer.parseInt(values[index]);
            if (value >= min && value <= max) {
                return value;
            }
            throw refuse(name + " must be " + min + " to " + max + ": " + value);
        } catch (NumberFormatException e) {
            throw refuse(
                    name + " must be a whole number from " + min + " to " + max + ", not \"" + values[index] + "\"");
        }
    }

    /** Ends the program. Returns an exception only so that callers can write {@code throw}. */
    public IllegalArgumentException refuse(String reason) {
        onRefusal.accept(reason + " (usage: examples/run " + usage + ")");
        return new IllegalArgumentException(reason);
    }
}
