package org.freshet.handler.logging;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.PassesMessagesOn;
import org.freshet.logging.InternalLogLevel;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Logs every event in either direction and passes it on: one log message per event, with the channel, the event, the
 * bytes of a buffer and the stack trace of an exception. Costs next to nothing while its level is off.
 *
 * <p>Its place decides what is logged: the bytes on the wire next to the transport, decoded messages further up. Bytes
 * may contain secrets, so restrict access to the log.
 */
@Sharable
@PassesMessagesOn
public class LoggingHandler implements ChannelUpstreamHandler, ChannelDownstreamHandler {
    private static final InternalLogLevel DEFAULT_LEVEL = InternalLogLevel.DEBUG;

    private final InternalLogger logger;
    private final InternalLogLevel level;
    private final boolean hexDump;

    /** Logs under the name of this class at level DEBUG, with hex dumps. */
    public LoggingHandler() {
        this(true);
    }

    /** Logs under the name of this class, with hex dumps. */
    public LoggingHandler(InternalLogLevel level) {
        this(level, true);
    }

    /** Logs under the name of this class at level DEBUG. */
    public LoggingHandler(boolean hexDump) {
        this(DEFAULT_LEVEL, hexDump);
    }

    /** Logs under the name of this class. */
    public LoggingHandler(InternalLogLevel level, boolean hexDump) {
        this(LoggingHandler.class, level, hexDump);
    }

    /** Logs under the name of a class at level DEBUG, with hex dumps. */
    public LoggingHandler(Class<?> type) {
        this(type, true);
    }

    /** Logs under the name of a class at level DEBUG. */
    public LoggingHandler(Class<?> type, boolean hexDump) {
        this(type, DEFAULT_LEVEL, hexDump);
    }

    /** Logs under the name of a class, with hex dumps. */
    public LoggingHandler(Class<?> type, InternalLogLevel level) {
        this(type, level, true);
    }

    /** Logs under the name of a class. */
    public LoggingHandler(Class<?> type, InternalLogLevel level, boolean hexDump) {
        this(type.getName(), level, hexDump);
    }

    /** Logs under a name at level DEBUG, with hex dumps. */
    public LoggingHandler(String name) {
        this(name, true);
    }

    /** Logs under a name at level DEBUG. */
    public LoggingHandler(String name, boolean hexDump) {
        this(name, DEFAULT_LEVEL, hexDump);
    }

    /**
     * Creates a handler.
     *
     * @param name the logger's name
     * @param hexDump whether to add the readable bytes of buffers, up to 64 KiB each
     */
    public LoggingHandler(String name, InternalLogLevel level, boolean hexDump) {
        this.level = Objects.requireNonNull(level, "level");
        this.logger = InternalLoggerFactory.getInstance(name);
        this.hexDump = hexDump;
    }

    public InternalLogger getLogger() {
        return logger;
    }

    public InternalLogLevel getLevel() {
        return level;
    }

    /** Logs one event, if the level is on. Override it to filter events or change their text. */
    public void log(ChannelEvent e) {
        if (!logger.isEnabled(level)) {
            return;
        }
        String text = e.toString();
        if (hexDump && e instanceof MessageEvent message && message.getMessage() instanceof ChannelBuffer buffer) {
            text += HexTable.of(buffer);
        }
        if (e instanceof ExceptionEvent exception) {
            logger.log(level, text, exception.getCause());
        } else {
            logger.log(level, text);
        }
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        log(e);
        ctx.sendUpstream(e);
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        log(e);
        ctx.sendDownstream(e);
    }
}
