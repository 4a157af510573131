package org.freshet.util;

/** The version of Freshet, and of the Netty it replaces. {@code java -jar freshet-netty3.jar} prints it. */
public final class Version {
    /** Begins with Netty's version, because libraries parse it. */
    public static final String ID = "3.10.6.Final-freshet-0.1.0-SNAPSHOT";

    private Version() {}

    /** Prints the version to standard output. */
    public static void main(String[] args) {
        System.out.println("Netty " + ID);
    }
}
