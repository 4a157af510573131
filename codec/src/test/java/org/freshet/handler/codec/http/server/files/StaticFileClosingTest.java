package org.freshet.handler.codec.http.server.files;

import static org.freshet.handler.codec.http.server.Connection.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.Connection;
import org.freshet.handler.codec.http.server.TextClient;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files and connections are closed, also when something fails. */
@ParameterizedClass
@EnumSource(TextClient.Wire.class)
class StaticFileClosingTest extends ServedFolder {
    StaticFileClosingTest(TextClient.Wire wire) {
        super(wire);
    }

    @Test
    void shouldCloseTheFileWhenItWasSent() {
        OpenFiles.assumeKnown();
        Connection connection = connect();
        connection.client.transport().holdWrites();
        connection.request("GET", "/large.bin");
        assertEquals(1, OpenFiles.below(root).size());
        while (connection.client.transport().unansweredWrites() > 0) {
            connection.client.transport().completeWrites();
        }
        assertEquals(List.of(), OpenFiles.below(root));
        connection.request("GET", "/large.bin", "Range: bytes=0-9");
        connection.request("HEAD", "/large.bin");
        connection.request("GET", "/large.bin", "If-None-Match: *");
        assertEquals(List.of(), OpenFiles.below(root));
    }

    @Test
    void shouldCloseFileAndConnectionWhenAWriteFails() {
        OpenFiles.assumeKnown();
        SimpleChannelDownstreamHandler failing = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpChunk) {
                    e.getFuture().setFailure(new IOException("broken"));
                } else {
                    ctx.sendDownstream(e);
                }
            }
        };
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            failing, new StaticFileHandler(StaticFiles.under(root).build())
        });
        connection.request("GET", "/large.bin");
        assertEquals(List.of(), OpenFiles.below(root));
        assertFalse(connection.client.channel().isOpen());
    }

    @Test
    void shouldCloseTheFileWhenTheConnectionCloses() {
        OpenFiles.assumeKnown();
        Connection connection = connect();
        connection.client.transport().holdWrites();
        connection.request("GET", "/large.bin");
        connection.client.transport().turnWritable(false);
        assertEquals(1, OpenFiles.below(root).size());
        connection.client.channel().close();
        connection.client.transport().failWrites(new ClosedChannelException());
        assertEquals(List.of(), OpenFiles.below(root));
        connection.client.transport().close(); // with HTTP/2, only the stream was closed
    }

    @Test
    void shouldCloseTheFileWhenTheHeadIsRefused() {
        OpenFiles.assumeKnown();
        SimpleChannelDownstreamHandler refusing = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                throw new IllegalArgumentException("refused");
            }
        };
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            refusing, new StaticFileHandler(StaticFiles.under(root).build())
        });
        connection.request("GET", "/large.bin");
        assertEquals(List.of(), OpenFiles.below(root));
        assertFalse(connection.client.channel().isOpen());
    }

    /** After a head that was not sent, the file would be mistaken for an answer. */
    @ParameterizedTest
    @ValueSource(strings = {"GET /large.bin", "GET /a.txt", "HEAD /large.bin"})
    void shouldSendNothingAndCloseWhenTheHeadFails(String request) {
        SimpleChannelDownstreamHandler failing = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpResponse) {
                    e.getFuture().setFailure(new IOException("broken"));
                } else {
                    ctx.sendDownstream(e);
                }
            }
        };
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            failing, new StaticFileHandler(StaticFiles.under(root).build())
        });
        String[] words = request.split(" ");
        String sent = connection.request(words[0], words[1]);
        assertFalse(sent.contains("x"), sent);
        assertFalse(connection.client.channel().isOpen());
        assertEquals(List.of(), OpenFiles.below(root));
    }

    @Test
    void shouldCloseTheConnectionWhenTheFileIsCutShort() throws IOException {
        Path file = write("shrinking", "x".repeat(LARGE));
        Queue<Runnable> tasks = new ArrayDeque<>();
        Connection connection = begun("shrinking", tasks);
        truncate(file);
        connection.client.transport().turnWritable(true);
        assertFalse(connection.client.channel().isOpen());
        assertEquals(List.of(EOFException.class), classes(connection.client.takeCaught()));
    }

    static List<Class<?>> classes(List<Throwable> caught) {
        List<Class<?>> classes = new ArrayList<>();
        caught.forEach(failure -> classes.add(failure.getClass()));
        return classes;
    }

    @Test
    void shouldAnswerWhenTheExecutorRefuses() {
        try (CapturedLog log = CapturedLog.start()) {
            Connection connection = connect(StaticFiles.under(root).executor(task -> {
                throw new RejectedExecutionException("full");
            }));
            assertEquals(503, status(connection.request("GET", "/a.txt")));
            assertTrue(connection.client.takesRequests());
            assertTrue(log.only().text().contains("/a.txt"));
        }
    }

    /** As if no thread could be started. */
    @Test
    void shouldCloseWhenTheExecutorFails() {
        Connection connection = connect(StaticFiles.under(root).executor(task -> {
            throw new OutOfMemoryError("simulated");
        }));
        connection.request("GET", "/a.txt");
        assertFalse(connection.client.channel().isOpen());
        assertEquals(List.of(OutOfMemoryError.class), classes(connection.client.takeCaught()));
    }

    @Test
    void shouldAnswerWhenTheUsersFunctionThrows() {
        try (CapturedLog log = CapturedLog.start()) {
            Connection connection = connect(StaticFiles.under(root).cacheControl(path -> {
                throw new IllegalStateException("broken");
            }));
            assertEquals(500, status(connection.request("GET", "/a.txt")));
            assertTrue(
                    log.messages().stream().anyMatch(message -> message.text().contains("/a.txt")));
        }
    }

    @Test
    void shouldCloseAFileThatIsOpenedAfterTheConnectionClosed() {
        OpenFiles.assumeKnown();
        Queue<Runnable> tasks = new ArrayDeque<>();
        Connection connection = connect(StaticFiles.under(root).executor(tasks::add));
        connection.request("GET", "/large.bin");
        connection.client.channel().close();
        tasks.remove().run();
        assertEquals(List.of(), OpenFiles.below(root));
    }
}
