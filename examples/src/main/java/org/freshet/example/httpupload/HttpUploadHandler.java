package org.freshet.example.httpupload;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.multipart.FileUpload;
import org.freshet.handler.codec.http.multipart.HttpData;
import org.freshet.handler.codec.http.multipart.HttpDataFactory;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import org.freshet.handler.codec.http.multipart.InterfaceHttpData;

/**
 * Answers each form with its fields, and with the size and checksum of its files. Large files are written and read on
 * the I/O thread; for a server with many clients, add an {@code ExecutionHandler} before this handler.
 */
final class HttpUploadHandler extends SimpleChannelUpstreamHandler {
    private static final int READ_BYTES = 65536;
    private static final String PAGE = """
            <!DOCTYPE html><title>Upload</title>
            <form method="post" enctype="multipart/form-data">
            <input name="title"> <input name="file" type="file"> <button>Upload</button>
            </form>
            """;

    private final HttpDataFactory factory;
    private final HttpLimits limits;

    private HttpRequest request;

    /** The form being received; null if the request has none. */
    private HttpPostRequestDecoder form;

    /** The answer that ends the connection; null until a request is refused. Later input is not decoded. */
    private ChannelFuture refusal;

    HttpUploadHandler(HttpDataFactory factory, HttpLimits limits) {
        this.factory = factory;
        this.limits = limits;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object message = e.getMessage();
        boolean last =
                message instanceof HttpChunk ? ((HttpChunk) message).isLast() : !((HttpRequest) message).isChunked();
        if (refusal == null) {
            try {
                if (message instanceof HttpRequest) {
                    begin(e.getChannel(), (HttpRequest) message);
                } else if (form != null) {
                    form.offer((HttpChunk) message);
                }
                if (last) {
                    answer(e.getChannel());
                }
            } catch (ErrorDataDecoderException failure) {
                refuse(e.getChannel(), failure);
            }
        }
        if (last && refusal != null) {
            // Not earlier: unread input would reset the connection before the answer arrives.
            refusal.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void begin(Channel channel, HttpRequest request) throws ErrorDataDecoderException {
        this.request = request;
        if (!request.getMethod().equals(HttpMethod.POST)) {
            return;
        }
        form = new HttpPostRequestDecoder(factory, request, StandardCharsets.UTF_8, limits);
        form.cleanFilesWhenClosed(channel);
        if (HttpHeaders.is100ContinueExpected(request)) {
            channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    private void answer(Channel channel) throws Exception {
        HttpResponse response;
        if (form != null) {
            response = newResponse(HttpResponseStatus.OK, "text/plain", describeForm());
            form.cleanFiles();
            form = null;
        } else if (request.getMethod().equals(HttpMethod.GET)
                || request.getMethod().equals(HttpMethod.HEAD)) {
            response = newResponse(HttpResponseStatus.OK, "text/html", PAGE);
        } else {
            response = newResponse(HttpResponseStatus.METHOD_NOT_ALLOWED, "text/plain", "Try POST.\n");
            response.headers().set(HttpHeaders.Names.ALLOW, "GET, HEAD, POST");
        }
        boolean keepAlive =
                HttpHeaders.isKeepAlive(request) && request.getProtocolVersion().equals(HttpVersion.HTTP_1_1);
        HttpHeaders.setKeepAlive(response, keepAlive);
        ChannelFuture written = channel.write(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private String describeForm() throws Exception {
        StringBuilder described = new StringBuilder();
        for (InterfaceHttpData data : form.getBodyHttpDatas()) {
            described.append(data.getName()).append(": ");
            if (data instanceof FileUpload) {
                FileUpload file = (FileUpload) data;
                described.append(file.getFilename()).append(", ").append(file.length());
                described.append(String.format(" bytes, CRC-32 %08x", crc(file)));
            } else {
                described.append(((HttpData) data).getString());
            }
            described.append('\n');
        }
        return described.toString();
    }

    private static long crc(FileUpload file) throws Exception {
        CRC32 crc = new CRC32();
        ChannelBuffer read;
        while ((read = file.getChunk(READ_BYTES)).readable()) {
            crc.update(read.toByteBuffer());
        }
        return crc.getValue();
    }

    private static HttpResponse newResponse(HttpResponseStatus status, String type, String text) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.setContent(ChannelBuffers.copiedBuffer(text, StandardCharsets.UTF_8));
        HttpHeaders.setContentLength(response, response.getContent().readableBytes());
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, type + "; charset=UTF-8");
        response.headers().set("X-Content-Type-Options", "nosniff"); // names and fields come from the client
        return response;
    }

    private void refuse(Channel channel, HttpFailure failure) {
        if (form != null) {
            form.cleanFiles();
        }
        HttpResponse response = newResponse(failure.suggestedStatus(), "text/plain", failure.getMessage() + "\n");
        HttpHeaders.setKeepAlive(response, false);
        refusal = channel.write(response);
    }

    /** Requests refused by the codec are answered, too; the codec reads nothing more from the connection. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        if (e.getCause() instanceof HttpFailure
                && refusal == null
                && e.getChannel().isConnected()) {
            refuse(e.getChannel(), (HttpFailure) e.getCause());
            refusal.addListener(ChannelFutureListener.CLOSE);
        } else {
            e.getChannel().close(); // idle for too long, a broken connection, or a full disk
        }
    }
}
