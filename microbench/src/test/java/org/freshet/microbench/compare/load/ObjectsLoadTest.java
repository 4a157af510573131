package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.function.IntFunction;
import org.freshet.handler.codec.serialization.ClassResolvers;
import org.freshet.handler.codec.serialization.ObjectDecoderInputStream;
import org.freshet.handler.codec.serialization.ObjectEncoderOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The load must support all dialects and detect wrong answers; a thread with one socket plays the server. */
class ObjectsLoadTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @ParameterizedTest
    @EnumSource
    void shouldCountEveryAnswerOfAnHonestServer(ObjectDialect dialect) throws Exception {
        withServer(dialect, ObjectDialect::answerTo, load -> {
            assertEquals(1, load.connect().messages());
            assertEquals(3, load.run(3, LIMIT, done -> {}).messages());
            Outcome outcome = load.run(300, LIMIT, done -> {});
            assertEquals(300, outcome.messages());
            assertEquals(300, outcome.latencyNanos().getTotalCount());
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldDetectTheAnswerToAnotherNumber(ObjectDialect dialect) throws Exception {
        withServer(dialect, number -> ObjectDialect.answerTo(number == 5 ? 6 : number), load -> {
            load.connect();
            IOException failure = assertThrows(IOException.class, () -> load.run(9, LIMIT, done -> {}));
            assertEquals(
                    "connection 0: the answer to 5 in round 5 differs from \"test1000000005\"", failure.getMessage());
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldDetectAMissingAnswer(ObjectDialect dialect) throws Exception {
        IntFunction<String> silent = number -> number == 5 ? null : ObjectDialect.answerTo(number);
        withServer(dialect, silent, load -> {
            load.connect();
            IOException failure = assertThrows(IOException.class, () -> load.run(9, LIMIT, done -> {}));
            assertEquals("the server closed connection 0 in round 5", failure.getMessage());
        });
    }

    private interface Use {
        void with(ObjectsLoad load) throws Exception;
    }

    private static void withServer(ObjectDialect dialect, IntFunction<String> answer, Use use) throws Exception {
        Thread server;
        try (ServerSocket acceptor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server = new Thread(() -> serve(acceptor, dialect, answer), "answering");
            server.start();
            try (ObjectsLoad load = new ObjectsLoad(acceptor.getLocalPort(), 1, dialect)) {
                use.with(load);
            }
        }
        server.join(10_000);
        assertFalse(server.isAlive(), "the server has ended");
    }

    /** Ends the connection instead of sending a null. */
    private static void serve(ServerSocket acceptor, ObjectDialect dialect, IntFunction<String> answer) {
        try (Socket socket = acceptor.accept()) {
            // An object takes several writes, and Nagle's algorithm would delay the last one by 40 ms.
            socket.setTcpNoDelay(true);
            if (dialect != ObjectDialect.FRAMED) {
                ObjectOutputStream out = new ObjectOutputStream(socket.getOutputStream());
                if (dialect == ObjectDialect.STREAM_RESET_FIRST) {
                    out.reset();
                }
                ObjectInputStream in = new ObjectInputStream(socket.getInputStream());
                answer(in, answer, text -> {
                    out.writeObject(text);
                    out.flush();
                    out.reset();
                });
            } else {
                OutputStream out = socket.getOutputStream();
                InputStream in = socket.getInputStream();
                ObjectEncoderOutputStream objects = new ObjectEncoderOutputStream(out);
                ObjectInputFilter filter = ObjectInputFilter.Config.createFilter(ObjectDialect.FILTER);
                answer(
                        new ObjectDecoderInputStream(in, ClassResolvers.cacheDisabled(null), 1000, filter),
                        answer,
                        objects::writeObject);
            }
        } catch (IOException | ClassNotFoundException e) {
            // The load has closed its end, as it does when it is done.
        }
    }

    private interface Send {
        void object(String text) throws IOException;
    }

    private static void answer(ObjectInput in, IntFunction<String> answer, Send send)
            throws IOException, ClassNotFoundException {
        send.object(answer.apply(ObjectDialect.GREETING));
        while (true) {
            String text = answer.apply((Integer) in.readObject());
            if (text == null) {
                return;
            }
            send.object(text);
        }
    }
}
