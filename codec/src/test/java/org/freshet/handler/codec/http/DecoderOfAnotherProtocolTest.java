package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A decoder of a user's class accepts start lines of any protocol with the syntax of HTTP. */
class DecoderOfAnotherProtocolTest {
    private static final class Requests extends HttpMessageDecoder {
        @Override
        protected boolean isDecodingRequest() {
            return true;
        }

        @Override
        protected HttpMessage createMessage(String[] line) {
            return new DefaultHttpRequest(HttpVersion.valueOf(line[2]), HttpMethod.valueOf(line[0]), line[1]);
        }
    }

    private static final class Responses extends HttpMessageDecoder {
        Responses() {
            super(100, 200, 300);
        }

        @Override
        protected boolean isDecodingRequest() {
            return false;
        }

        @Override
        protected HttpMessage createMessage(String[] line) {
            return new DefaultHttpResponse(
                    HttpVersion.valueOf(line[0]), new HttpResponseStatus(Integer.parseInt(line[1]), line[2]));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PLAY rtsp://h/x RTSP/1.0,PLAY rtsp://h/x RTSP/1.0 <>",
        "CONNECT x ICE/3.7,CONNECT x ICE/3.7 <>",
        "GET x HTTP/9.9,GET x HTTP/9.9 <>",
        "GET x HTTP,failure 400",
        "PLAY \u0080 RTSP/1.0,failure 400",
        "G(T x HTTP/1.1,failure 400",
    })
    void shouldDecodeRequests(String line, String expected) {
        assertEquals(List.of(expected), Decoded.of(Requests::new, line + "\r\n\r\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "RTSP/1.0 204 x,204 x RTSP/1.0 <>",
        "RTSP/1.0 304 x,304 x RTSP/1.0 <>",
        "HTTP/2.2 199 x,199 x HTTP/2.2 <>",
        "1 204 x,failure 502",
    })
    void shouldDecodeResponses(String line, String expected) {
        assertEquals(List.of(expected), Decoded.of(Responses::new, line + "\r\n\r\n"));
    }

    /** They close no connection by default. */
    @ParameterizedTest
    @CsvSource({"PLAY x RTSP/1.0", "PLAY x RTSP/1.1", "PLAY 101 RTSP/1.0"})
    void shouldDecodeTheNextRequest(String line) {
        assertEquals(2, Decoded.of(Requests::new, (line + "\r\n\r\n").repeat(2)).size());
        assertEquals(
                1,
                Decoded.of(Requests::new, (line + "\r\nConnection: close\r\n\r\n").repeat(2))
                        .size());
    }
}
