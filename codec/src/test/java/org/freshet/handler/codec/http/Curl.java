package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;

/** The program {@code curl}, which some tests use as a client. */
public final class Curl {
    private Curl() {}

    /** Skips the calling test if it is not installed. */
    public static void require() throws InterruptedException {
        boolean there;
        try {
            there = new ProcessBuilder("curl", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, "curl is not installed");
    }
}
