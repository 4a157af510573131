package org.freshet.testkit.matrix;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.websocketx.BinaryWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketHandshakeEvent;
import org.freshet.handler.codec.spdy.DefaultSpdyDataFrame;
import org.freshet.handler.codec.spdy.DefaultSpdySynReplyFrame;
import org.freshet.handler.codec.spdy.DefaultSpdySynStreamFrame;
import org.freshet.handler.codec.spdy.SpdyDataFrame;
import org.freshet.handler.codec.spdy.SpdySynReplyFrame;
import org.freshet.handler.codec.spdy.SpdySynStreamFrame;
import org.freshet.handler.codec.stomp.StompChunk;
import org.freshet.handler.codec.stomp.StompCommand;
import org.freshet.handler.codec.stomp.StompFrame;

/**
 * The messages that handlers at some position of a pipeline exchange, and how an application sends content with them: a
 * reader asks, a writer answers.
 */
enum Kind {
    BYTES {
        @Override
        Object message(ChannelBuffer content) {
            return content;
        }

        @Override
        ChannelBuffer content(Object message) {
            return (ChannelBuffer) message;
        }
    },
    TEXT {
        @Override
        Object message(ChannelBuffer content) {
            return content.toString(ISO_8859_1);
        }

        @Override
        ChannelBuffer content(Object message) {
            return ChannelBuffers.copiedBuffer((String) message, ISO_8859_1);
        }
    },
    /** One answer, whose chunks are the messages. */
    HTTP {
        @Override
        Object message(ChannelBuffer content) {
            return new DefaultHttpChunk(content);
        }

        @Override
        ChannelBuffer content(Object message) {
            return message instanceof HttpChunk chunk ? chunk.getContent() : ((HttpMessage) message).getContent();
        }

        @Override
        Object question() {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
            HttpHeaders.setHost(request, "simulated");
            request.headers().set(HttpHeaders.Names.ACCEPT_ENCODING, "gzip");
            return request;
        }

        @Override
        List<Object> head() {
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.setChunked(true);
            HttpHeaders.setTransferEncodingChunked(response);
            response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain");
            return List.of(response);
        }

        @Override
        List<Object> tail() {
            return List.of(HttpChunk.LAST_CHUNK);
        }
    },
    /** Of WebSocket. */
    FRAMES {
        @Override
        Object message(ChannelBuffer content) {
            return new BinaryWebSocketFrame(content);
        }

        @Override
        ChannelBuffer content(Object message) {
            return message instanceof BinaryWebSocketFrame frame ? frame.getBinaryData() : ChannelBuffers.EMPTY_BUFFER;
        }

        @Override
        boolean mayAsk(ChannelEvent e) {
            return e instanceof WebSocketHandshakeEvent;
        }
    },
    /** One stream. */
    SPDY {
        @Override
        Object message(ChannelBuffer content) {
            SpdyDataFrame frame = new DefaultSpdyDataFrame(1);
            frame.setData(content);
            return frame;
        }

        @Override
        ChannelBuffer content(Object message) {
            return message instanceof SpdyDataFrame frame ? frame.getData() : ChannelBuffers.EMPTY_BUFFER;
        }

        @Override
        Object question() {
            SpdySynStreamFrame question = new DefaultSpdySynStreamFrame(1, 0, (byte) 0);
            question.headers().add("name", "value");
            question.setLast(true);
            return question;
        }

        @Override
        List<Object> head() {
            SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(1);
            reply.headers().add("name", "value");
            return List.of(reply);
        }

        @Override
        List<Object> tail() {
            SpdyDataFrame last = new DefaultSpdyDataFrame(1);
            last.setLast(true);
            return List.of(last);
        }
    },
    STOMP {
        @Override
        Object message(ChannelBuffer content) {
            StompFrame frame = new StompFrame(StompCommand.MESSAGE);
            frame.headers().add("destination", "/a");
            return frame.setContent(content);
        }

        @Override
        ChannelBuffer content(Object message) {
            return message instanceof StompFrame frame ? frame.content() : ((StompChunk) message).content();
        }
    };

    /** Its first byte is the number of the writing thread, so this is not a message. */
    private static final byte[] QUESTION = {'?'};

    /** Converts content to a writer's message. */
    abstract Object message(ChannelBuffer content);

    /** Extracts content from a message for a reader; empty if it has none. */
    abstract ChannelBuffer content(Object message);

    /** The first message from a reader. */
    Object question() {
        return message(ChannelBuffers.copiedBuffer(QUESTION));
    }

    /** Whether a reader may send its request from this event on. */
    boolean mayAsk(ChannelEvent e) {
        return e instanceof ChannelStateEvent change
                && change.getState() == ChannelState.CONNECTED
                && change.getValue() != null;
    }

    /** Sent before the messages. */
    List<Object> head() {
        return List.of();
    }

    /** Sent after all messages. */
    List<Object> tail() {
        return List.of();
    }
}
