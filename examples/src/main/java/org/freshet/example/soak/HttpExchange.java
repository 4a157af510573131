package org.freshet.example.soak;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;

/**
 * A request, and the content of the only correct answer.
 *
 * @param request an HTTP/1.1 request; HTTP/2 streams take it, too
 */
record HttpExchange(HttpRequest request, String answer) {
    /** The size that a client must be able to aggregate. */
    static final int MAX_ANSWER_BYTES = 50_000;

    /** Returns a request for text made by the server, or for an echo of its own text. */
    static HttpExchange random(Guest guest) {
        int seed = guest.random().nextInt();
        String text = Guest.text(seed, guest.upTo(MAX_ANSWER_BYTES));
        boolean isPost = guest.random().nextInt(3) == 0;
        String target = isPost ? "/echo" : "/text/" + seed + "/" + text.length();
        HttpRequest request =
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, isPost ? HttpMethod.POST : HttpMethod.GET, target);
        HttpHeaders.setHost(request, "localhost");
        if (guest.random().nextBoolean()) {
            request.headers().set(HttpHeaders.Names.ACCEPT_ENCODING, "gzip");
        }
        if (isPost) {
            request.setContent(ChannelBuffers.copiedBuffer(text, StandardCharsets.US_ASCII));
            HttpHeaders.setContentLength(request, text.length());
        }
        return new HttpExchange(request, text);
    }

    void check(HttpResponse response) throws WrongException {
        if (response.getStatus().getCode() != 200) {
            throw new WrongException(request.getUri() + " was answered with " + response.getStatus());
        }
        String content = response.getContent().toString(StandardCharsets.US_ASCII);
        if (!content.equals(answer)) {
            throw new WrongException(
                    request.getUri() + " has a wrong answer of " + content.length() + " bytes, not " + answer.length());
        }
    }
}
