package org.freshet.testkit.simulation;

import java.util.Arrays;

/**
 * Everything that a simulation does, in order: as a hash over all of it, and as text for investigating a failure. For
 * the thread that holds the {@link Baton}.
 *
 * <p>Text is formatted only on request.
 */
public final class Trace {
    private static final int FIRST_CAPACITY = 1024;
    private static final int LINES_BEFORE = 8;

    private String[] actors = new String[FIRST_CAPACITY];
    private String[] words = new String[FIRST_CAPACITY];
    private long[] numbers = new long[3 * FIRST_CAPACITY];
    private int size;
    private long hash;

    /** The number of the event whose stack is wanted; negative for none. */
    private int wanted = -1;

    private String place = "";

    void add(String actor, long nanos, String what, long first, long second) {
        if (size == words.length) {
            actors = Arrays.copyOf(actors, 2 * size);
            words = Arrays.copyOf(words, 2 * size);
            numbers = Arrays.copyOf(numbers, 6 * size);
        }
        actors[size] = actor;
        words[size] = what;
        numbers[3 * size] = nanos;
        numbers[3 * size + 1] = first;
        numbers[3 * size + 2] = second;
        if (size == wanted) {
            place = Stacks.placeOfCaller();
        }
        size++;
        mix(actor.hashCode());
        mix(nanos);
        mix(what.hashCode());
        mix(first);
        mix(second);
    }

    private void mix(long value) {
        hash = Long.rotateLeft((hash ^ value) * 0x9E3779B97F4A7C15L, 29);
    }

    /** Has {@link #place} return the line of the program that leads to an event. */
    public void want(int event) {
        wanted = event;
    }

    /** Returns the innermost line outside the library and the JDK, after a line break; empty for none. */
    public String place() {
        return place;
    }

    /** Two runs with the same hash and size did the same. */
    public long hash() {
        return hash;
    }

    public int size() {
        return size;
    }

    /** Returns the number of the first line in which two traces differ; -1 if they don't. */
    public int firstDifference(Trace other) {
        int common = Math.min(size, other.size);
        for (int i = 0; i < common; i++) {
            if (!actors[i].equals(other.actors[i])
                    || !words[i].equals(other.words[i])
                    || !Arrays.equals(numbers, 3 * i, 3 * i + 3, other.numbers, 3 * i, 3 * i + 3)) {
                return i;
            }
        }
        return size == other.size ? -1 : common;
    }

    /** Returns some lines, up to the given one. */
    public String around(int line) {
        return lines(Math.max(0, line - LINES_BEFORE), Math.min(size, line + 1));
    }

    /** Returns the last lines, oldest first: number, microseconds, thread, event. */
    public String tail(int lines) {
        return lines(Math.max(0, size - lines), size);
    }

    private String lines(int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(String.format(
                    "%6d %10.1f us  %-12s %s %d %d%n",
                    i, numbers[3 * i] / 1000.0, actors[i], words[i], numbers[3 * i + 1], numbers[3 * i + 2]));
        }
        return text.toString();
    }
}
