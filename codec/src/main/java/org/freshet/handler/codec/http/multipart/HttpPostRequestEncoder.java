package org.freshet.handler.codec.http.multipart;

import java.io.File;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpConstants;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.stream.SizedChunkedInput;

/**
 * Encodes a form into a request. Add fields and files, {@linkplain #finalizeRequest() finalize}, write the request, and
 * then, if it {@link #isChunked()}, write this object too, through a
 * {@link org.freshet.handler.stream.ChunkedWriteHandler}.
 *
 * <pre>{@code
 * HttpPostRequestEncoder form = new HttpPostRequestEncoder(request, true);
 * form.addBodyAttribute("title", "Report");
 * form.addBodyFileUpload("file", file, "application/pdf", false);
 * ChannelFuture sent = channel.write(form.finalizeRequest());
 * if (form.isChunked()) {
 *     sent = channel.write(form);
 * }
 * sent.addListener(future -> form.cleanFiles());
 * }</pre>
 *
 * <p>The request gets a {@code Content-Length}, since all sizes are known. If it is chunked, it also has
 * {@code Transfer-Encoding: chunked}, but the HTTP encoder sends the length only. To turn it into a whole message,
 * remove {@code Transfer-Encoding}, take all chunks and set their joined content. Not thread-safe.
 */
public class HttpPostRequestEncoder implements SizedChunkedInput {
    /** Maximum bytes of a chunk. */
    private static final int CHUNK_BYTES = 8096;

    /** How names, values and files are encoded. */
    public enum EncoderMode {
        /** Several files of one field go into a {@code multipart/mixed} part. */
        RFC1738,
        /**
         * Like RFC1738, but url-encoded forms escape everything except unreserved characters, with blanks as
         * {@code %20}.
         */
        RFC3986,
        /** Each file is a separate part (RFC 7578 4.3), as in browsers. */
        HTML5
    }

    private enum State {
        COLLECTING,
        SENDING,
        /** All content was taken, but not the last chunk. */
        AT_END,
        ENDED
    }

    private final HttpDataFactory factory;
    private final HttpRequest request;
    private final boolean multipart;
    private final Charset charset;
    private final EncoderMode mode;

    private final List<InterfaceHttpData> datas = new ArrayList<>();
    private State state = State.COLLECTING;
    private boolean chunked;

    /** The length of the content in bytes; -1 until the request is finalized. */
    private volatile long length = -1;

    /** The pieces to send, and the index of the current one. */
    private List<InterfaceHttpData> pieces = List.of();

    private int pieceIndex;

    /** Unsent bytes of the current piece; negative before its first. */
    private long pieceRemaining = -1;

    /** The current piece if it is text; null if it is content. */
    private ChannelBuffer text;

    /** Uses a {@link DefaultHttpDataFactory} and UTF-8. */
    public HttpPostRequestEncoder(HttpRequest request, boolean multipart) throws ErrorDataEncoderException {
        this(new DefaultHttpDataFactory(), request, multipart);
    }

    public HttpPostRequestEncoder(HttpDataFactory factory, HttpRequest request, boolean multipart)
            throws ErrorDataEncoderException {
        this(factory, request, multipart, HttpConstants.DEFAULT_CHARSET);
    }

    public HttpPostRequestEncoder(HttpDataFactory factory, HttpRequest request, boolean multipart, Charset charset)
            throws ErrorDataEncoderException {
        this(factory, request, multipart, charset, EncoderMode.RFC1738);
    }

    /** @throws ErrorDataEncoderException if the method is not POST, PUT, PATCH or OPTIONS */
    public HttpPostRequestEncoder(
            HttpDataFactory factory, HttpRequest request, boolean multipart, Charset charset, EncoderMode mode)
            throws ErrorDataEncoderException {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.request = Objects.requireNonNull(request, "request");
        this.charset = Objects.requireNonNull(charset, "charset");
        this.mode = Objects.requireNonNull(mode, "mode");
        this.multipart = multipart;
        HttpMethod method = request.getMethod();
        boolean allowed = method.equals(HttpMethod.POST)
                || method.equals(HttpMethod.PUT)
                || method.equals(HttpMethod.PATCH)
                || method.equals(HttpMethod.OPTIONS);
        if (!allowed) {
            throw new ErrorDataEncoderException("a " + method + " request cannot contain a form");
        }
    }

    /** Deletes the temporary files created for this form. */
    public void cleanFiles() {
        factory.cleanRequestHttpDatas(request);
    }

    public boolean isMultipart() {
        return multipart;
    }

    // ---- collecting ----

    /** The fields and files that were added. */
    public List<InterfaceHttpData> getBodyListAttributes() {
        return datas;
    }

    /** Replaces the fields and files. */
    public void setBodyHttpDatas(List<InterfaceHttpData> datas) throws ErrorDataEncoderException {
        Objects.requireNonNull(datas, "datas");
        checkCollecting();
        List<InterfaceHttpData> added = List.copyOf(datas);
        this.datas.clear();
        for (InterfaceHttpData data : added) {
            addBodyHttpData(data);
        }
    }

    /** @param value null for an empty value */
    public void addBodyAttribute(String name, String value) throws ErrorDataEncoderException {
        checkCollecting();
        try {
            Attribute attribute = factory.createAttribute(request, Objects.requireNonNull(name, "name"));
            attribute.setCharset(charset);
            attribute.setValue(value == null ? "" : value);
            datas.add(attribute);
        } catch (IllegalArgumentException | IOException e) {
            throw new ErrorDataEncoderException(e);
        }
    }

    /**
     * @param contentType null for {@code text/plain} or {@code application/octet-stream}
     * @param isText whether the content is text in this encoder's charset
     * @throws ErrorDataEncoderException if the file cannot be read, or its name could break out of a header
     */
    public void addBodyFileUpload(String name, File file, String contentType, boolean isText)
            throws ErrorDataEncoderException {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(file, "file");
        checkCollecting();
        String type = contentType != null ? contentType : isText ? "text/plain" : "application/octet-stream";
        try {
            if (!file.isFile()) {
                throw new IOException("not a readable file: " + file);
            }
            FileUpload upload = factory.createFileUpload(
                    request, name, file.getName(), type, isText ? null : "binary", charset, file.length());
            upload.setContent(file);
            datas.add(upload);
        } catch (IllegalArgumentException | IOException e) {
            throw new ErrorDataEncoderException(e);
        }
    }

    /** Adds several files for one field. The arrays must have the same length. */
    public void addBodyFileUploads(String name, File[] file, String[] contentType, boolean[] isText)
            throws ErrorDataEncoderException {
        if (file.length != contentType.length || file.length != isText.length) {
            throw new NullPointerException(
                    "lengths differ: " + file.length + ", " + contentType.length + ", " + isText.length);
        }
        for (int i = 0; i < file.length; i++) {
            addBodyFileUpload(name, file[i], contentType[i], isText[i]);
        }
    }

    /** Adds a field or file. In a url-encoded form, only the name of a file is sent. */
    public void addBodyHttpData(InterfaceHttpData data) throws ErrorDataEncoderException {
        Objects.requireNonNull(data, "data");
        checkCollecting();
        if (!(data instanceof Attribute) && !(data instanceof FileUpload)) {
            throw new ErrorDataEncoderException("neither a field nor a file: " + data.getHttpDataType());
        }
        datas.add(data);
    }

    private void checkCollecting() throws ErrorDataEncoderException {
        if (state != State.COLLECTING) {
            throw new ErrorDataEncoderException("the request has already been finalized");
        }
    }

    // ---- finalizing ----

    /**
     * Sets the headers of the request, and its content unless that follows in chunks.
     *
     * @return the request
     * @throws ErrorDataEncoderException if a name cannot be written, or this was called before
     */
    public HttpRequest finalizeRequest() throws ErrorDataEncoderException {
        checkCollecting();
        try {
            length = multipart ? layOutParts() : layOutPairs();
        } catch (IllegalArgumentException | IOException e) {
            throw new ErrorDataEncoderException(e);
        }
        chunked = multipart || length > CHUNK_BYTES;
        if (chunked) {
            request.setContent(ChannelBuffers.EMPTY_BUFFER);
            HttpHeaders.setTransferEncodingChunked(request); // only in the header, so that removing that is enough
            state = State.SENDING;
        } else {
            HttpHeaders.removeTransferEncodingChunked(request);
            request.setContent(((InternalAttribute) pieces.get(0)).toChannelBuffer());
            state = State.AT_END;
        }
        HttpHeaders.setContentLength(request, length);
        return request;
    }

    private long layOutParts() {
        FormParts parts = FormParts.of(datas, charset, mode != EncoderMode.HTML5);
        request.headers().set(HttpHeaders.Names.CONTENT_TYPE, "multipart/form-data; boundary=" + parts.boundary());
        pieces = parts.pieces();
        long bytes = 0;
        for (InterfaceHttpData piece : pieces) {
            bytes += piece instanceof HttpData ? ((HttpData) piece).length() : ((InternalAttribute) piece).size();
        }
        return bytes;
    }

    private long layOutPairs() throws IOException {
        request.headers().set(HttpHeaders.Names.CONTENT_TYPE, "application/x-www-form-urlencoded");
        StringBuilder pairs = new StringBuilder();
        for (InterfaceHttpData data : datas) {
            String value =
                    data instanceof Attribute ? ((Attribute) data).getValue() : ((FileUpload) data).getFilename();
            pairs.append(pairs.length() == 0 ? "" : "&");
            pairs.append(encoded(data.getName())).append('=').append(encoded(value));
        }
        InternalAttribute all = new InternalAttribute(StandardCharsets.US_ASCII); // escaped text is ASCII
        all.addValue(pairs.toString());
        pieces = List.of(all);
        return all.size();
    }

    private String encoded(String text) {
        String encoded = URLEncoder.encode(text, charset);
        return mode == EncoderMode.RFC3986
                ? encoded.replace("+", "%20").replace("*", "%2A").replace("%7E", "~")
                : encoded;
    }

    // ---- sending ----

    /** Whether the content follows the request in chunks. Only known once the request is finalized. */
    public boolean isChunked() {
        return chunked;
    }

    @Override
    public boolean hasNextChunk() throws Exception {
        return state == State.SENDING || state == State.AT_END;
    }

    @Override
    public boolean isEndOfInput() throws Exception {
        return state == State.ENDED;
    }

    /** The {@code Content-Length} of the request in bytes; -1 until the request is finalized. */
    @Override
    public long totalBytes() {
        return length;
    }

    @Override
    public long bytesOf(Object chunk) {
        return ((HttpChunk) chunk).getContent().readableBytes();
    }

    /** Does nothing: {@link #cleanFiles()} deletes temporary files. */
    @Override
    public void close() throws Exception {}

    /**
     * Returns the next chunk of the content, ending with one that {@linkplain HttpChunk#isLast() is last}.
     *
     * @throws ErrorDataEncoderException if the request was not finalized, a file cannot be read, or its length has
     *     changed
     */
    @Override
    public HttpChunk nextChunk() throws ErrorDataEncoderException {
        if (state == State.COLLECTING) {
            throw new ErrorDataEncoderException("call finalizeRequest() before taking chunks");
        }
        List<ChannelBuffer> content = new ArrayList<>();
        if (state == State.SENDING) {
            try {
                fill(content);
            } catch (IOException e) {
                throw new ErrorDataEncoderException(e);
            }
            if (!content.isEmpty()) {
                return new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(content.toArray(new ChannelBuffer[0])));
            }
        }
        state = State.ENDED;
        return new DefaultHttpChunk(ChannelBuffers.EMPTY_BUFFER);
    }

    /** Collects content for one chunk; nothing if all was taken. */
    private void fill(List<ChannelBuffer> content) throws IOException {
        int space = CHUNK_BYTES;
        while (space > 0 && findContent()) {
            ChannelBuffer taken = take(space);
            content.add(taken);
            space -= taken.readableBytes();
        }
    }

    /** Skips pieces that have been sent completely. Returns false if no pieces are left. */
    private boolean findContent() throws IOException {
        for (; pieceIndex < pieces.size(); pieceIndex++) {
            InterfaceHttpData piece = pieces.get(pieceIndex);
            if (pieceRemaining < 0) {
                beginPiece(piece);
            }
            if (pieceRemaining > 0) {
                return true;
            }
            endPiece(piece);
            pieceRemaining = -1;
        }
        return false;
    }

    /** Takes 1 to {@code maxBytes} bytes of the current piece. */
    private ChannelBuffer take(int maxBytes) throws IOException {
        InterfaceHttpData piece = pieces.get(pieceIndex);
        int bytes = (int) Math.min(maxBytes, pieceRemaining);
        ChannelBuffer taken = text != null ? text.readSlice(bytes) : ((HttpData) piece).getChunk(bytes);
        if (!taken.readable()) {
            throw new IOException("the content of " + piece.getName() + " is shorter than when it was added");
        }
        pieceRemaining -= taken.readableBytes();
        return taken;
    }

    private void beginPiece(InterfaceHttpData piece) {
        text = piece instanceof InternalAttribute ? ((InternalAttribute) piece).toChannelBuffer() : null;
        pieceRemaining = text != null ? text.readableBytes() : ((HttpData) piece).length();
    }

    /** Takes the empty chunk that rewinds a content, so that it can be sent again. */
    private static void endPiece(InterfaceHttpData piece) throws IOException {
        if (piece instanceof HttpData && ((HttpData) piece).getChunk(1).readable()) {
            throw new IOException("the content of " + piece.getName() + " is longer than when it was added");
        }
    }

    /** Thrown if the form cannot be encoded. */
    public static class ErrorDataEncoderException extends Exception {
        private static final long serialVersionUID = 1L;

        public ErrorDataEncoderException() {}

        public ErrorDataEncoderException(String msg) {
            super(msg);
        }

        public ErrorDataEncoderException(Throwable cause) {
            super(cause);
        }

        public ErrorDataEncoderException(String msg, Throwable cause) {
            super(msg, cause);
        }
    }
}
