package org.freshet.microbench.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.microbench.compare.load.Tls;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.ServerMain;
import org.freshet.microbench.compare.server.Usage;

/**
 * A server in a separate process, run by the same java as this one; its main class is {@link ServerMain}.
 *
 * <p>Used by one thread. It ends with {@link #close}, or when this process ends.
 */
final class ServerProcess implements AutoCloseable {
    private static final int MAX_CLOSE_SECONDS = 10;

    private final String name;
    private final Process process;
    private final BufferedReader answers;
    private final PrintStream questions;
    private final int port;

    private ServerProcess(String name, Process process) throws IOException {
        this.name = name;
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream()));
        this.questions = new PrintStream(process.getOutputStream(), true);
        this.port = Integer.parseInt(nextAnswer());
    }

    static ServerProcess start(Peer peer, Assignment assignment, Pinning pinning, List<String> jvmFlags)
            throws IOException {
        List<String> command = new ArrayList<>(pinning.serverPrefix());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        if (assignment.isSecure()) {
            command.add(Tls.jvmFlag());
        }
        command.addAll(List.of("-cp", peer.classPath(), ServerMain.class.getName()));
        command.add(peer.idInProcess());
        command.addAll(assignment.words());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return new ServerProcess(peer.label(), process);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** Returns its port on the loopback address. */
    public int port() {
        return port;
    }

    /** Returns its process ID. */
    public long pid() {
        return process.pid();
    }

    /** Returns its resource usage so far. */
    public Usage usage() throws IOException {
        return Usage.parse(ask("usage"));
    }

    /** Returns the heap bytes that survive a full collection. */
    public long liveHeapBytes() throws IOException {
        return Long.parseLong(ask("heap"));
    }

    /** Asks it to end, and kills it if it does not. */
    @Override
    public void close() {
        questions.println("quit");
        try {
            if (!process.waitFor(MAX_CLOSE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println(name + " did not end within " + MAX_CLOSE_SECONDS + " s; killing it");
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private String ask(String question) throws IOException {
        questions.println(question);
        return nextAnswer();
    }

    private String nextAnswer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(ServerMain.MARK)) {
                return line.substring(ServerMain.MARK.length());
            }
        }
        throw new IOException("the server process of " + name + " ended unexpectedly");
    }
}
