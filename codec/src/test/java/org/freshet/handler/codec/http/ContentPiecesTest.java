package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content that arrives in pieces: what the pieces hold, and what is counted from one message to the next. */
class ContentPiecesTest {
    private static final String CHUNKED = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static HttpTestServer server(HttpLimits limits) {
        return new HttpTestServer(new HttpRequestDecoder(limits));
    }

    /** A piece that is small in comparison would keep all of the read in memory; a copy of a large one would take time. */
    @ParameterizedTest
    @CsvSource({"999,false", "1000,true", "3000,true"})
    void shouldShareOnlyALargePartOfARead(int chunkBytes, boolean isShared) {
        String begin = CHUNKED + Integer.toHexString(chunkBytes) + "\r\n";
        byte[] read = Arrays.copyOf((begin + "a".repeat(chunkBytes)).getBytes(ISO_8859_1), 4000);
        HttpTestServer server = server(HttpLimits.standard());
        server.channel.receive(ChannelBuffers.wrappedBuffer(read));
        HttpChunk chunk = (HttpChunk) server.channel.takeReceived().get(1);
        Arrays.fill(read, (byte) 'z');
        assertEquals(
                (isShared ? "z" : "a").repeat(chunkBytes), chunk.getContent().toString(ISO_8859_1));
    }

    /** An empty piece would be taken for the end of the content. */
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 6\r\n\r\nab", "Transfer-Encoding: chunked\r\n\r\n6\r\nab"})
    void shouldSendNoEndOfContentThatIsCutOff(String rest) {
        HttpTestServer server =
                server(HttpLimits.standard().toBuilder().maxChunkSize(4).build());
        server.receive("PUT / HTTP/1.1\r\n" + rest);
        assertEquals("chunk ab", server.takeReceived().get(1));
        server.channel.close();
        assertEquals(List.of(), server.takeReceived());
    }

    @Test
    void shouldCountTheExtensionsOfEachMessageAlone() {
        HttpTestServer server =
                server(HttpLimits.standard().toBuilder().maxChunkOverhead(10).build());
        for (int i = 0; i < 3; i++) {
            server.receive(CHUNKED + "0;a=bcdef\r\n\r\n");
            List<String> received = server.takeReceived();
            assertEquals("end", received.get(received.size() - 1));
        }
    }

    @Test
    void shouldCountContentUntilTheConnectionClosesFromItsBeginning() {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxContentLength(5).build();
        HttpTestServer client = new HttpTestServer(new HttpResponseDecoder(limits));
        client.receive("HTTP/1.1 200 x\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 x\r\n\r\nabc");
        client.receive("de");
        client.channel.close();
        List<String> received = client.takeReceived();
        assertEquals(List.of("chunk abc", "chunk de", "end"), received.subList(2, received.size()));
    }

    /** They announce eight bytes of content only together with GET. */
    @ParameterizedTest
    @CsvSource({"GET,true", "PUT,false"})
    void shouldReadTheContentOfAHandshake(String method, boolean isRead) {
        HttpTestServer server = server(HttpLimits.netty3());
        server.receive(method + " / HTTP/1.1\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key1: a\r\nSec-WebSocket-Key2: b\r\n\r\n");
        assertEquals(isRead ? 0 : 1, server.takeReceived().size());
        server.receive("GET / HT");
        List<String> received = server.takeReceived();
        assertEquals(isRead ? 1 : 0, received.size());
        server.receive("TP/1.1\r\n\r\n");
        assertEquals(
                isRead ? "failure 400" : "GET / HTTP/1.1 <>",
                server.takeReceived().get(0));
    }

    // ---- the lines before chunks ----

    private static String parse(HttpLimits limits, String... lines) {
        ChunkLine line = new ChunkLine(true, limits);
        line.startMessage();
        StringBuilder sizes = new StringBuilder();
        try {
            for (String each : lines) {
                ChannelBuffer bytes = ChannelBuffers.copiedBuffer(each + "\r\n", ISO_8859_1);
                for (int end = 1; end < bytes.readableBytes(); end++) {
                    assertEquals(-1, line.parse(bytes.array(), 0, end), "more is needed");
                }
                assertEquals(each.length() + 2, line.parse(bytes.array(), 0, bytes.readableBytes()));
                sizes.append(line.size()).append(' ');
            }
            return sizes.append("of ").append(line.content()).toString();
        } catch (MalformedHttpMessageException e) {
            return sizes + e.getMessage();
        }
    }

    @Test
    void shouldLimitASizeAndItsDigits() {
        HttpLimits limits = HttpLimits.standard();
        assertEquals("2147483647 1 of 2147483648", parse(limits, "7fffFFFF", "0000000000000001"));
        assertEquals("a chunk larger than 2147483647 bytes", parse(limits, "80000000"));
        assertEquals("1 a chunk larger than 2147483647 bytes", parse(limits, "1", "00000000000000001"));
    }

    /** Twice the content is free, and so are the digits of sizes. */
    @ParameterizedTest
    @CsvSource({
        "0,1;a,true",
        "0,1;ab,false",
        "0,0000000000000001;a,true",
        "0,00000001;ab,false",
        "3,2;abcdef,true",
        "3,2;abcdefg,false"
    })
    void shouldLimitExtensions(int max, String line, boolean isAccepted) {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxChunkOverhead(max).build();
        int size = line.charAt(0) == '2' ? 2 : 1;
        String accepted = size + " " + size + " of " + 2 * size;
        String refused = "more than " + max + " bytes of chunk extensions with little content";
        assertEquals(isAccepted ? accepted : refused, parse(limits, line, "" + size));
        if (isAccepted && max == 0) {
            assertEquals("1 1 " + refused, parse(limits, line, line, "1;ab"), "in sum");
        }
    }

    @Test
    void shouldLimitALine() {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxChunkLineLength(10).build();
        assertEquals("1 of 1", parse(limits, "1;23456789"));
        assertEquals("the line before a chunk is longer than 10 bytes", parse(limits, "1;234567890"));
    }
}
