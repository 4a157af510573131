package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import org.freshet.handler.codec.http2.PipelineAsk.Answer;

/** HTTP/1.1: requests wait in line for their answers. For one thread. */
final class PipelineHttp1Client extends PipelineClient {
    private final Deque<PipelineAsk> unanswered = new ArrayDeque<>();
    private int sent;
    private int received;

    PipelineHttp1Client(Socket plain, Socket socket) throws IOException {
        super(plain, socket);
    }

    @Override
    int[] send(PipelineAsk... asks) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int[] numbers = new int[asks.length];
        for (int i = 0; i < asks.length; i++) {
            all.writeBytes(headOf(asks[i]).getBytes(ISO_8859_1));
            if (!asks[i].isExpecting()) {
                all.writeBytes(asks[i].content());
            }
            unanswered.add(asks[i]);
            numbers[i] = sent++;
        }
        sendRaw(0, all.toByteArray());
        return numbers;
    }

    private static String headOf(PipelineAsk ask) {
        StringBuilder head =
                new StringBuilder(ask.method() + ' ' + ask.target() + " HTTP/1.1\r\nHost: " + ask.authority() + "\r\n");
        ask.headers().forEach((name, value) -> {
            if (!name.equals(PipelineAsk.AUTHORITY)) {
                head.append(name).append(": ").append(value).append("\r\n");
            }
        });
        return head.append("\r\n").toString();
    }

    @Override
    void sendRaw(int number, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    @Override
    byte[] receiveRaw(int number, int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("after " + bytes.length + " of " + count + " bytes");
        }
        return bytes;
    }

    @Override
    Answer receive(int number) throws IOException {
        if (number != received) {
            throw new AssertionError("the next answer is number " + received + ", not " + number);
        }
        received++;
        PipelineAsk ask = unanswered.remove();
        Answer answer = new Answer();
        readHead(answer);
        while (answer.status < 200 && answer.status != 101) {
            answer.interim.add(answer.status);
            if (answer.status == 100 && ask.isExpecting()) {
                sendRaw(0, ask.content());
            }
            answer.headers.clear();
            readHead(answer);
        }
        boolean isTunnel = answer.status == 101 || ask.isConnect() && answer.status < 300;
        if (!ask.isHead() && answer.status != 204 && answer.status != 304 && !isTunnel) {
            answer.content = readContent(answer);
        }
        return answer;
    }

    private void readHead(Answer answer) throws IOException {
        String first = readLine();
        if (!first.matches("HTTP/1\\.1 \\d{3} .*")) {
            throw new AssertionError("not the head of an answer: " + first);
        }
        answer.status = Integer.parseInt(first.substring(9, 12));
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            String[] parts = line.split(": ?", 2);
            answer.add(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.readUnsignedByte(); b != '\n'; b = in.readUnsignedByte()) {
            line.append((char) b);
        }
        if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
            throw new AssertionError("a line without CR: " + line);
        }
        return line.substring(0, line.length() - 1);
    }

    private byte[] readContent(Answer answer) throws IOException {
        String length = answer.header("content-length");
        if (length != null) {
            if (answer.header("transfer-encoding") != null) {
                throw new AssertionError("framed twice: " + answer);
            }
            return receiveRaw(0, Integer.parseInt(length));
        }
        if ("chunked".equals(answer.header("transfer-encoding"))) {
            return readChunks();
        }
        if (!answer.isLast()) {
            throw new AssertionError("an answer without an end: " + answer);
        }
        return in.readAllBytes();
    }

    private byte[] readChunks() throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (int length = Integer.parseInt(readLine(), 16); length > 0; length = Integer.parseInt(readLine(), 16)) {
            content.writeBytes(receiveRaw(0, length));
            requireEmpty(readLine());
        }
        requireEmpty(readLine());
        return content.toByteArray();
    }

    private static void requireEmpty(String line) {
        if (!line.isEmpty()) {
            throw new AssertionError("instead of the end of a chunk: " + line);
        }
    }

    @Override
    void awaitEnd() throws IOException {
        int b = readOrEnd();
        if (b >= 0) {
            byte[] more = in.readNBytes(Math.min(200, in.available()));
            throw new AssertionError("after the last answer came " + (char) b + new String(more, ISO_8859_1));
        }
    }
}
