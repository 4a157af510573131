package org.freshet.example.buffersize;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** The wire format of the numbers in an answer. Server and client must use the same. */
enum AnswerFormat {
    /** An {@code int[]} in Java serialization, written by the encoder: no code here, but more bytes. */
    OBJECTS,

    /** Plain ints, one after the other, written by hand: 12 bytes. */
    RAW;

    private static final String RAW_SWITCH = "--raw";

    /** Reads the answers of one connection. Must not be created before the first request is sent. */
    interface Reader {
        int[] next() throws IOException, ClassNotFoundException;
    }

    /** Returns the format selected by a program's first argument. */
    static AnswerFormat chosenBy(String[] args) {
        return args.length > 0 && args[0].equals(RAW_SWITCH) ? RAW : OBJECTS;
    }

    /** Returns the arguments after the format. */
    String[] rest(String[] args) {
        return this == RAW ? Arrays.copyOfRange(args, 1, args.length) : args;
    }

    /** Returns the message for the handler to write. */
    Object message(int... numbers) {
        if (this == OBJECTS) {
            return numbers;
        }
        ChannelBuffer buffer = ChannelBuffers.buffer(numbers.length * Integer.BYTES);
        for (int number : numbers) {
            buffer.writeInt(number);
        }
        return buffer;
    }

    /** @param count number of ints in an answer */
    Reader reader(InputStream in, int count) throws IOException {
        if (this == OBJECTS) {
            ObjectInputStream objects = new ObjectInputStream(in);
            return () -> (int[]) objects.readObject();
        }
        DataInputStream data = new DataInputStream(in);
        return () -> {
            int[] numbers = new int[count];
            for (int i = 0; i < count; i++) {
                numbers[i] = data.readInt();
            }
            return numbers;
        };
    }
}
