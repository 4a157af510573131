package org.freshet.example.conversation;

import java.nio.charset.StandardCharsets;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.handler.execution.BlockingConnection;
import org.freshet.handler.execution.Conversation;
import org.freshet.handler.execution.ConversationHandler;

/** A two-sided game. Each side is written as sequential code: one thinks of a number, the other finds it. */
final class Guessing {
    static final int HIGHEST = 1_000;

    private static final int MAX_LINE_BYTES = 64;

    private Guessing() {}

    /** Returns a pipeline for connections that play the game. */
    static ChannelPipeline pipeline(Conversation conversation) {
        return Channels.pipeline(
                new LineBasedFrameDecoder(MAX_LINE_BYTES),
                new StringDecoder(StandardCharsets.US_ASCII),
                new StringEncoder(StandardCharsets.US_ASCII),
                new ConversationHandler(conversation));
    }

    /** The server's side. */
    static void host(BlockingConnection connection, int secret) throws Exception {
        connection.write("a number from 1 to " + HIGHEST + "\n");
        for (Object line = connection.read(); line != null; line = connection.read()) {
            int guess = Integer.parseInt((String) line); // not a number: ends the conversation, and is logged
            if (guess == secret) {
                connection.write("right\n");
                return; // closes the connection once that has been sent
            }
            connection.write(guess < secret ? "more\n" : "less\n");
        }
    }

    /** The client's side. Returns the number of guesses, or 0 if the server closed before the last. */
    static int play(BlockingConnection connection) throws Exception {
        int low = 1;
        int high = HIGHEST;
        connection.read();
        for (int guesses = 1; ; guesses++) {
            int guess = (low + high) >>> 1;
            connection.write(guess + "\n");
            Object answer = connection.read();
            if (answer == null) {
                return 0;
            }
            switch ((String) answer) {
                case "more" -> low = guess + 1;
                case "less" -> high = guess - 1;
                default -> {
                    return guesses;
                }
            }
        }
    }
}
