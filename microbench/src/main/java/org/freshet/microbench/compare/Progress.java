package org.freshet.microbench.compare;

import java.io.PrintStream;
import org.freshet.microbench.compare.server.Peer;

/** Shows the progress: on a terminal in one line that is overwritten, otherwise in one line per step. */
final class Progress {
    private static final int WIDTH = 110;

    private final PrintStream out;
    private final boolean watched;
    private String step = "";
    private String peer = "";

    /** Writes to {@code out}; {@code watched} means that it is a terminal. */
    public Progress(PrintStream out, boolean watched) {
        this.out = out;
        this.watched = watched;
    }

    /** Begins a new step. */
    public void step(String text) {
        step = text;
        peer = "";
        if (watched) {
            detail("");
        } else {
            out.println(text);
        }
    }

    /** Continues the step with this peer. */
    public void peer(Peer current) {
        peer = ", " + current.label();
        detail("");
    }

    /** Shows the progress of the step; only on a terminal. */
    public void detail(String text) {
        if (watched) {
            String line = step + peer + (text.isEmpty() ? "" : ": " + text);
            out.printf("\r%-" + WIDTH + "s", line.substring(0, Math.min(line.length(), WIDTH)));
            out.flush();
        }
    }

    /** Prints a line that stays, from any thread. */
    public synchronized void note(String text) {
        done();
        out.println(text);
    }

    /** Returns the current step and peer. */
    public String where() {
        return step + peer;
    }

    /** Clears the line. */
    public void done() {
        if (watched) {
            out.printf("\r%" + WIDTH + "s\r", "");
            out.flush();
        }
    }
}
