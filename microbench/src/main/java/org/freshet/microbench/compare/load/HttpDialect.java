package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The request of the HTTP load, as large as those of a browser or a benchmark client, and its expected answer. */
public final class HttpDialect {
    /** The body of each answer. */
    public static final String CONTENT = "Hello, World!";

    /** The type of {@link #CONTENT}. */
    public static final String CONTENT_TYPE = "text/plain";

    /** The path requested over HTTP/2. */
    public static final String HTTP2_PATH = "/plaintext.txt";

    private static final String ACCEPT =
            "text/plain,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7";
    private static final String USER_AGENT =
            "Mozilla/5.0 (X11; Linux x86_64) Gecko/20130501 Firefox/30.0 AppleWebKit/600.00";
    private static final String COOKIE =
            "uid=1234567890123456; __utma=1.1234567890.1234567890.1234567890.1234567890.12";

    private static final String REQUEST = String.join(
            "\r\n",
            "GET /plaintext HTTP/1.1",
            "Host: localhost:8080",
            "Accept: " + ACCEPT,
            "User-Agent: " + USER_AGENT,
            "Cookie: " + COOKIE,
            "",
            "");

    private static final int TIMEOUT_MILLIS = 20_000;

    private HttpDialect() {}

    /** The request of 324 bytes. */
    public static byte[] request() {
        return REQUEST.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns a request with this many bytes of content. */
    public static byte[] post(int bodyBytes) {
        byte[] head = ("POST /count HTTP/1.1\r\nHost: localhost:8080\r\nContent-Type: application/octet-stream\r\n"
                        + "Content-Length: " + bodyBytes + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] post = Arrays.copyOf(head, head.length + bodyBytes);
        System.arraycopy(body(bodyBytes), 0, post, head.length, bodyBytes);
        return post;
    }

    /** Returns the content of {@link #post}. */
    static byte[] body(int bytes) {
        byte[] body = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            body[i] = (byte) (i ^ i >>> 8);
        }
        return body;
    }

    /**
     * Returns the fields of {@link #request} in HTTP/2: names and values, alternating. The path has an extension, from
     * which file servers know the type.
     */
    static List<String> requestFields() {
        return List.of(
                ":method", "GET",
                ":scheme", "http",
                ":authority", "localhost:8080",
                ":path", HTTP2_PATH,
                "accept", ACCEPT,
                "user-agent", USER_AGENT,
                "cookie", COOKIE);
    }

    /** Returns the fields of {@link #post} in HTTP/2. */
    static List<String> postFields(int bodyBytes) {
        return List.of(
                ":method", "POST",
                ":scheme", "http",
                ":authority", "localhost:8080",
                ":path", "/count",
                "content-type", "application/octet-stream",
                "content-length", String.valueOf(bodyBytes));
    }

    /** Returns {@link #CONTENT} repeated up to a length, or its beginning. */
    public static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) CONTENT.charAt(i % CONTENT.length());
        }
        return content;
    }

    /** Returns the body of the answer to {@link #post}, with which a server confirms that it has received all of it. */
    public static byte[] countOf(long bodyBytes) {
        return (bodyBytes + " bytes").getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Sends the server at {@code port} on the loopback address two requests and returns the answer, which must be
     * correct and the same both times.
     */
    static byte[] answerOf(int port) throws IOException {
        return answerOf(port, request(), CONTENT);
    }

    /** Does the same with {@link #post}. */
    static byte[] answerToPost(int port, int bodyBytes) throws IOException {
        return answerOf(port, post(bodyBytes), text(countOf(bodyBytes)));
    }

    private static byte[] answerOf(int port, byte[] request, String content) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            byte[] first = ask(socket, request, content);
            byte[] second = ask(socket, request, content);
            if (!Arrays.equals(first, second)) {
                throw new IOException("two answers to the same request differ: " + text(first) + text(second));
            }
            return first;
        }
    }

    private static byte[] ask(Socket socket, byte[] request, String expected) throws IOException {
        socket.getOutputStream().write(request);
        String head = readHead(socket.getInputStream());
        if (!head.startsWith("HTTP/1.1 200 OK\r\n")
                || !lower(head).contains("\r\ncontent-length: " + expected.length() + "\r\n")
                || !lower(head).contains("\r\ncontent-type: " + CONTENT_TYPE + "\r\n")) {
            throw new IOException("unexpected answer: " + head);
        }
        String content = text(socket.getInputStream().readNBytes(expected.length()));
        if (!content.equals(expected)) {
            throw new IOException("unexpected content: " + content);
        }
        return (head + content).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the server closed the connection after: " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static String lower(String head) {
        return head.toLowerCase(Locale.ROOT);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
