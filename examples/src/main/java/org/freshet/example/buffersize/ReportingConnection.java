package org.freshet.example.buffersize;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A plain socket that sends the message and reads the server's measurements. One thread. */
final class ReportingConnection implements AutoCloseable {
    private final byte[] message =
            ("x".repeat(BufferSizeClient.MESSAGE_BYTES) + "|").getBytes(StandardCharsets.US_ASCII);
    private final AnswerFormat format;
    private final Socket socket;

    /** Null before the first answer: an object stream waits for its header when it is created. */
    private AnswerFormat.Reader answers;

    private int[] answer;

    ReportingConnection(int port, AnswerFormat format) throws IOException {
        this.format = format;
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
    }

    /** Sends a request and returns the nanoseconds until the answer arrived. */
    long request() throws IOException, ClassNotFoundException {
        long start = System.nanoTime();
        socket.getOutputStream().write(message);
        if (answers == null) {
            answers = format.reader(socket.getInputStream(), StringReporter.NUMBERS);
        }
        answer = answers.next();
        long nanos = System.nanoTime() - start;
        if (answer[0] != BufferSizeClient.MESSAGE_BYTES) {
            throw new IOException("the server counted " + answer[0] + " bytes of " + BufferSizeClient.MESSAGE_BYTES);
        }
        return nanos;
    }

    /** Returns the decoder calls of the last request. */
    int decoderCalls() {
        return answer[1];
    }

    /** Returns the server's receive buffer size, as reported by the kernel at the last request. */
    int receiveBufferBytes() {
        return answer[2];
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
