package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forms that curl and Freshet's own client send to a server, which answers with the parts it read. */
class FormOverSocketsTest {
    private static final String LARGE = "\r\n--\u00e4".repeat(100_000);

    @TempDir
    Path directory;

    private ServerBootstrap server;
    private Channel listening;
    private File large;

    @BeforeEach
    void start() throws IOException {
        large = Files.writeString(directory.resolve("large.bin"), LARGE).toFile();
        server = new ServerBootstrap(new NioServerSocketChannelFactory(1));
        server.setPipelineFactory(() -> Channels.pipeline(new HttpServerCodec(), new FormReader()));
        listening = server.bind(new InetSocketAddress("127.0.0.1", 0));
    }

    @AfterEach
    void stop() {
        listening.close().awaitUninterruptibly();
        server.releaseExternalResources();
    }

    /** Answers with one line per part; files are described by length instead of content. */
    private static final class FormReader extends SimpleChannelUpstreamHandler {
        private HttpPostRequestDecoder form;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            if (e.getMessage() instanceof HttpRequest) {
                HttpRequest request = (HttpRequest) e.getMessage();
                if (HttpHeaders.is100ContinueExpected(request)) {
                    e.getChannel().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
                }
                form = new HttpPostRequestDecoder(request);
                form.cleanFilesWhenClosed(e.getChannel());
                if (!request.isChunked()) {
                    answer(e.getChannel(), HttpResponseStatus.OK, describeAll());
                }
            } else {
                HttpChunk chunk = (HttpChunk) e.getMessage();
                form.offer(chunk);
                if (chunk.isLast()) {
                    answer(e.getChannel(), HttpResponseStatus.OK, describeAll());
                }
            }
        }

        private String describeAll() throws Exception {
            StringBuilder described = new StringBuilder();
            for (InterfaceHttpData data : form.getBodyHttpDatas()) {
                String content = ((HttpData) data).getString();
                described.append(data.getName()).append('=');
                if (data instanceof FileUpload) {
                    FileUpload file = (FileUpload) data;
                    described
                            .append(file.getFilename())
                            .append(' ')
                            .append(file.getContentType())
                            .append(' ');
                    described.append(file.isInMemory() ? "memory" : "disk").append(' ');
                    described.append(content.equals(LARGE) ? "as sent" : content);
                } else {
                    described.append(content);
                }
                described.append('\n');
            }
            form.cleanFiles();
            return described.toString();
        }

        private static void answer(Channel channel, HttpResponseStatus status, String content) {
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
            response.setContent(ChannelBuffers.copiedBuffer(content, UTF_8));
            HttpHeaders.setContentLength(response, response.getContent().readableBytes());
            channel.write(response);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            answer(e.getChannel(), HttpResponseStatus.BAD_REQUEST, e.getCause().toString());
        }
    }

    private String url() {
        return "http://127.0.0.1:" + ((InetSocketAddress) listening.getLocalAddress()).getPort() + "/form";
    }

    private String curl(String... arguments) throws Exception {
        ProcessBuilder curl = new ProcessBuilder("curl", "-s", "-S", "--max-time", "20");
        curl.command().addAll(List.of(arguments));
        curl.command().add(url());
        Process process;
        try {
            process = curl.redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, "no curl here: " + e.getMessage());
            return null;
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), "the end of curl");
        return output;
    }

    @Test
    void shouldReadMultipartFormsFromCurl() throws Exception {
        Path named = Files.writeString(directory.resolve("a \"b\".txt"), "small");
        assertEquals(
                "a=1 \u20ac\nq\"t=x\nf=large.bin application/octet-stream disk as sent\ng=a b.txt text/plain memory small\n",
                curl(
                        "-F",
                        "a=1 \u20ac",
                        "-F",
                        "q\"t=x",
                        "-F",
                        "f=@" + large,
                        "-F",
                        "g=@\"" + named.toString().replace("\"", "\\\"") + "\";type=text/plain"));
    }

    @Test
    void shouldReadMultipartFormsFromCurlInChunks() throws Exception {
        assertEquals(
                "a=1\nf=large.bin application/octet-stream disk as sent\n",
                curl("-H", "Transfer-Encoding: chunked", "-F", "a=1", "-F", "f=@" + large));
    }

    @Test
    void shouldReadSeveralFilesOfOneFieldFromCurl() throws Exception {
        Path small = Files.writeString(directory.resolve("s.txt"), "small");
        assertEquals(
                "f=s.txt text/plain memory small\nf=large.bin application/octet-stream disk as sent\n",
                curl("-F", "f=@" + small + "," + large));
    }

    @Test
    void shouldReadUrlEncodedFormsFromCurl() throws Exception {
        assertEquals("a=1 2&\u20ac\nb=\n", curl("--data-urlencode", "a=1 2&\u20ac", "--data-urlencode", "b="));
        assertEquals("a=" + LARGE + "\n", curl("--data-urlencode", "a@" + large));
    }

    @Test
    void shouldReadWhatItsOwnEncoderSends() throws Exception {
        for (HttpPostRequestEncoder.EncoderMode mode : HttpPostRequestEncoder.EncoderMode.values()) {
            assertEquals(
                    "a=1\nf=large.bin application/octet-stream disk as sent\nf=large.bin text/plain disk as sent\n",
                    send(mode));
        }
    }

    private String send(HttpPostRequestEncoder.EncoderMode mode) throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        ClientBootstrap client = new ClientBootstrap(new NioClientSocketChannelFactory());
        try {
            client.setPipelineFactory(() -> Channels.pipeline(
                    new HttpClientCodec(), new ChunkedWriteHandler(), new SimpleChannelUpstreamHandler() {
                        @Override
                        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                            answer.complete(
                                    ((HttpResponse) e.getMessage()).getContent().toString(UTF_8));
                        }

                        @Override
                        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                            answer.completeExceptionally(e.getCause());
                        }
                    }));
            Channel channel = Await.success(client.connect(listening.getLocalAddress()), "the connection")
                    .getChannel();
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/form");
            request.headers().set(HttpHeaders.Names.HOST, "localhost");
            HttpPostRequestEncoder form =
                    new HttpPostRequestEncoder(new DefaultHttpDataFactory(), request, true, UTF_8, mode);
            form.addBodyAttribute("a", "1");
            form.addBodyFileUpload("f", large, null, false);
            form.addBodyFileUpload("f", large, "text/plain", true);
            channel.write(form.finalizeRequest());
            channel.write(form);
            String answered = Await.result(answer, "the answer");
            Await.success(channel.close(), "the close");
            return answered;
        } finally {
            client.releaseExternalResources();
        }
    }
}
