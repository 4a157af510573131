package org.freshet.handler.codec.http.multipart;

import java.io.IOException;
import java.nio.charset.Charset;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpConstants;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.MultiPartStatus;

/**
 * Decodes {@code multipart/form-data} (RFC 7578), including files in {@code multipart/mixed} parts, which older clients
 * send. Each piece of a file is passed on right away to the object that stores it.
 *
 * <p>A form that ends before its closing delimiter is refused, unless it ends with another delimiter.
 */
public class HttpPostMultipartRequestDecoder extends FormDecoder {
    private static final String DEFAULT_CONTENT_TYPE = "application/octet-stream";
    private static final String DEFAULT_TRANSFER_ENCODING = "7bit";
    private static final ChannelBuffer END = ChannelBuffers.EMPTY_BUFFER;

    private final BoundaryScanner outer;
    private final PartHead head;

    private MultiPartStatus status = MultiPartStatus.PREAMBLE;

    /** For the multipart/mixed part being received, like the two fields below. */
    private BoundaryScanner inner;

    private String mixedName;
    private Charset mixedCharset;

    /** The field or file being received; null between two. */
    private HttpData current;

    /** Whether anything was received, and whether a delimiter was. */
    private boolean begun;

    private boolean delimited;

    /** Uses a {@link DefaultHttpDataFactory}, and UTF-8 unless the request specifies a charset. */
    public HttpPostMultipartRequestDecoder(HttpRequest request) throws ErrorDataDecoderException {
        this(new DefaultHttpDataFactory(), request);
    }

    public HttpPostMultipartRequestDecoder(HttpDataFactory factory, HttpRequest request)
            throws ErrorDataDecoderException {
        this(factory, request, HttpConstants.DEFAULT_CHARSET);
    }

    /** @param charset for names, and for fields without a charset, unless the request specifies one */
    public HttpPostMultipartRequestDecoder(HttpDataFactory factory, HttpRequest request, Charset charset)
            throws ErrorDataDecoderException {
        this(factory, request, charset, HttpLimits.defaults());
    }

    /**
     * @param charset for names, and for fields without a charset, unless the request specifies one
     * @throws ErrorDataDecoderException if the request is not a multipart form, or its content is malformed
     */
    public HttpPostMultipartRequestDecoder(
            HttpDataFactory factory, HttpRequest request, Charset charset, HttpLimits limits)
            throws ErrorDataDecoderException {
        this(factory, request, charset, limits, contentType(request));
    }

    private HttpPostMultipartRequestDecoder(
            HttpDataFactory factory, HttpRequest request, Charset charset, HttpLimits limits, HeaderParameters type)
            throws ErrorDataDecoderException {
        super(factory, request, type.charset() == null ? charset : type.charset(), limits);
        outer = new BoundaryScanner(type.boundary());
        head = new PartHead(limits, this.charset);
        decodeContent();
    }

    private static HeaderParameters contentType(HttpRequest request) throws ErrorDataDecoderException {
        HeaderParameters type =
                HttpPostRequestDecoder.multipartType(request.headers().get(HttpHeaders.Names.CONTENT_TYPE));
        if (type == null) {
            throw new ErrorDataDecoderException("the request is not a multipart form");
        }
        return type;
    }

    @Override
    public boolean isMultipart() {
        return true;
    }

    @Override
    final void decode(byte[] array, int from, int to) throws ErrorDataDecoderException, IOException {
        begun |= from < to;
        int at = from;
        while (at < to && status != MultiPartStatus.EPILOGUE) {
            switch (status) {
                case DISPOSITION:
                case MIXEDDISPOSITION:
                    at = head.read(array, at, to);
                    if (head.isComplete()) {
                        beginPart();
                    }
                    break;
                case MIXEDPREAMBLE:
                case MIXEDFILEUPLOAD:
                    at = decodeData(inner, array, at, to);
                    break;
                default:
                    at = decodeData(outer, array, at, to);
                    break;
            }
        }
    }

    // ---- data ----

    private int decodeData(BoundaryScanner scanner, byte[] array, int from, int to)
            throws ErrorDataDecoderException, IOException {
        BoundaryScanner.Found found = scanner.scan(array, from, to);
        boolean last = found != BoundaryScanner.Found.NOTHING;
        if (current != null) {
            byte[] carried = scanner.carried();
            if (carried.length > 0) {
                addContent(current, carried, 0, carried.length, false);
            }
            int end = scanner.dataEnd();
            if (from < end || last) {
                addContent(current, array, from, end, last);
            }
        }
        if (last) {
            endData(scanner, found == BoundaryScanner.Found.CLOSE_DELIMITER);
        }
        return scanner.next();
    }

    private void endData(BoundaryScanner scanner, boolean closed) {
        completeCurrent();
        delimited = true;
        head.begin();
        if (scanner == outer) {
            status = closed ? MultiPartStatus.EPILOGUE : MultiPartStatus.DISPOSITION;
        } else {
            status = closed ? MultiPartStatus.MIXEDCLOSEDELIMITER : MultiPartStatus.MIXEDDISPOSITION;
        }
    }

    private void completeCurrent() {
        if (current != null) {
            completed(current);
            current = null;
        }
    }

    // ---- parts ----

    private void beginPart() throws ErrorDataDecoderException {
        countPart();
        boolean mixed = status == MultiPartStatus.MIXEDDISPOSITION;
        if (head.disposition() == null) {
            throw new ErrorDataDecoderException("a part has no content-disposition");
        }
        Disposition disposition = new Disposition(head.disposition());
        HeaderParameters type = head.contentType() == null ? null : new HeaderParameters(head.contentType());
        if (mixed) {
            beginMixedFile(disposition, type);
        } else {
            beginField(disposition, type);
        }
    }

    private void beginField(Disposition disposition, HeaderParameters type) throws ErrorDataDecoderException {
        if (!disposition.isFormData() || disposition.name() == null) {
            throw new ErrorDataDecoderException("a part is not form-data with a name");
        }
        String name = disposition.name();
        checkNameLength(name.getBytes(charset).length);
        Charset partCharset = type == null || type.charset() == null ? charset : type.charset();
        if (isMixed(type)) {
            inner = new BoundaryScanner(type.boundary());
            mixedName = FormNames.checkFieldName(name);
            mixedCharset = partCharset;
            status = MultiPartStatus.MIXEDPREAMBLE;
            return;
        }
        if (disposition.filename() == null) {
            current = newAttribute(name, partCharset);
            status = MultiPartStatus.FIELD;
        } else {
            current = newFile(name, disposition, type, partCharset);
            status = MultiPartStatus.FILEUPLOAD;
        }
        outer.begin();
    }

    private void beginMixedFile(Disposition disposition, HeaderParameters type) throws ErrorDataDecoderException {
        if (!disposition.isAttachment() || disposition.filename() == null || isMixed(type)) {
            throw new ErrorDataDecoderException("a part of multipart/mixed is not an attachment with a filename");
        }
        Charset partCharset = type == null || type.charset() == null ? mixedCharset : type.charset();
        current = newFile(mixedName, disposition, type, partCharset);
        status = MultiPartStatus.MIXEDFILEUPLOAD;
        inner.begin();
    }

    private HttpData newFile(String name, Disposition disposition, HeaderParameters type, Charset partCharset) {
        String encoding = head.transferEncoding();
        return newFile(
                name,
                disposition.filename(),
                type == null || type.value().isEmpty() ? DEFAULT_CONTENT_TYPE : type.value(),
                encoding == null ? DEFAULT_TRANSFER_ENCODING : encoding,
                partCharset,
                head.contentLength());
    }

    private static boolean isMixed(HeaderParameters type) {
        return type != null && type.value().equals("multipart/mixed");
    }

    // ---- end ----

    @Override
    final void decodeEnd() throws ErrorDataDecoderException, IOException {
        if (status == MultiPartStatus.EPILOGUE || !begun) {
            return;
        }
        if (!delimited && !outer.endsWithDelimiter()) {
            throw new ErrorDataDecoderException("the form has no delimiter");
        }
        boolean afterDelimiter = status == MultiPartStatus.DISPOSITION && head.isEmpty();
        boolean inMixed = status == MultiPartStatus.MIXEDPREAMBLE || status == MultiPartStatus.MIXEDFILEUPLOAD;
        if (!afterDelimiter && (inMixed || !outer.endsWithDelimiter())) {
            throw new ErrorDataDecoderException("the form ends before its closing delimiter");
        }
        if (current != null) {
            current.addContent(END, true);
        }
        completeCurrent();
        status = MultiPartStatus.EPILOGUE;
    }
}
