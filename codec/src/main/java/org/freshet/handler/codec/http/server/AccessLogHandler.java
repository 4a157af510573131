package org.freshet.handler.codec.http.server;

import java.net.SocketAddress;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureProgressListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpServerExchanges;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Writes a line for each request once the last byte of its answer was sent, or the connection closed without that. Requests
 * that the codec refused have a line, too.
 *
 * <pre>{@code
 * pipeline.addLast("codec", new HttpServerCodec());
 * pipeline.addLast("log", new AccessLogHandler(AccessLogFormat.combined()));
 * }</pre>
 *
 * <p>The line is made and taken on the thread that finds the answer sent, which is mostly the channel's I/O thread: the
 * consumer must not block. What the format or the consumer throws is logged once, and changes nothing else.
 *
 * <p>One instance a pipeline, directly behind the codec, or behind the compressor to count bytes before compression.
 */
public final class AccessLogHandler extends ExchangeHandler<AccessLogHandler.Exchange> {
    /** The logger's name, unless a consumer is given: {@value}. It is written to at INFO. */
    public static final String LOGGER_NAME = "org.freshet.access";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(AccessLogHandler.class);

    private static final AtomicBoolean failureLogged = new AtomicBoolean();

    private final AccessLogFormat format;
    private final Consumer<String> lines;

    /** To the logger {@value #LOGGER_NAME}. */
    public AccessLogHandler(AccessLogFormat format) {
        this(format, InternalLoggerFactory.getInstance(LOGGER_NAME)::info);
    }

    /** @param lines gets each line without its end; several threads may call it at a time */
    public AccessLogHandler(AccessLogFormat format, Consumer<String> lines) {
        this.format = Objects.requireNonNull(format, "format");
        this.lines = Objects.requireNonNull(lines, "lines");
    }

    /** A request and what was seen of its answer. */
    static final class Exchange {
        private final HttpRequest request;
        private final String failure;
        private final Instant received = Instant.now();
        private final long receivedNanos = System.nanoTime();
        private final SocketAddress remoteAddress;

        /** Null without a request. */
        private final String protocol;

        private final AtomicLong sentBytes = new AtomicLong();
        private final AtomicBoolean written = new AtomicBoolean();
        private volatile int status;

        private Exchange(Channel channel, HttpRequest request, String failure) {
            remoteAddress = channel.getRemoteAddress();
            protocol = request == null ? null : protocolOf(channel, request);
            this.request = request;
            this.failure = failure;
        }

        /** The messages of an HTTP/2 stream say that they are HTTP/1.1. */
        private static String protocolOf(Channel channel, HttpRequest request) {
            return channel instanceof HttpServerExchanges.Carrier carrier
                    ? carrier.wireProtocol()
                    : request.getProtocolVersion().getText();
        }

        private boolean isHead() {
            return request != null && HttpMethod.HEAD.equals(request.getMethod());
        }

        private AccessLogEntry toEntry(boolean complete) {
            HttpHeaders headers = request == null ? HttpHeaders.EMPTY_HEADERS : request.headers();
            return new AccessLogEntry(
                    remoteAddress,
                    received,
                    System.nanoTime() - receivedNanos,
                    request == null ? null : request.getMethod().getName(),
                    request == null ? null : request.getUri(),
                    protocol,
                    status,
                    sentBytes.get(),
                    complete,
                    headers.get(Names.HOST),
                    headers.get(Names.REFERER),
                    headers.get(Names.USER_AGENT),
                    failure);
        }
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent received && received.getMessage() instanceof HttpRequest request) {
            expect(ctx, new Exchange(ctx.getChannel(), request, null), request);
        } else if (e instanceof ExceptionEvent caught && caught.getCause() instanceof HttpFailure failure) {
            // Its answer is the last of the connection, and counts as that of a request.
            exchanges.expect(new Exchange(ctx.getChannel(), null, failure.getMessage()), false);
        } else if (e instanceof ChannelStateEvent change
                && change.getState() == ChannelState.OPEN
                && !ctx.getChannel().isOpen()) {
            logUnanswered();
        }
        ctx.sendUpstream(e);
    }

    @Override
    void onWrite(ChannelHandlerContext ctx, MessageEvent write, Exchange exchange, boolean last) throws Exception {
        if (exchange != null) {
            Object message = write.getMessage();
            if (message instanceof HttpResponse response) {
                exchange.status = response.getStatus().getCode();
            }
            long bytes = exchange.isHead() ? 0 : contentBytes(message);
            write.getFuture().addListener(new Sending(exchange, bytes, last));
        }
        ctx.sendDownstream(write);
    }

    private static long contentBytes(Object message) {
        if (message instanceof HttpMessage whole) {
            return whole.getContent().readableBytes();
        }
        return message instanceof HttpChunk chunk
                ? chunk.getContent().readableBytes()
                : ResponseTracker.sizeOf(message);
    }

    /** One message of an answer on its way. Its future's listeners are called one after the other. */
    private final class Sending implements ChannelFutureProgressListener {
        private final Exchange exchange;
        private final long bytes;
        private final boolean last;

        /** Of a file region, whose progress is told. */
        private long countedBytes;

        Sending(Exchange exchange, long bytes, boolean last) {
            this.exchange = exchange;
            this.bytes = bytes;
            this.last = last;
        }

        @Override
        public void operationProgressed(ChannelFuture sent, long amount, long current, long total) {
            count(Math.min(current, bytes));
        }

        @Override
        public void operationComplete(ChannelFuture sent) {
            if (sent.isSuccess()) {
                count(bytes);
            }
            if (last || !sent.isSuccess()) {
                log(exchange, sent.isSuccess());
            }
        }

        private void count(long sentBytes) {
            exchange.sentBytes.addAndGet(sentBytes - countedBytes);
            countedBytes = sentBytes;
        }
    }

    private void logUnanswered() {
        for (Exchange next = exchanges.abandon(); next != null; next = exchanges.abandon()) {
            log(next, false);
        }
    }

    private void log(Exchange exchange, boolean complete) {
        if (!exchange.written.compareAndSet(false, true)) {
            return;
        }
        try {
            String line = format.format(exchange.toEntry(complete));
            if (line != null) {
                lines.accept(line);
            }
        } catch (Throwable e) { // of the user's code; it must not fail the connection
            if (failureLogged.compareAndSet(false, true)) {
                logger.warn("a line of the access log is lost, and others may be; said once", e);
            }
        }
    }
}
