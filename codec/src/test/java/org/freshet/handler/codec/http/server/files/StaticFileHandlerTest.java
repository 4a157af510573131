package org.freshet.handler.codec.http.server.files;

import static org.freshet.handler.codec.http.server.Connection.content;
import static org.freshet.handler.codec.http.server.Connection.header;
import static org.freshet.handler.codec.http.server.Connection.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.server.Connection;
import org.freshet.handler.codec.http.server.TextClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Persistence, and the order of answers on an HTTP/1.1 connection. */
class StaticFileHandlerTest extends ServedFolder {
    StaticFileHandlerTest() {
        super(TextClient.Wire.HTTP_1);
    }

    @Test
    void shouldCloseIfItDoesNotLetTheClientSendItsContent() {
        Connection connection = connect();
        String answer = connection.request("PUT", "/a.txt", "Content-Length: 5", "Expect: 100-continue");
        assertEquals("close", header(answer, "Connection"));
        assertFalse(connection.client.channel().isOpen());
    }

    // ---- persistence ----

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1,'',true,",
        "HTTP/1.1,close,false,close",
        "HTTP/1.0,'',false,close",
        "HTTP/1.0,keep-alive,true,keep-alive"
    })
    void shouldKeepTheConnectionAsTheRequestAsks(String version, String connectionHeader, boolean kept, String said) {
        for (String target : List.of("/a.txt", "/large.bin", "/nothing")) {
            Connection connection = connect();
            String header = connectionHeader.isEmpty() ? "" : "Connection: " + connectionHeader + "\r\n";
            String answer = connection.send("GET " + target + " " + version + "\r\nHost: h\r\n" + header + "\r\n");
            assertEquals(said, header(answer, "Connection"), target);
            assertEquals(kept, connection.client.channel().isOpen(), target);
        }
    }

    /** Later changes of the request by a handler have no effect. */
    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1,x,true,",
        "HTTP/1.1,close,false,close",
        "HTTP/1.0,x,false,close",
        "HTTP/1.0,keep-alive,true,keep-alive"
    })
    void shouldKeepTheConnectionAsTheCodecReadTheRequest(String version, String asked, boolean kept, String said) {
        for (String replaced : List.of("close", "keep-alive")) {
            Connection connection = new Connection(wire, () -> new ChannelHandler[] {
                new Rewriting(replaced),
                new StaticFileHandler(StaticFiles.under(root).build())
            });
            String answer =
                    connection.send("GET /a.txt " + version + "\r\nHost: h\r\nConnection: " + asked + "\r\n\r\n");
            assertEquals(said, header(answer, "Connection"), replaced);
            assertEquals(kept, connection.client.channel().isOpen(), replaced);
        }
    }

    private static final class Rewriting extends SimpleChannelUpstreamHandler {
        private final String connection;

        Rewriting(String connection) {
            this.connection = connection;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            HttpRequest request = (HttpRequest) e.getMessage();
            request.headers().set("Connection", connection);
            request.setProtocolVersion(connection.equals("close") ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1);
            ctx.sendUpstream(e);
        }
    }

    @Test
    void shouldKeepTheOrderOfAnswersWhicheverHandlerAnswers() {
        Application application = new Application();
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            new StaticFileHandler(StaticFiles.under(root).prefix("/s").build()), application
        });
        connection.client.transport().holdWrites();
        assertEquals(
                "",
                connection.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n"
                        + "GET /s/a.txt HTTP/1.1\r\nHost: h\r\n\r\nGET /s/large.bin HTTP/1.1\r\nHost: h\r\n\r\n"
                        + "GET /3 HTTP/1.1\r\nHost: h\r\n\r\n"));
        assertEquals(2, application.unanswered.size());
        assertFalse(connection.client.channel().isReadable(), "the number of waiting requests is limited");
        application.answer();
        assertEquals("application /1", content(connection.takeSent()));
        application.answerInChunks();
        String answers = connection.takeSent();
        assertTrue(answers.contains("application /2") && answers.contains(TEXT), answers);
        assertEquals(List.of(), List.copyOf(application.unanswered), "/3 waits for the large file");
        while (connection.client.transport().unansweredWrites() > 0) {
            connection.client.transport().completeWrites();
        }
        assertEquals(1, application.unanswered.size());
        connection.takeSent();
        application.answer();
        assertEquals("application /3", content(connection.takeSent()));
        assertTrue(connection.client.channel().isReadable());
    }

    @Test
    void shouldHoldARefusalUntilTheFileBeforeItWasSent() {
        Connection connection = connect();
        connection.client.transport().holdWrites();
        connection.send("GET /large.bin HTTP/1.1\r\nHost: h\r\n\r\nnonsense\r\n\r\n");
        assertEquals(List.of(), connection.client.takeCaught());
        while (connection.client.transport().unansweredWrites() > 0) {
            connection.client.transport().completeWrites();
        }
        assertEquals(1, connection.client.takeCaught().size());
    }

    @Test
    void shouldAnswerTheNextRequestOnlyWhenTheChannelIsWritable() {
        Connection connection = connect();
        connection.client.transport().turnWritable(false);
        String request = "GET /a.txt HTTP/1.1\r\nHost: h\r\n\r\n";
        assertEquals("", connection.send(request + request));
        connection.client.transport().turnWritable(true);
        assertEquals(2, connection.takeSent().split(TEXT, -1).length - 1);
    }

    @Test
    void shouldPassOnWaitingRequestsWhenItIsRemoved() {
        StaticFileHandler handler =
                new StaticFileHandler(StaticFiles.under(root).prefix("/s").build());
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {handler});
        connection.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /s/a.txt HTTP/1.1\r\nHost: h\r\n\r\n");
        assertEquals(1, connection.client.takeReceived().size());
        connection.client.channel().getPipeline().remove(handler);
        assertEquals(1, connection.client.takeReceived().size());
        assertTrue(connection.client.channel().isReadable());
    }

    // ---- the executor ----

    @Test
    void shouldUseTheExecutorForTheFileSystemAndKeepOrder() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        Connection connection = connect(StaticFiles.under(root).executor(tasks::add));
        assertEquals(
                "",
                connection.send("GET /a.txt HTTP/1.1\r\nHost: h\r\n\r\nGET /nothing HTTP/1.1\r\nHost: h\r\n\r\n"
                        + "GET /empty HTTP/1.1\r\nHost: h\r\n\r\n"));
        for (int status : new int[] {200, 404, 200}) {
            assertEquals(1, tasks.size(), "one at a time");
            tasks.remove().run();
            assertEquals(status, status(connection.takeSent()));
        }
        assertEquals(0, tasks.size());
    }

    @Test
    void shouldSendNothingAfterPartOfAFile() throws IOException {
        Path file = write("shrinking", "x".repeat(LARGE));
        Queue<Runnable> tasks = new ArrayDeque<>();
        Connection connection = begun("shrinking", tasks);
        connection.request("GET", "/a.txt");
        truncate(file);
        connection.client.transport().turnWritable(true);
        assertFalse(connection.client.channel().isOpen());
        assertEquals(List.of(), List.copyOf(tasks), "nothing may follow a part of a file");
    }
}
