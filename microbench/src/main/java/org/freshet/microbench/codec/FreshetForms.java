package org.freshet.microbench.codec;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpConstants;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.multipart.Attribute;
import org.freshet.handler.codec.http.multipart.DefaultHttpDataFactory;
import org.freshet.handler.codec.http.multipart.FileUpload;
import org.freshet.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import org.freshet.handler.codec.http.multipart.HttpPostStandardRequestDecoder;
import org.freshet.handler.codec.http.multipart.InterfaceHttpData;
import org.freshet.handler.codec.http.multipart.InterfaceHttpPostRequestDecoder;
import org.freshet.handler.codec.http.multipart.MemoryFileUpload;

/** Freshet's form decoders. */
final class FreshetForms implements HttpFormBenchmark.Forms {
    /** One of the forms is larger than the default limit. */
    private static final HttpLimits LIMITS =
            HttpLimits.defaults().toBuilder().maxFormSize(1L << 30).build();

    private final FormTraffic form;
    private final byte[] beginning;
    private final byte[] piece;
    private final byte[] end;
    private final Counting factory = new Counting();

    FreshetForms(FormTraffic form) {
        this.form = form;
        beginning = form.beginning();
        piece = form.piece();
        end = form.end();
    }

    @Override
    public long decode() throws Exception {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.headers().set(HttpHeaders.Names.CONTENT_TYPE, form.contentType());
        request.setChunked(true);
        factory.bytes = 0;
        InterfaceHttpPostRequestDecoder decoder = form.isMultipart()
                ? new HttpPostMultipartRequestDecoder(factory, request, HttpConstants.DEFAULT_CHARSET, LIMITS)
                : new HttpPostStandardRequestDecoder(factory, request);
        offer(decoder, beginning);
        for (int i = 0; i < form.pieces(); i++) {
            offer(decoder, piece);
        }
        offer(decoder, end);
        decoder.offer(HttpChunk.LAST_CHUNK);
        return form.isMultipart() ? factory.bytes : fieldsOf(decoder);
    }

    /** Skips empty chunks: they would end the form. */
    private static void offer(InterfaceHttpPostRequestDecoder decoder, byte[] bytes) throws Exception {
        if (bytes.length > 0) {
            decoder.offer(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(bytes)));
        }
    }

    private static int fieldsOf(InterfaceHttpPostRequestDecoder decoder) throws Exception {
        int fields = 0;
        for (InterfaceHttpData data : decoder.getBodyHttpDatas()) {
            fields += ((Attribute) data).getValue().isEmpty() ? 0 : 1;
        }
        decoder.cleanFiles();
        return fields;
    }

    /** Makes files that count the bytes they are given, and keep nothing. */
    private static final class Counting extends DefaultHttpDataFactory {
        private long bytes;

        Counting() {
            super(false);
        }

        @Override
        public FileUpload createFileUpload(
                HttpRequest request,
                String name,
                String filename,
                String contentType,
                String contentTransferEncoding,
                Charset charset,
                long size) {
            return new MemoryFileUpload(name, filename, contentType, "binary", StandardCharsets.UTF_8, size) {
                @Override
                public void addContent(ChannelBuffer buffer, boolean last) {
                    bytes += buffer.readableBytes();
                }
            };
        }
    }
}
