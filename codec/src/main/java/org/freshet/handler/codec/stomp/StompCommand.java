package org.freshet.handler.codec.stomp;

import java.nio.charset.StandardCharsets;

/** The commands of all versions. {@link #name()} is the text on the wire. */
public enum StompCommand {
    CONNECT,
    /** The same as {@link #CONNECT}, since version 1.1. */
    STOMP,
    CONNECTED,
    SEND,
    SUBSCRIBE,
    UNSUBSCRIBE,
    ACK,
    NACK,
    BEGIN,
    COMMIT,
    ABORT,
    DISCONNECT,
    MESSAGE,
    RECEIPT,
    ERROR;

    private static final StompCommand[] ALL = values();

    private final byte[] bytes = name().getBytes(StandardCharsets.US_ASCII);

    /** Returns whether frames with this command may have content in versions 1.1 and 1.2; in 1.0 all may. */
    public boolean mayHaveContent() {
        return this == SEND || this == MESSAGE || this == ERROR;
    }

    /** Returns whether this command opens a connection, from either side. Such frames have no escapes. */
    public boolean opensConnection() {
        return compareTo(CONNECTED) <= 0;
    }

    int length() {
        return bytes.length;
    }

    int write(byte[] array, int at) {
        System.arraycopy(bytes, 0, array, at, bytes.length);
        return at + bytes.length;
    }

    /** Returns null if the bytes are not a command. */
    static StompCommand of(byte[] array, int start, int length) {
        for (StompCommand command : ALL) {
            if (command.equalsBytes(array, start, length)) {
                return command;
            }
        }
        return null;
    }

    private boolean equalsBytes(byte[] array, int start, int length) {
        if (length != bytes.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (array[start + i] != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
