package org.freshet.microbench.compare.load;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.freshet.handler.codec.serialization.ObjectEncoderOutputStream;

/**
 * The wire format of objects: the client sends an Integer, the server answers with a String that contains its number.
 *
 * <p>All objects of a kind have the same length and differ only in their last bytes, so a client can compare bytes
 * instead of deserializing. Any thread.
 */
public enum ObjectDialect {
    /** One Java stream in each direction, reset between objects. */
    STREAM {
        @Override
        byte[] bytesOf(Object object) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(object);
            }
            return Arrays.copyOfRange(bytes.toByteArray(), STREAM_HEADER.length, bytes.size());
        }

        @Override
        byte[] opening() {
            return STREAM_HEADER;
        }

        @Override
        byte[] separator() {
            return RESET;
        }
    },
    /** The same, from a server that also resets its stream before the first object. */
    STREAM_RESET_FIRST {
        @Override
        byte[] bytesOf(Object object) throws IOException {
            return STREAM.bytesOf(object);
        }

        @Override
        byte[] opening() {
            return STREAM.opening();
        }

        @Override
        byte[] openingOfServer() {
            return ByteBuffer.allocate(STREAM_HEADER.length + RESET.length)
                    .put(STREAM_HEADER)
                    .put(RESET)
                    .array();
        }

        @Override
        byte[] separator() {
            return STREAM.separator();
        }
    },
    /** Each object separately, after its length: Netty 3's and Freshet's object codec. */
    FRAMED {
        @Override
        byte[] bytesOf(Object object) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectEncoderOutputStream out = new ObjectEncoderOutputStream(bytes)) {
                out.writeObject(object);
            }
            return bytes.toByteArray();
        }

        @Override
        byte[] opening() {
            return NOTHING;
        }

        @Override
        byte[] separator() {
            return NOTHING;
        }
    };

    /** The number that the server sends when it has accepted a connection. */
    public static final int GREETING = 0;

    /** The classes that a server may deserialize, in the JDK's filter syntax. */
    public static final String FILTER = "java.lang.Integer;java.lang.Number;!*";

    private static final int MAX_NUMBER = 999_999_999;
    private static final int DIGITS = 10;
    private static final byte[] NOTHING = {};
    private static final byte[] STREAM_HEADER = ByteBuffer.allocate(4)
            .putShort(ObjectStreamConstants.STREAM_MAGIC)
            .putShort(ObjectStreamConstants.STREAM_VERSION)
            .array();
    private static final byte[] RESET = {ObjectStreamConstants.TC_RESET};

    /** Returns the answer to {@code number}, which is 0 to 999,999,999. */
    public static String answerTo(int number) {
        return "test" + (MAX_NUMBER + 1 + number);
    }

    abstract byte[] bytesOf(Object object) throws IOException;

    /** Returns the bytes that the client sends before its first object. */
    abstract byte[] opening();

    /** Returns the bytes that the server sends before its first object. */
    byte[] openingOfServer() {
        return opening();
    }

    /** Returns the bytes that each side sends between two objects. */
    abstract byte[] separator();

    /** Returns the bytes of an Integer; {@link #setNumber} sets its value. */
    byte[] question() {
        return serialized(GREETING);
    }

    /** Returns the bytes of an answer; {@link #setAnswered} sets its number. */
    byte[] answer() {
        return serialized(answerTo(GREETING));
    }

    private byte[] serialized(Object object) {
        try {
            return bytesOf(object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void setNumber(byte[] question, int number) {
        ByteBuffer.wrap(question).putInt(question.length - Integer.BYTES, number);
    }

    static void setAnswered(byte[] answer, int number) {
        byte[] digits = Integer.toString(MAX_NUMBER + 1 + number).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(digits, 0, answer, answer.length - DIGITS, DIGITS);
    }
}
