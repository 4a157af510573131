package org.freshet.example.httpsnoop;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.cookie.ClientCookieDecoder;
import org.freshet.handler.codec.http.cookie.Cookie;

/** Prints the parts of a response as they arrive, and hands its cookies to the waiting thread at the end. */
final class HttpSnoopClientHandler extends SimpleChannelUpstreamHandler {
    /** One per complete response; empty stands for the end of the connection. */
    private final BlockingQueue<Optional<Cookie[]>> ends = new LinkedBlockingQueue<>();

    private Cookie[] cookies = {};

    /** Waits for the end of the next response; empty if the connection ends first. */
    Optional<Cookie[]> awaitEnd() throws InterruptedException {
        return ends.take();
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof HttpResponse) {
            HttpResponse response = (HttpResponse) e.getMessage();
            printHead(response);
            if (response.getStatus().getCode() < 200) {
                return; // an interim response, not the answer
            }
            printContent(response.getContent());
            if (!response.isChunked()) {
                ends.add(Optional.of(cookies));
            }
            return;
        }
        HttpChunk chunk = (HttpChunk) e.getMessage();
        printContent(chunk.getContent());
        if (chunk.isLast()) {
            for (Map.Entry<String, String> header : ((HttpChunkTrailer) chunk).trailingHeaders()) {
                System.out.println("< " + header.getKey() + ": " + header.getValue());
            }
            ends.add(Optional.of(cookies));
        }
    }

    private void printHead(HttpResponse response) {
        System.out.println("< " + response.getProtocolVersion() + " " + response.getStatus());
        for (Map.Entry<String, String> header : response.headers()) {
            System.out.println("< " + header.getKey() + ": " + header.getValue());
        }
        cookies = response.headers().getAll(HttpHeaders.Names.SET_COOKIE).stream()
                .map(ClientCookieDecoder.STRICT::decode)
                .filter(cookie -> cookie != null) // malformed
                .toArray(Cookie[]::new);
    }

    private static void printContent(ChannelBuffer content) {
        for (String line : content.toString(StandardCharsets.UTF_8).split("\n")) {
            if (!line.isEmpty()) {
                System.out.println("  " + line);
            }
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        ends.add(Optional.empty());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        if (e.getChannel().isConnected()) { // otherwise connecting failed, and its future reports that
            System.err.println("connection failed: " + e.getCause());
        }
        e.getChannel().close();
    }
}
