package org.freshet.microbench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.multipart.Attribute;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import io.netty.handler.codec.http.multipart.HttpPostStandardRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import io.netty.handler.codec.http.multipart.InterfaceHttpPostRequestDecoder;
import io.netty.handler.codec.http.multipart.MemoryFileUpload;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Netty 4.2's form decoders, with limits that the forms do not reach. */
final class Netty4Forms implements HttpFormBenchmark.Forms {
    private static final int MAX_BUFFERED_BYTES = 1 << 20;

    private final FormTraffic form;
    private final byte[] beginning;
    private final byte[] piece;
    private final byte[] end;
    private final Counting factory = new Counting();

    Netty4Forms(FormTraffic form) {
        this.form = form;
        beginning = form.beginning();
        piece = form.piece();
        end = form.end();
    }

    @Override
    public long decode() throws Exception {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.headers().set(HttpHeaderNames.CONTENT_TYPE, form.contentType());
        factory.bytes = 0;
        InterfaceHttpPostRequestDecoder decoder = form.isMultipart()
                ? new HttpPostMultipartRequestDecoder(
                        factory, request, HttpConstants.DEFAULT_CHARSET, FormTraffic.FIELDS, MAX_BUFFERED_BYTES)
                : new HttpPostStandardRequestDecoder(
                        factory, request, HttpConstants.DEFAULT_CHARSET, FormTraffic.FIELDS, MAX_BUFFERED_BYTES);
        offer(decoder, beginning);
        for (int i = 0; i < form.pieces(); i++) {
            offer(decoder, piece);
        }
        offer(decoder, end);
        decoder.offer(LastHttpContent.EMPTY_LAST_CONTENT);
        long decoded = form.isMultipart() ? factory.bytes : fieldsOf(decoder);
        decoder.destroy();
        return decoded;
    }

    private static void offer(InterfaceHttpPostRequestDecoder decoder, byte[] bytes) {
        HttpContent content = new DefaultHttpContent(Unpooled.wrappedBuffer(bytes));
        decoder.offer(content);
        content.release();
    }

    private static int fieldsOf(InterfaceHttpPostRequestDecoder decoder) throws Exception {
        int fields = 0;
        for (InterfaceHttpData data : decoder.getBodyHttpDatas()) {
            fields += ((Attribute) data).getValue().isEmpty() ? 0 : 1;
        }
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
                public void addContent(ByteBuf buffer, boolean last) {
                    bytes += buffer.readableBytes();
                    buffer.release();
                    if (last) {
                        setCompleted();
                    }
                }
            };
        }
    }
}
