package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;

/** Forms for tests: requests, and decoded forms as texts that can be compared. */
final class Forms {
    static final String MULTIPART = "multipart/form-data; boundary=B";
    static final String URL_ENCODED = "application/x-www-form-urlencoded";

    private Forms() {}

    static HttpRequest request(String contentType) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/form");
        request.headers().set(HttpHeaders.Names.CONTENT_TYPE, contentType);
        return request;
    }

    static HttpRequest chunkedRequest(String contentType) {
        HttpRequest request = request(contentType);
        request.setChunked(true);
        return request;
    }

    static HttpChunk chunk(byte[] bytes, int from, int to) {
        return new DefaultHttpChunk(ChannelBuffers.copiedBuffer(bytes, from, to - from));
    }

    static HttpChunk chunk(String latin1) {
        return new DefaultHttpChunk(ChannelBuffers.copiedBuffer(latin1, ISO_8859_1));
    }

    /** A part, preceded by its delimiter. */
    static String part(String head, String data) {
        return "--B\r\n" + head + "\r\n\r\n" + data + "\r\n";
    }

    static String field(String name, String data) {
        return part("Content-Disposition: form-data; name=\"" + name + '"', data);
    }

    static String file(String name, String filename, String data) {
        return part("Content-Disposition: form-data; name=\"" + name + "\"; filename=\"" + filename + '"', data);
    }

    static String form(String... parts) {
        return String.join("", parts) + "--B--\r\n";
    }

    /** How a form is read if it arrives in pieces that end at the given positions: its parts, or its failure. */
    static List<String> decode(HttpDataFactory factory, HttpLimits limits, String type, byte[] body, int... cuts) {
        HttpRequest request = chunkedRequest(type);
        List<String> read = new ArrayList<>();
        HttpPostRequestDecoder decoder = null;
        try {
            decoder = new HttpPostRequestDecoder(factory, request, UTF_8, limits);
            int from = 0;
            for (int cut : cuts) {
                if (from < cut) {
                    decoder.offer(chunk(body, from, cut));
                }
                from = cut;
            }
            if (from < body.length) {
                decoder.offer(chunk(body, from, body.length));
            }
            decoder.offer(HttpChunk.LAST_CHUNK);
            for (InterfaceHttpData data : decoder.getBodyHttpDatas()) {
                read.add(describe(data));
            }
        } catch (ErrorDataDecoderException e) {
            read.add("refused with " + e.suggestedStatus().getCode() + ": " + e.getMessage());
        } catch (HttpPostRequestDecoder.NotEnoughDataDecoderException e) {
            throw new AssertionError(e);
        } finally {
            if (decoder != null) {
                decoder.cleanFiles();
            }
        }
        return read;
    }

    static List<String> decode(String type, String latin1) {
        return decode(new DefaultHttpDataFactory(), HttpLimits.standard(), type, latin1.getBytes(ISO_8859_1));
    }

    static String describe(InterfaceHttpData data) {
        try {
            if (data instanceof FileUpload) {
                FileUpload file = (FileUpload) data;
                return "file " + file.getName() + " " + file.getFilename() + " " + file.getContentType() + " "
                        + file.getContentTransferEncoding() + " " + file.getCharset() + " <"
                        + file.getString(ISO_8859_1) + '>';
            }
            Attribute field = (Attribute) data;
            return field.getName() + "=" + field.getValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
