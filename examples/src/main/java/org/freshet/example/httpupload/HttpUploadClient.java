package org.freshet.example.httpupload;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.multipart.HttpPostRequestEncoder;
import org.freshet.handler.codec.http.multipart.HttpPostRequestEncoder.ErrorDataEncoderException;
import org.freshet.handler.stream.ChunkedWriteHandler;

/**
 * Uploads a generated file and checks the answer. One connection per request. Its methods block, so don't call them on
 * I/O threads.
 */
public final class HttpUploadClient implements AutoCloseable {
    static final int DEFAULT_MEBIBYTES = 32;
    static final int MAX_MEBIBYTES = HttpUploadServer.MAX_MEBIBYTES - 1; // the form is larger than its file

    private static final int MAX_ANSWER_BYTES = 65536;
    private static final int MAX_WAIT_SECONDS = 60;

    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
    private final InetSocketAddress server;

    HttpUploadClient(InetSocketAddress server) {
        this.server = server;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments("http-upload-client HOST PORT [MEBIBYTES]", 2, 3, args);
        InetSocketAddress server = new InetSocketAddress(arguments.text(0), arguments.port(1, 0));
        if (server.isUnresolved()) {
            throw arguments.refuse("unknown host: " + arguments.text(0));
        }
        int mebibytes = arguments.number(2, "mebibytes", 1, MAX_MEBIBYTES, DEFAULT_MEBIBYTES);
        boolean ok;
        try (HttpUploadClient client = new HttpUploadClient(server)) {
            ok = client.upload(mebibytes);
        }
        System.exit(ok ? 0 : 1);
    }

    /** Returns whether the server answers with the size and checksum of the generated file. */
    boolean upload(int mebibytes) throws Exception {
        Path file = Files.createTempFile("upload", ".bin");
        try {
            String crc = String.format("%08x", generate(file, mebibytes));
            Optional<HttpResponse> answer = sendForm("Report \u20ac", file);
            if (answer.isEmpty()) {
                return false;
            }
            String text = answer.get().getContent().toString(StandardCharsets.UTF_8);
            System.out.print(answer.get().getStatus() + "\n" + text);
            boolean ok = answer.get().getStatus().equals(HttpResponseStatus.OK)
                    && text.equals("title: Report \u20ac\nfile: " + file.getFileName() + ", " + Files.size(file)
                            + " bytes, CRC-32 " + crc + "\n");
            System.out.println("size and checksum are " + (ok ? "right" : "wrong: sent was CRC-32 " + crc));
            return ok;
        } finally {
            Files.delete(file);
        }
    }

    private static long generate(Path file, int mebibytes) throws IOException {
        Random random = new Random(mebibytes);
        byte[] block = new byte[1024 * 1024];
        CRC32 crc = new CRC32();
        try (OutputStream out = new CheckedOutputStream(Files.newOutputStream(file), crc)) {
            for (int i = 0; i < mebibytes; i++) {
                random.nextBytes(block);
                out.write(block);
            }
        }
        return crc.getValue();
    }

    /** @param file null for none */
    Optional<HttpResponse> sendForm(String title, Path file) throws ErrorDataEncoderException, InterruptedException {
        HttpRequest request = newRequest();
        HttpPostRequestEncoder form = new HttpPostRequestEncoder(request, true);
        try {
            form.addBodyAttribute("title", title);
            if (file != null) {
                form.addBodyFileUpload("file", file.toFile(), null, false);
            }
            return send(form.finalizeRequest(), form);
        } finally {
            form.cleanFiles();
        }
    }

    HttpRequest newRequest() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        HttpHeaders.setHost(request, server.getHostString() + ":" + server.getPort());
        return request;
    }

    /**
     * Returns the answer; empty if there is no answer. It may arrive before everything is sent.
     *
     * @param form sent after the request; null for none
     */
    Optional<HttpResponse> send(HttpRequest request, HttpPostRequestEncoder form) throws InterruptedException {
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new HttpClientCodec(),
                new HttpChunkAggregator(MAX_ANSWER_BYTES),
                new ChunkedWriteHandler(),
                new UploadProgressHandler(HttpHeaders.getContentLength(request, 0), answer)));
        ChannelFuture connected = bootstrap.connect(server).await();
        if (!connected.isSuccess()) {
            System.err.println("cannot connect: " + connected.getCause().getMessage());
            return Optional.empty();
        }
        Channel channel = connected.getChannel();
        try {
            channel.write(request);
            if (form != null) {
                channel.write(form);
            }
            return Optional.of(answer.get(MAX_WAIT_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            System.err.println("failed: " + e.getCause());
        } catch (TimeoutException e) {
            System.err.println("no answer within " + MAX_WAIT_SECONDS + " seconds");
        } finally {
            channel.close().await();
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources();
    }
}
