package org.freshet.handler.codec.http.multipart;

import java.nio.charset.Charset;
import java.util.List;
import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpConstants;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;

/**
 * Decodes the form in a request: as {@code multipart/form-data} if that is its {@code Content-Type}, otherwise as
 * {@code application/x-www-form-urlencoded}. The constructor decodes the content of a request that is not chunked.
 * Otherwise, offer each chunk as it arrives.
 *
 * <pre>{@code
 * class UploadHandler extends SimpleChannelUpstreamHandler {
 *     private HttpPostRequestDecoder form; // null if none is received, or it was refused
 *
 *     public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
 *         HttpPostRequestDecoder received = form;
 *         form = null;
 *         boolean last = false;
 *         if (e.getMessage() instanceof HttpRequest) {
 *             HttpRequest request = (HttpRequest) e.getMessage();
 *             received = new HttpPostRequestDecoder(request);
 *             received.cleanFilesWhenClosed(e.getChannel());
 *             last = !request.isChunked();
 *         } else if (received != null) {
 *             HttpChunk chunk = (HttpChunk) e.getMessage();
 *             received.offer(chunk);
 *             last = chunk.isLast();
 *         }
 *         if (last) {
 *             store(received);
 *         } else {
 *             form = received;
 *         }
 *     }
 *
 *     private void store(HttpPostRequestDecoder form) throws Exception {
 *         for (InterfaceHttpData data : form.getBodyHttpDatas()) {
 *             if (data instanceof FileUpload) {
 *                 File destination = new File(directory, UUID.randomUUID() + ".upload");
 *                 if (!((FileUpload) data).renameTo(destination)) {
 *                     throw new IOException("not stored: " + destination);
 *                 }
 *             }
 *         }
 *         form.cleanFiles();
 *     }
 * }
 * }</pre>
 *
 * <p>A form that is refused causes an {@link ErrorDataDecoderException}. That is an {@link HttpFailure}: see there for
 * how to answer it.
 *
 * <p>Not thread-safe, except for {@link #cleanFiles()}.
 */
public class HttpPostRequestDecoder implements InterfaceHttpPostRequestDecoder {
    private static final String MULTIPART = "multipart/form-data";

    private final InterfaceHttpPostRequestDecoder decoder;

    /** The channel whose close cleans the files, and the listener for it; null if no channel is watched. */
    private volatile Channel watched;

    private volatile ChannelFutureListener channelListener;

    /** Uses a {@link DefaultHttpDataFactory}, and UTF-8 unless the request specifies a charset. */
    public HttpPostRequestDecoder(HttpRequest request) throws ErrorDataDecoderException {
        this(new DefaultHttpDataFactory(), request);
    }

    public HttpPostRequestDecoder(HttpDataFactory factory, HttpRequest request) throws ErrorDataDecoderException {
        this(factory, request, HttpConstants.DEFAULT_CHARSET);
    }

    /** @param charset for names and fields for which the form specifies none */
    public HttpPostRequestDecoder(HttpDataFactory factory, HttpRequest request, Charset charset)
            throws ErrorDataDecoderException {
        this(factory, request, charset, HttpLimits.defaults());
    }

    /**
     * @param charset for names and fields for which the form specifies none
     * @throws ErrorDataDecoderException if the content of the request is malformed or exceeds a limit
     */
    public HttpPostRequestDecoder(HttpDataFactory factory, HttpRequest request, Charset charset, HttpLimits limits)
            throws ErrorDataDecoderException {
        Objects.requireNonNull(factory, "factory");
        Objects.requireNonNull(request, "request");
        decoder = isMultipart(request)
                ? new HttpPostMultipartRequestDecoder(factory, request, charset, limits)
                : new HttpPostStandardRequestDecoder(factory, request, charset, limits);
    }

    /**
     * Whether the request contains a {@code multipart/form-data} form.
     *
     * @throws ErrorDataDecoderException if its type says so, but has no valid boundary
     */
    public static boolean isMultipart(HttpRequest request) throws ErrorDataDecoderException {
        return multipartType(request.headers().get(HttpHeaders.Names.CONTENT_TYPE)) != null;
    }

    /**
     * Returns two hyphens and the boundary from a multipart type, and its charset if there is one. Null for any other
     * type.
     *
     * @throws ErrorDataDecoderException if there is no valid boundary
     */
    protected static String[] getMultipartDataBoundary(String contentType) throws ErrorDataDecoderException {
        HeaderParameters type = multipartType(contentType);
        if (type == null) {
            return null;
        }
        String delimiter = "--" + type.boundary();
        return type.get("charset") == null ? new String[] {delimiter} : new String[] {delimiter, type.get("charset")};
    }

    /** Null if the type is not that of a multipart form. */
    static HeaderParameters multipartType(String contentType) throws ErrorDataDecoderException {
        boolean multipart =
                contentType != null && contentType.strip().regionMatches(true, 0, MULTIPART, 0, MULTIPART.length());
        if (!multipart) {
            return null;
        }
        try {
            HeaderParameters type = new HeaderParameters(contentType);
            if (!type.value().equals(MULTIPART)) {
                return null;
            }
            type.boundary();
            type.charset();
            return type;
        } catch (IllegalArgumentException e) {
            throw new ErrorDataDecoderException(e, HttpResponseStatus.BAD_REQUEST);
        }
    }

    /**
     * Deletes the form's files when the channel closes, unless {@link #cleanFiles()} was called before. Any thread may
     * call this.
     */
    public void cleanFilesWhenClosed(Channel channel) {
        ChannelFutureListener listener = future -> cleanFiles();
        channelListener = listener;
        watched = channel;
        channel.getCloseFuture().addListener(listener);
    }

    @Override
    public boolean isMultipart() {
        return decoder.isMultipart();
    }

    @Override
    public List<InterfaceHttpData> getBodyHttpDatas() throws NotEnoughDataDecoderException {
        return decoder.getBodyHttpDatas();
    }

    @Override
    public List<InterfaceHttpData> getBodyHttpDatas(String name) throws NotEnoughDataDecoderException {
        return decoder.getBodyHttpDatas(name);
    }

    @Override
    public InterfaceHttpData getBodyHttpData(String name) throws NotEnoughDataDecoderException {
        return decoder.getBodyHttpData(name);
    }

    @Override
    public void offer(HttpChunk chunk) throws ErrorDataDecoderException {
        decoder.offer(chunk);
    }

    @Override
    public boolean hasNext() throws EndOfDataDecoderException {
        return decoder.hasNext();
    }

    @Override
    public InterfaceHttpData next() throws EndOfDataDecoderException {
        return decoder.next();
    }

    @Override
    public void cleanFiles() {
        decoder.cleanFiles();
        Channel channel = watched;
        if (channel != null) {
            watched = null;
            channel.getCloseFuture().removeListener(channelListener);
        }
    }

    @Override
    public void removeHttpDataFromClean(InterfaceHttpData data) {
        decoder.removeHttpDataFromClean(data);
    }

    /** The position of a decoder in a multipart form. */
    protected enum MultiPartStatus {
        NOTSTARTED,
        PREAMBLE,
        HEADERDELIMITER,
        DISPOSITION,
        FIELD,
        FILEUPLOAD,
        MIXEDPREAMBLE,
        MIXEDDELIMITER,
        MIXEDDISPOSITION,
        MIXEDFILEUPLOAD,
        MIXEDCLOSEDELIMITER,
        CLOSEDELIMITER,
        PREEPILOGUE,
        EPILOGUE
    }

    /** Thrown if more of the form must be offered first. */
    public static class NotEnoughDataDecoderException extends Exception {
        private static final long serialVersionUID = 1L;

        public NotEnoughDataDecoderException() {}

        public NotEnoughDataDecoderException(String msg) {
            super(msg);
        }

        public NotEnoughDataDecoderException(Throwable cause) {
            super(cause);
        }

        public NotEnoughDataDecoderException(String msg, Throwable cause) {
            super(msg, cause);
        }
    }

    /** Thrown after all fields and files have been returned. */
    public static class EndOfDataDecoderException extends Exception {
        private static final long serialVersionUID = 1L;

        public EndOfDataDecoderException() {}
    }

    /** Thrown if the form is malformed or exceeds a limit, or its content could not be stored. */
    public static class ErrorDataDecoderException extends Exception implements HttpFailure {
        private static final long serialVersionUID = 1L;

        private final int status;

        public ErrorDataDecoderException() {
            status = HttpResponseStatus.BAD_REQUEST.getCode();
        }

        public ErrorDataDecoderException(String msg) {
            this(msg, HttpResponseStatus.BAD_REQUEST);
        }

        public ErrorDataDecoderException(Throwable cause) {
            this(cause, HttpResponseStatus.BAD_REQUEST);
        }

        public ErrorDataDecoderException(String msg, Throwable cause) {
            super(msg, cause);
            status = HttpResponseStatus.BAD_REQUEST.getCode();
        }

        ErrorDataDecoderException(String msg, HttpResponseStatus suggestedStatus) {
            super(msg);
            status = suggestedStatus.getCode();
        }

        ErrorDataDecoderException(Throwable cause, HttpResponseStatus suggestedStatus) {
            super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
            status = suggestedStatus.getCode();
        }

        /**
         * 400 for malformed input, 413 or 431 for input that is too large, 500 for content that could not be stored.
         */
        @Override
        public HttpResponseStatus suggestedStatus() {
            return HttpResponseStatus.valueOf(status);
        }
    }
}
