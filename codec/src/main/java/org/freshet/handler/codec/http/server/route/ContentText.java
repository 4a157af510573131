package org.freshet.handler.codec.http.server.route;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** Decodes the content of a request as text. Stateless; any thread. */
final class ContentText {
    /** Matches each parameter of a media type (RFC 9110 5.6.6), so that text in a value isn't taken for a parameter. */
    private static final Pattern PARAMETER =
            Pattern.compile(";[ \\t]*([^=;\\s\"]+)=(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^;\\s\"]*))");

    private ContentText() {}

    /** @throws HttpStatusException 400 if the content is malformed, 415 if the charset is unknown */
    static String of(HttpRequest request) {
        if (!request.getContent().readable()) {
            return "";
        }
        Charset charset = charset(request.headers().get(Names.CONTENT_TYPE));
        try {
            return charset.newDecoder()
                    .decode(request.getContent().toByteBuffer())
                    .toString();
        } catch (CharacterCodingException e) {
            throw new HttpStatusException(HttpResponseStatus.BAD_REQUEST, "the content isn't " + charset, e);
        }
    }

    private static Charset charset(String contentType) {
        if (contentType == null || contentType.indexOf(';') < 0) {
            return StandardCharsets.UTF_8;
        }
        Matcher parameters = PARAMETER.matcher(contentType);
        while (parameters.find()) {
            if (parameters.group(1).equalsIgnoreCase("charset")) {
                return forName(parameters.group(2) == null ? parameters.group(3) : parameters.group(2));
            }
        }
        return StandardCharsets.UTF_8;
    }

    private static Charset forName(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new HttpStatusException(
                    HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE, "unknown charset " + HeaderSyntax.printable(name), e);
        }
    }
}
