package org.freshet.example.grpc;

import com.google.protobuf.MessageLite;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/**
 * A server's answer to a call: messages and a status. Any thread may call, one at a time. The work is done on the I/O
 * thread, in order; the call's deadline may end the call there at any time.
 *
 * <pre>
 *   NEW ----&gt; OPEN (after the first message) ----&gt; ENDED
 *    '------ only a status -----------------------&gt;'
 * </pre>
 */
public final class GrpcReplies {
    private enum State {
        NEW,
        OPEN,
        ENDED
    }

    private final Channel stream;
    private final HttpHeaders metadata;
    private final HttpHeaders headers = new DefaultHttpHeaders();
    private final HttpHeaders trailers = new DefaultHttpHeaders();
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();

    /** I/O thread only; so is the state. */
    private boolean isRunning;

    private State state = State.NEW;

    GrpcReplies(Channel stream, HttpHeaders metadata) {
        this.stream = stream;
        this.metadata = metadata;
    }

    /** Returns the metadata that the client sent with the call. */
    public HttpHeaders metadata() {
        return metadata;
    }

    /** Returns the headers to be sent before the first message. */
    public HttpHeaders headers() {
        return headers;
    }

    /** Returns the trailers to be sent with the status. */
    public HttpHeaders trailers() {
        return trailers;
    }

    /** Returns whether the client reads as fast as messages are sent; see {@code channelInterestChanged}. */
    public boolean isWritable() {
        return stream.isWritable();
    }

    /** I/O thread only. */
    boolean hasEnded() {
        return state == State.ENDED;
    }

    /** Sends a message, unless the call has ended. */
    public void send(MessageLite message) {
        HttpChunk chunk = new DefaultHttpChunk(GrpcMessages.frame(message));
        long bytes = WriteAccount.bytesOf(chunk);
        if (WriteAccount.admit(stream, bytes) == null) {
            inOrder(() -> write(chunk, bytes));
        } else {
            stream.close(); // a message is missing
        }
    }

    private void write(HttpChunk chunk, long bytes) {
        if (state == State.ENDED) {
            WriteAccount.release(stream, bytes);
            return;
        }
        if (state == State.NEW) {
            state = State.OPEN;
            HttpResponse head = head();
            head.setChunked(true);
            stream.write(head);
        }
        try {
            WriteAccount.passOn(stream, bytes, () -> stream.write(chunk));
        } catch (Exception e) {
            throw new IllegalStateException(e); // a write never throws
        }
    }

    /** Ends the call; only the first status counts. The future completes when the status has been sent. */
    public ChannelFuture end(GrpcStatus status) {
        ChannelFuture ended = Channels.future(stream);
        inOrder(() -> {
            try {
                finish(status, ended);
            } catch (RuntimeException | Error e) {
                ended.setFailure(e);
                throw e;
            }
        });
        return ended;
    }

    private void inOrder(Runnable step) {
        steps.add(step);
        stream.getPipeline().execute(this::runSteps);
    }

    /**
     * Runs the queued steps one at a time: a write may run listeners that queue more, and these must wait for the
     * current step.
     */
    private void runSteps() {
        if (isRunning) {
            return;
        }
        isRunning = true;
        try {
            for (Runnable next = steps.poll(); next != null; next = steps.poll()) {
                next.run();
            }
        } finally {
            isRunning = false;
        }
    }

    private void finish(GrpcStatus status, ChannelFuture ended) {
        State before = state;
        state = State.ENDED;
        if (before == State.OPEN) {
            HttpChunkTrailer end = new DefaultHttpChunkTrailer();
            end.trailingHeaders().add(trailers);
            status.addTo(end.trailingHeaders());
            write(end, ended);
        } else if (before == State.NEW) {
            HttpResponse alone = head(); // "trailers-only": the head ends the stream
            alone.headers().add(trailers);
            status.addTo(alone.headers());
            write(alone, ended);
        } else {
            ended.setSuccess();
        }
    }

    private void write(Object last, ChannelFuture ended) {
        stream.write(last).addListener(written -> {
            if (written.isSuccess()) {
                ended.setSuccess();
            } else {
                ended.setFailure(written.getCause());
            }
        });
    }

    private HttpResponse head() {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().add(headers);
        head.headers().set(HttpHeaders.Names.CONTENT_TYPE, "application/grpc");
        return head;
    }
}
