package org.freshet.example.grpc;

import com.google.protobuf.MessageLite;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/**
 * What a server answers a call: messages, and a status. For any thread, one after the other.
 *
 * <pre>
 *   NEW ----&gt; OPEN (after the first message) ----&gt; ENDED
 *    '------ a status alone -----------------------&gt;'
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
    private volatile State state = State.NEW;

    GrpcReplies(Channel stream, HttpHeaders metadata) {
        this.stream = stream;
        this.metadata = metadata;
    }

    /** What the client has sent with the call besides messages. */
    public HttpHeaders metadata() {
        return metadata;
    }

    /** What is sent before the first message. */
    public HttpHeaders headers() {
        return headers;
    }

    /** What is sent with the status. */
    public HttpHeaders trailers() {
        return trailers;
    }

    /** Whether the client reads as fast as messages are sent; see {@code channelInterestChanged}. */
    public boolean isWritable() {
        return stream.isWritable();
    }

    boolean hasEnded() {
        return state == State.ENDED;
    }

    /** Sends a message, unless the call has ended. */
    public void send(MessageLite message) {
        if (state == State.ENDED) {
            return;
        }
        if (state == State.NEW) {
            state = State.OPEN;
            HttpResponse head = head();
            head.setChunked(true);
            stream.write(head);
        }
        stream.write(new DefaultHttpChunk(GrpcMessages.frame(message)));
    }

    /** Ends the call; only the first status counts. Returns when that has left. */
    public ChannelFuture end(GrpcStatus status) {
        State before = state;
        state = State.ENDED;
        if (before == State.OPEN) {
            HttpChunkTrailer end = new DefaultHttpChunkTrailer();
            end.trailingHeaders().add(trailers);
            status.addTo(end.trailingHeaders());
            return stream.write(end);
        }
        if (before == State.NEW) {
            HttpResponse alone = head(); // "trailers-only": the head ends the stream
            alone.headers().add(trailers);
            status.addTo(alone.headers());
            return stream.write(alone);
        }
        return Channels.succeededFuture(stream);
    }

    private HttpResponse head() {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().add(headers);
        head.headers().set(HttpHeaders.Names.CONTENT_TYPE, "application/grpc");
        return head;
    }
}
