package org.freshet.util;

/** The version of Freshet. {@code java -cp freshet-core.jar org.freshet.util.Version} prints it. */
public final class Version {
    public static final String ID = "0.1.0-SNAPSHOT";

    private Version() {}

    /** Prints the version to standard output. */
    public static void main(String[] args) {
        System.out.println("Freshet " + ID);
    }
}
