package org.freshet.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.freshet.channel.MemoryBudget;

/**
 * Resources of this process that a test can leak: threads with Freshet's names, selectors, sockets, and what waits to be
 * sent. Selectors and sockets are read from {@code /proc}, and taken as none on systems without it.
 *
 * @param selectors a count, since the system does not tell them apart
 * @param sockets the system's description of each, with its inode
 * @param queuedBytes what channels hold of the {@link MemoryBudget}; negative if more was released than charged
 */
record Resources(Set<Thread> threads, int selectors, Set<String> sockets, long queuedBytes) {
    private static final List<String> THREAD_NAMES = List.of("Freshet", "freshet", "Hashed wheel timer");

    /** Daemon threads of the process that wait for any pending deadline; tests don't end them. */
    private static final Set<String> SHARED_THREADS = Set.of("freshet-timer", "freshet-spare");

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private static final ReentrantLock firstLook = new ReentrantLock();
    private static boolean looked;

    static Resources inUse() {
        // Not in a static initializer: the virtual thread below would wait for the initializer to finish.
        prepareFirstLook();
        Set<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !SHARED_THREADS.contains(thread.getName()))
                .filter(thread -> THREAD_NAMES.stream().anyMatch(thread.getName()::contains))
                .collect(Collectors.toSet());
        int selectors = 0;
        Set<String> sockets = new TreeSet<>();
        for (String descriptor : descriptors()) {
            if (descriptor.equals("anon_inode:[eventpoll]")) {
                selectors++;
            } else if (descriptor.startsWith("socket:")) {
                sockets.add(descriptor);
            }
        }
        return new Resources(threads, selectors, sockets, MemoryBudget.getQueuedBytes());
    }

    /**
     * Test classes that run at the same time wait for each other here: none may check while the JDK opens its own
     * descriptors.
     */
    private static void prepareFirstLook() {
        firstLook.lock();
        try {
            if (!looked) {
                looked = true;
                openWhatTheJdkNeverCloses();
            }
        } finally {
            firstLook.unlock();
        }
    }

    Resources without(Resources other) {
        Set<Thread> newThreads = new HashSet<>(threads);
        newThreads.removeAll(other.threads);
        Set<String> newSockets = new TreeSet<>(sockets);
        newSockets.removeAll(other.sockets);
        return new Resources(
                newThreads, Math.max(0, selectors - other.selectors), newSockets, queuedBytes - other.queuedBytes);
    }

    boolean isEmpty() {
        return threads.isEmpty() && selectors == 0 && sockets.isEmpty() && queuedBytes == 0;
    }

    String describe() {
        StringBuilder text = new StringBuilder();
        for (Thread thread : threads) {
            text.append(thread).append('\n');
            for (StackTraceElement frame : thread.getStackTrace()) {
                text.append("    at ").append(frame).append('\n');
            }
        }
        if (selectors > 0) {
            text.append(selectors).append(" open selector(s)\n");
        }
        for (String socket : sockets) {
            text.append(socket).append(' ').append(whereabouts(socket)).append('\n');
        }
        if (queuedBytes != 0) {
            text.append(queuedBytes).append(" bytes are left in the memory budget\n");
        }
        return text.toString();
    }

    private static List<String> descriptors() {
        List<String> found = new ArrayList<>();
        if (!Files.isDirectory(DESCRIPTORS)) {
            return found;
        }
        try (DirectoryStream<Path> links = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path link : links) {
                readLink(link, found);
            }
        } catch (IOException e) {
            throw new AssertionError("cannot list " + DESCRIPTORS, e);
        }
        return found;
    }

    private static void readLink(Path link, List<String> found) {
        try {
            found.add(Files.readSymbolicLink(link).toString());
        } catch (IOException e) {
            // closed after the listing, like the descriptor of the listing itself
            return;
        }
    }

    /** The system's entry for a socket: addresses in hexadecimal and the state. */
    private static String whereabouts(String socket) {
        String inode = socket.replaceAll("\\D", "");
        Pattern column = Pattern.compile("\\b" + inode + "\\b");
        for (String table : List.of("tcp", "tcp6", "udp", "udp6", "unix")) {
            try (Stream<String> rows = Files.lines(Path.of("/proc/self/net", table))) {
                String row =
                        rows.filter(r -> column.matcher(r).find()).findFirst().orElse(null);
                if (row != null) {
                    return table + row.replaceAll(" +", " ");
                }
            } catch (IOException e) {
                return "(no " + table + " table: " + e.getMessage() + ")";
            }
        }
        return "(in no table: never bound, or closed at both ends)";
    }

    /** The JDK opens some descriptors with the first socket and keeps them; this opens them before the first check. */
    private static void openWhatTheJdkNeverCloses() {
        try (Selector selector = Selector.open();
                ServerSocketChannel channel = ServerSocketChannel.open();
                DatagramChannel datagrams = DatagramChannel.open();
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            channel.configureBlocking(false);
            datagrams.configureBlocking(false);
            selector.selectNow();
            readOnVirtualThread(accepted, client);
        } catch (IOException e) {
            throw new AssertionError("cannot open sockets", e);
        }
    }

    /** From Java 21 on, the first virtual thread that waits for a socket creates the pollers that serve all of them. */
    private static void readOnVirtualThread(Socket reading, Socket writing) throws IOException {
        Thread reader;
        try {
            reader = (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable)
                            () -> readOneByte(reading));
        } catch (NoSuchMethodException e) {
            return; // Java 17
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("cannot start a virtual thread", e);
        }
        Await.until(() -> reader.getState() == Thread.State.WAITING, "the virtual thread's read");
        writing.getOutputStream().write(1);
        Await.end(reader);
    }

    private static void readOneByte(Socket socket) {
        try {
            socket.getInputStream().read();
        } catch (IOException e) {
            throw new AssertionError("cannot read", e);
        }
    }
}
