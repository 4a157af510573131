package org.freshet.example.buffersize;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** How the numbers of an answer travel. Server and client must agree. */
enum AnswerFormat {
    /** As an {@code int[]} of Java's serialization, by the encoder: no code here, and more bytes. */
    OBJECTS,

    /** As ints, one after the other, written by hand: 12 bytes. */
    RAW;

    private static final String RAW_SWITCH = "--raw";

    /** Reads the answers of one connection; may not be made before the first request is sent. */
    interface Reader {
        int[] next() throws IOException, ClassNotFoundException;
    }

    /** What the first of a program's arguments chooses. */
    static AnswerFormat chosenBy(String[] args) {
        return args.length > 0 && args[0].equals(RAW_SWITCH) ? RAW : OBJECTS;
    }

    /** The arguments behind the choice. */
    String[] rest(String[] args) {
        return this == RAW ? Arrays.copyOfRange(args, 1, args.length) : args;
    }

    /** What a handler writes. */
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

    /** @param count numbers in an answer */
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
