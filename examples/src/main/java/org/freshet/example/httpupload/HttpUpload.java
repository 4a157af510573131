package org.freshet.example.httpupload;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Server and client in one program, over loopback. */
public final class HttpUpload {
    private HttpUpload() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments("http-upload [MEBIBYTES]", 0, 1, args);
        int mebibytes =
                arguments.number(0, "mebibytes", 1, HttpUploadClient.MAX_MEBIBYTES, HttpUploadClient.DEFAULT_MEBIBYTES);
        System.out.println("http-upload: a server that takes forms with files, up to " + HttpUploadServer.MAX_MEBIBYTES
                + " MiB, and refuses bad ones;");
        System.out.println("a client that uploads " + mebibytes + " MiB and checks what arrived");
        Timer timer = new HashedWheelTimer();
        ServerBootstrap bootstrap = HttpUploadServer.newBootstrap(timer);
        boolean ok;
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println("the same with curl: " + HttpUploadServer.curlCommand(server));
            try (HttpUploadClient client = new HttpUploadClient((InetSocketAddress) server.getLocalAddress())) {
                ok = converse(client, mebibytes);
            }
        } finally {
            bootstrap.releaseExternalResources();
            timer.stop();
        }
        System.out.println("one form is accepted, three are refused: " + (ok ? "right" : "wrong"));
        System.exit(ok ? 0 : 1);
    }

    private static boolean converse(HttpUploadClient client, int mebibytes) throws Exception {
        return client.upload(mebibytes)
                & isRefused("no boundary", 400, client.send(withoutBoundary(client), null))
                & isRefused("form too large", 413, client.send(tooLarge(client), null))
                & isRefused(
                        "field too large",
                        413,
                        client.sendForm("x".repeat(HttpUploadServer.MAX_FIELD_BYTES + 1), null));
    }

    private static HttpRequest withoutBoundary(HttpUploadClient client) {
        HttpRequest request = client.newRequest();
        request.headers().set(HttpHeaders.Names.CONTENT_TYPE, "multipart/form-data");
        request.setContent(ChannelBuffers.copiedBuffer("no form", StandardCharsets.UTF_8));
        HttpHeaders.setContentLength(request, request.getContent().readableBytes());
        return request;
    }

    /** Expects 100-continue, so the content need not be sent. */
    private static HttpRequest tooLarge(HttpUploadClient client) {
        HttpRequest request = client.newRequest();
        HttpHeaders.set100ContinueExpected(request);
        HttpHeaders.setContentLength(request, HttpUploadServer.MAX_MEBIBYTES * 1024L * 1024 + 1);
        request.setChunked(true);
        return request;
    }

    private static boolean isRefused(String what, int status, Optional<HttpResponse> answer) {
        if (answer.isEmpty()) {
            return false;
        }
        String reason =
                answer.get().getContent().toString(StandardCharsets.UTF_8).strip();
        System.out.println(what + ": " + answer.get().getStatus() + ", \"" + reason + "\"");
        return answer.get().getStatus().getCode() == status;
    }
}
