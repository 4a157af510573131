package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncodedAnswerTest {
    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 204 No Content,204",
        "HTTP/1.0 404,404",
        "HTTP/1.1 999 x,999",
        "HTTP/1.1 000 x,0",
        "HTTP/1.1 20,0",
        "HTTP/2.0 200 OK,0",
        "http/1.1 200 OK,0",
        "xHTTP/1.1 200 OK,0",
        "HTTP/1.1 2x0 OK,0",
        "HTTP/1.1 /00 OK,0",
        "HTTP/1.1 :00 OK,0",
        "HTTP/1.1 20: OK,0",
        "HTTP/1.1 20/ OK,0",
        "<html></html>,0"
    })
    void shouldReadTheStatus(String answer, int status) {
        ChannelBuffer buffer = ChannelBuffers.copiedBuffer("__" + answer, ISO_8859_1);
        buffer.skipBytes(2);
        assertEquals(status, EncodedAnswer.statusOf(buffer));
        assertEquals(answer.length(), buffer.readableBytes());
    }

    @Test
    void shouldReadNoStatusOfAnythingElse() {
        assertEquals(0, EncodedAnswer.statusOf("HTTP/1.1 200 OK"));
    }
}
