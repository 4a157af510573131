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
public final class AccessLogHandler extends SimpleChannelHandler {
    /** The logger's name, unless a consumer is given: {@value}. It is written to at INFO. */
    public static final String LOGGER_NAME = "org.freshet.access";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(AccessLogHandler.class);

    private static final AtomicBoolean failureLogged = new AtomicBoolean();

    private final ExchangesLink links = new ExchangesLink();
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

    /** What a line says of an exchange. */
    private static final class Record {
        /** Null if its head was refused. */
        private final HttpRequest request;

        private final Instant received = Instant.now();
        private final long receivedNanos = System.nanoTime();
        private final SocketAddress remoteAddress;
        private final SocketAddress clientAddress;

        /** Null without a request. */
        private final String protocol;

        private final AtomicLong sentBytes = new AtomicLong();
        private final AtomicBoolean written = new AtomicBoolean();
        private volatile String failure;
        private volatile int status;

        private Record(Channel channel, Exchange exchange, HttpRequest request) {
            remoteAddress = channel.getRemoteAddress();
            RequestSource told = RequestSource.told(exchange);
            clientAddress = told == null ? OriginalAddress.of(channel) : told.address();
            protocol = request == null ? null : protocolOf(channel, request);
            this.request = request;
        }

        /** The messages of an HTTP/2 stream say that they are HTTP/1.1. */
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

    /** Of the newest request, unless that was answered. A head that was refused has an exchange of its own, and so a line. */
    private void noteFailure(ChannelHandlerContext ctx, HttpFailure failure) {
        Exchange newest = links.of(ctx).newest();
        if (newest == null || newest.isOver()) {
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
            record.status = statusBefore; // it could not be encoded, and another may follow
        } else {
            sending.onPassed(exchange.isOver());
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

    /** One message of an answer on its way. Its future's listeners are called one after the other. */
    private final class Sending implements ChannelFutureProgressListener {
        private final Record record;
        private final long bytes;

        /** Of a file region, whose progress is reported. */
        private long countedBytes;

        /** Whether the codec has taken the message, so that it is known whether it is the last. Under the lock. */
        private boolean isPassed;

        private boolean isLast;

        /** Null until it was sent, or that failed. Under the lock. */
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
        } catch (Throwable e) { // of the user's code; it must not fail the connection
            if (failureLogged.compareAndSet(false, true)) {
                logger.warn("a line of the access log is lost, and others may be; said once", e);
            }
        }
    }
}
