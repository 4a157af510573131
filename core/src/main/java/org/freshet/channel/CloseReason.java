package org.freshet.channel;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Why a channel was closed, and by whom. Immutable.
 *
 * <p>A channel keeps the first reason that it is given. {@link Channel#getCloseReason()} returns it, and what is written afterwards
 * fails with a {@link ChannelClosedException} that has it.
 */
public final class CloseReason implements Serializable {
    /** What closed a channel. */
    public enum Kind {
        /** This side called {@link Channel#close()}. */
        LOCAL("this side closed the channel"),
        /** Each side has ended its output. */
        COMPLETED("both sides ended their output"),
        /** The peer ended the connection in order. */
        PEER_CLOSED("the peer closed the connection"),
        /** The peer, or what is between, broke the connection off. */
        PEER_RESET("the peer reset the connection"),
        /** Receiving failed for another reason. */
        READ_FAILED("receiving failed"),
        /** Sending failed for another reason. */
        WRITE_FAILED("sending failed"),
        /** An Error kept the I/O thread from going on with the channel. */
        HANDLER_FAILED("an error stopped the work on the channel"),
        /** A client could not connect, or not in time. */
        CONNECT_FAILED("the connection could not be made"),
        /** A server could not be bound. */
        BIND_FAILED("the address could not be bound"),
        /** A limit of time passed, such as for an idle connection or a TLS handshake. */
        TIMED_OUT("a time limit was exceeded"),
        /** A limit or a filter did not let the connection in. */
        REFUSED("the connection was refused"),
        /** More waited to be sent than was allowed. */
        OVERFLOW("too much waited to be sent"),
        /** The peer broke the rules of the protocol, or exceeded its limits. */
        PROTOCOL("the peer violated the protocol"),
        /** TLS failed: an alert, a bad certificate, a truncated stream. */
        TLS("TLS failed"),
        /** The server finished its connections in order to stop. */
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

    /** What a bare {@link Channel#close()} stands for. */
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

    /** A reason with neither detail nor cause; the same object for the same kind, so that this never fails. */
    public static CloseReason of(Kind kind) {
        return PLAIN.get(Objects.requireNonNull(kind, "kind"));
    }

    /**
     * A reason with a sentence for the log, such as {@code "more than 64 connections from 10.0.0.7"}.
     *
     * @param detail may be null
     */
    public static CloseReason of(Kind kind, String detail) {
        return of(kind, detail, null);
    }

    /**
     * As the others, with the exception that led to the close.
     *
     * @param detail may be null
     * @param cause may be null
     */
    public static CloseReason of(Kind kind, String detail, Throwable cause) {
        Objects.requireNonNull(kind, "kind");
        return detail == null && cause == null ? of(kind) : new CloseReason(kind, detail, cause);
    }

    /**
     * The reason for a failure to receive or to send: {@link Kind#PEER_RESET} if {@code cause} is how the system reports a connection that
     * was broken off, else of the given kind.
     */
    public static CloseReason ofFailure(Kind kind, Throwable cause) {
        return new CloseReason(LostConnection.isReset(cause) ? Kind.PEER_RESET : kind, null, cause);
    }

    /** What closed the channel. */
    public Kind kind() {
        return kind;
    }

    /** More about it, for people; null if there is no more to say. */
    public String detail() {
        return detail;
    }

    /** The exception that led to the close; null if none did. */
    public Throwable cause() {
        return cause;
    }

    /** A sentence without the kind: {@code the peer reset the connection (java.io.IOException: Broken pipe)}. */
    public String text() {
        String text = detail == null ? kind.text : kind.text + ": " + detail;
        return cause == null ? text : text + " (" + cause + ')';
    }

    /** The kind and the {@link #text()}. */
    @Override
    public String toString() {
        return kind + ": " + text();
    }
}
