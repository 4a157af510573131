package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.freshet.handler.codec.http.HttpLimits;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.handler.codec.http.DefaultHttpRequest;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpVersion;
import org.jboss.netty.handler.codec.http.multipart.Attribute;
import org.jboss.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import org.jboss.netty.handler.codec.http.multipart.FileUpload;
import org.jboss.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import org.jboss.netty.handler.codec.http.multipart.HttpPostRequestEncoder;
import org.jboss.netty.handler.codec.http.multipart.InterfaceHttpData;

/** Netty 3's forms, as oracle and as peer. */
final class Netty3Forms {
    static final HttpLimits LIMITS = HttpLimits.netty3();

    record Written(String type, byte[] content) {}

    private Netty3Forms() {}

    private static HttpRequest request() {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/form");
    }

    /** In the format of {@link Forms#describe}. */
    static List<String> decode(String type, byte[] content) throws Exception {
        HttpRequest request = request();
        request.headers().set("Content-Type", type);
        request.setContent(ChannelBuffers.wrappedBuffer(content));
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(new DefaultHttpDataFactory(false), request);
        List<String> read = new ArrayList<>();
        for (InterfaceHttpData data : decoder.getBodyHttpDatas()) {
            read.add(describe(data));
        }
        return read;
    }

    private static String describe(InterfaceHttpData data) throws Exception {
        if (data instanceof FileUpload) {
            FileUpload file = (FileUpload) data;
            return "file " + file.getName() + " " + file.getFilename() + " " + file.getContentType() + " "
                    + file.getContentTransferEncoding() + " " + file.getCharset() + " <" + file.getString(ISO_8859_1)
                    + '>';
        }
        Attribute field = (Attribute) data;
        return field.getName() + "=" + field.getValue();
    }

    static Written encode(String mode, File small, File large) throws Exception {
        HttpRequest request = request();
        HttpPostRequestEncoder encoder = new HttpPostRequestEncoder(
                new DefaultHttpDataFactory(), request, true, UTF_8, HttpPostRequestEncoder.EncoderMode.valueOf(mode));
        encoder.addBodyAttribute("a b", "x y*~&+\u20ac");
        encoder.addBodyAttribute("empty", "");
        encoder.addBodyFileUpload("one", small, "text/plain", true);
        File[] files = {small, large, small};
        encoder.addBodyFileUploads("many", files, new String[] {"text/css", null, null}, new boolean[3]);
        encoder.addBodyAttribute("end", "z");
        encoder.finalizeRequest();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        while (!encoder.isEndOfInput()) {
            ChannelBuffer chunk = encoder.nextChunk().getContent();
            chunk.getBytes(chunk.readerIndex(), content, chunk.readableBytes());
        }
        return new Written(request.headers().get("Content-Type"), content.toByteArray());
    }
}
