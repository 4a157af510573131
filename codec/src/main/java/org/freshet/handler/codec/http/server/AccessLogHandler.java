package org.freshet.handler.codec.http.server;

import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureProgressListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OriginalAddress;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.internal.ExchangesLink;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Writes a line for each request, when the last byte of its response has been sent, or the connection closes before.
 * Requests that the codec refused also get a line.
 *
 * <pre>{@code
 * pipeline.addLast("codec", new HttpServerCodec());
 * pipeline.addLast("log", new AccessLogHandler(AccessLogFormat.combined()));
 * }</pre>
 *
 * <p>The format and the consumer are called on the thread that completes the response, usually the channel's I/O
 * thread, so they must not block. If one of them throws, this is logged once and changes nothing else.
 *
 * <p>Use one instance per pipeline. Put it right after the codec, or after the compressor to count bytes before
 * compression.
 */
@ActsOn(EventKind.CLOSED)
public final class AccessLogHandler extends SimpleChannelHandler {
    /** The name of the logger used if no consumer is given: {@value}. Lines are logged at INFO. */
    public static final String LOGGER_NAME = "org.freshet.access";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(AccessLogHandler.class);

    private static final AtomicBoolean failureLogged = new AtomicBoolean();

    private final ExchangesLink links = new ExchangesLink();
    private final AccessLogFormat format;
    private final Consumer<String> lines;

    /** Writes to the logger {@value #LOGGER_NAME}. */
    public AccessLogHandler(AccessLogFormat format) {
        this(format, InternalLoggerFactory.getInstance(LOGGER_NAME)::info);
    }

    /** @param lines called with each line, without its end; several threads may call it at the same time */
    public AccessLogHandler(AccessLogFormat format, Consumer<String> lines) {
        this.format = Objects.requireNonNull(format, "format");
        this.lines = Objects.requireNonNull(lines, "lines");
    }

    /** The data for one line. */
    private static final class Record {
        /** Null if the head was refused. */
        private final HttpRequest request;

        private final Instant received = Instant.now();
        private final long receivedNanos = System.nanoTime();
        private final SocketAddress remoteAddress;
        private final SocketAddress clientAddress;

        /** Null if there is no request. */
        private final String protocol;

        private final AtomicLong sentBytes = new AtomicLong();
        private final AtomicBoolean written = new AtomicBoolean();
        private volatile String failure;
        private volatile int status;

        private Record(Channel channel, Exchange exchange, HttpRequest request) {
            remoteAddress = channel.getRemoteAddress();
            RequestSource forwarded = RequestSource.forwarded(exchange);
            clientAddress = forwarded == null ? OriginalAddress.of(channel) : forwarded.address();
            protocol = request == null ? null : protocolOf(channel, request);
            this.request = request;
        }

        /** Needed because the messages of an HTTP/2 stream call themselves HTTP/1.1. */
        private static String protocolOf(Channel channel, HttpRequest request) {
            return channel instanceof Exchanges.Carrier carrier
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
                    clientAddress,
                    received,
                    Duration.ofNanos(System.nanoTime() - receivedNanos),
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

    // ---- events ----

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent received && received.getMessage() instanceof HttpRequest request) {
            Exchange exchange = links.of(ctx).of(request);
            if (exchange != null) {
                exchange.attach(this, new Record(ctx.getChannel(), exchange, request));
            }
        } else if (e instanceof ExceptionEvent caught && caught.getCause() instanceof HttpFailure failure) {
            noteFailure(ctx, failure);
        } else if (e instanceof ChannelStateEvent change
                && change.getState() == ChannelState.OPEN
                && !ctx.getChannel().isOpen()) {
            logUnanswered(links.of(ctx));
        }
        ctx.sendUpstream(e);
    }

    /**
     * Notes a failure for the newest request, unless it was answered. A refused head has its own exchange, and so its
     * own line.
     */
    private void noteFailure(ChannelHandlerContext ctx, HttpFailure failure) {
        Exchange newest = links.of(ctx).newest();
        if (newest == null || newest.isDone()) {
            return;
        }
        if (newest.attachment(this) == null) {
            newest.attach(this, new Record(ctx.getChannel(), newest, newest.getRequest()));
        }
        ((Record) newest.attachment(this)).failure = failure.getMessage();
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent write) throws Exception {
        Exchange exchange = links.of(ctx).current();
        Object message = write.getMessage();
        if (exchange == null
                || !(exchange.attachment(this) instanceof Record record)
                || message instanceof HttpResponse response && isInterim(response)) {
            ctx.sendDownstream(write);
            return;
        }
        int statusBefore = record.status;
        if (message instanceof HttpResponse response) {
            record.status = response.getStatus().getCode();
        }
        Sending sending = new Sending(record, record.isHead() ? 0 : contentBytes(message));
        write.getFuture().addListener(sending);
        ctx.sendDownstream(write);
        if (exchange.isAwaited()) {
            record.status = statusBefore; // the response could not be encoded, and another may follow
        } else {
            sending.onPassed(exchange.isDone());
        }
    }

    private static boolean isInterim(HttpResponse response) {
        int code = response.getStatus().getCode();
        return code < 200 && code != 101;
    }

    private static long contentBytes(Object message) {
        if (message instanceof HttpMessage whole) {
            return whole.getContent().readableBytes();
        }
        return message instanceof HttpChunk chunk ? chunk.getContent().readableBytes() : sizeOf(message);
    }

    private static long sizeOf(Object message) {
        if (message instanceof ChannelBuffer buffer) {
            return buffer.readableBytes();
        }
        return message instanceof FileRegion region ? region.getCount() : 0;
    }

    /** One message of a response on its way. The listeners of its future are called one after the other. */
    private final class Sending implements ChannelFutureProgressListener {
        private final Record record;
        private final long bytes;

        /** Bytes of a file region already counted, since its progress is reported. */
        private long countedBytes;

        /** Whether the codec has taken the message; only then is it known whether it is the last. Guarded by this. */
        private boolean isPassed;

        private boolean isLast;

        /** Null until the message was sent, or failed. Guarded by this. */
        private ChannelFuture done;

        Sending(Record record, long bytes) {
            this.record = record;
            this.bytes = bytes;
        }

        void onPassed(boolean isLastOfAnswer) {
            synchronized (this) {
                isPassed = true;
                isLast = isLastOfAnswer;
            }
            logIfDone();
        }

        private void logIfDone() {
            ChannelFuture sent;
            synchronized (this) {
                sent = isPassed ? done : null;
            }
            if (sent != null && (isLast || !sent.isSuccess())) {
                log(record, sent.isSuccess());
            }
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
            synchronized (this) {
                done = sent;
            }
            logIfDone();
        }

        private void count(long sentBytes) {
            record.sentBytes.addAndGet(sentBytes - countedBytes);
            countedBytes = sentBytes;
        }
    }

    private void logUnanswered(Exchanges exchanges) {
        exchanges.forEachOpen(exchange -> {
            if (exchange.attachment(this) instanceof Record record) {
                log(record, false);
            }
        });
    }

    private void log(Record record, boolean complete) {
        if (!record.written.compareAndSet(false, true)) {
            return;
        }
        try {
            String line = format.format(record.toEntry(complete));
            if (line != null) {
                lines.accept(line);
            }
        } catch (Throwable e) { // thrown by the user's code, which must not fail the connection
            if (failureLogged.compareAndSet(false, true)) {
                logger.warn("a line of the access log was lost, and more may be; this is logged once", e);
            }
        }
    }
}
