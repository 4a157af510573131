package org.freshet.microbench;

/** The flags of every fork: a heap of fixed size, and one collector thread. */
public final class JvmFlags {
    public static final String MIN_HEAP = "-Xms256m";
    public static final String MAX_HEAP = "-Xmx256m";
    public static final String COLLECTOR = "-XX:+UseSerialGC";

    private JvmFlags() {}
}
