package org.freshet.example.httpupload;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.HttpResponse;

/** Prints how much of a form has been sent to the socket, and completes a future with the answer. */
final class UploadProgressHandler extends SimpleChannelUpstreamHandler {
    private static final int STEP_PERCENT = 25;

    /** Smaller forms are sent in an instant and show no progress. */
    private static final long MIN_SHOWN_BYTES = 1024 * 1024;

    private final long formBytes;
    private final CompletableFuture<HttpResponse> answer;

    private long sentBytes;
    private long nextPercent = STEP_PERCENT;

    UploadProgressHandler(long formBytes, CompletableFuture<HttpResponse> answer) {
        this.formBytes = formBytes;
        this.answer = answer;
    }

    @Override
    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
        sentBytes += e.getWrittenAmount(); // includes the head of the request, which is small
        while (formBytes >= MIN_SHOWN_BYTES && nextPercent <= 100 && sentBytes * 100 >= formBytes * nextPercent) {
            System.out.printf("%3d %% sent%n", nextPercent);
            nextPercent += STEP_PERCENT;
        }
        ctx.sendUpstream(e);
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        answer.complete((HttpResponse) e.getMessage());
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        answer.completeExceptionally(new IOException("the connection was closed without an answer"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        answer.completeExceptionally(e.getCause());
        e.getChannel().close();
    }
}
