package org.freshet.channel;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.freshet.internal.SafeText;

/**
 * Why a channel was closed, and which side or event closed it. Immutable.
 *
 * <p>A channel keeps the first reason it is given. {@link Channel#getCloseReason()} returns it, and later writes fail with a
 * {@link ChannelClosedException} that contains it.
 */
public final class CloseReason implements Serializable {
    /** The kinds of events that close a channel. */
    public enum Kind {
        /** This side called {@link Channel#close()}. */
        LOCAL("this side closed the channel"),
        /** Each side has ended its output. */
        COMPLETED("both sides ended their output"),
        /** The peer ended the connection in an orderly way. */
        PEER_CLOSED("the peer closed the connection"),
        /** The peer or the network aborted the connection. */
        PEER_RESET("the peer reset the connection"),
        /** Receiving failed for another reason. */
        READ_FAILED("receiving failed"),
        /** Sending failed for another reason. */
        WRITE_FAILED("sending failed"),
        /** An Error prevented the I/O thread from continuing with the channel. */
        HANDLER_FAILED("an error stopped the work on the channel"),
        /** A client could not connect, or not in time. */
        CONNECT_FAILED("the connection could not be made"),
        /** A server could not be bound. */
        BIND_FAILED("the address could not be bound"),
        /** A time limit passed, such as for an idle connection or a TLS handshake. */
        TIMED_OUT("a time limit was exceeded"),
        /** A limit or filter refused the connection. */
        REFUSED("the connection was refused"),
        /** More waited to be sent than was allowed. */
        OVERFLOW("too much waited to be sent"),
        /** The peer broke the rules of the protocol, or exceeded its limits. */
        PROTOCOL("the peer violated the protocol"),
        /** TLS failed: an alert, a bad certificate, a truncated stream. */
        TLS("TLS failed"),
        /** The server was drained: it let its connections finish in order to stop. */
        DRAINED("the connection was drained"),
        /** The channel factory was shut down. */
        SHUTDOWN("the I/O threads were shut down");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    private static final long serialVersionUID = 1L;

    private static final Map<Kind, CloseReason> PLAIN = new EnumMap<>(Kind.class);

    static {
        for (Kind kind : Kind.values()) {
            PLAIN.put(kind, new CloseReason(kind, null, null));
        }
    }

    /** The reason for a plain {@link Channel#close()}. */
    public static final CloseReason LOCAL = of(Kind.LOCAL);

    /** See {@link Kind#COMPLETED}. */
    public static final CloseReason COMPLETED = of(Kind.COMPLETED);

    /** See {@link Kind#PEER_CLOSED}. */
    public static final CloseReason PEER_CLOSED = of(Kind.PEER_CLOSED);

    /** See {@link Kind#SHUTDOWN}. */
    public static final CloseReason SHUTDOWN = of(Kind.SHUTDOWN);

    private final Kind kind;
    private final String detail;
    private final Throwable cause;

    private CloseReason(Kind kind, String detail, Throwable cause) {
        this.kind = kind;
        this.detail = detail;
        this.cause = cause;
    }

    /** Returns a reason without detail or cause: always the same object for a kind, so this never fails. */
    public static CloseReason of(Kind kind) {
        return PLAIN.get(Objects.requireNonNull(kind, "kind"));
    }

    /**
     * Returns a reason with a sentence for the log, such as {@code "more than 64 connections from 10.0.0.7"}.
     *
     * @param detail may be null
     */
    public static CloseReason of(Kind kind, String detail) {
        return of(kind, detail, null);
    }

    /**
     * Returns a reason with a sentence for the log and the exception that led to the close.
     *
     * @param detail may be null
     * @param cause may be null
     */
    public static CloseReason of(Kind kind, String detail, Throwable cause) {
        Objects.requireNonNull(kind, "kind");
        return detail == null && cause == null ? of(kind) : new CloseReason(kind, detail, cause);
    }

    /**
     * Returns the reason for a failure to receive or to send: {@link Kind#PEER_RESET} if {@code cause} is an exception by which the system
     * reports an aborted connection, otherwise the given kind.
     */
    public static CloseReason ofFailure(Kind kind, Throwable cause) {
        return new CloseReason(LostConnection.isReset(cause) ? Kind.PEER_RESET : kind, null, cause);
    }

    /** Returns the kind of event that closed the channel. */
    public Kind kind() {
        return kind;
    }

    /** Returns more about it, for people; null if there is nothing to add. */
    public String detail() {
        return detail;
    }

    /** Returns the exception that led to the close; null if it was not caused by an exception. */
    public Throwable cause() {
        return cause;
    }

    /** Returns a sentence without the kind's name: {@code the peer reset the connection (java.io.IOException: Broken pipe)}. */
    public String text() {
        String text = detail == null ? kind.text : kind.text + ": " + detail;
        return cause == null ? text : text + " (" + SafeText.of(cause) + ')';
    }

    /** The kind and the {@link #text()}. */
    @Override
    public String toString() {
        return kind + ": " + text();
    }
}
