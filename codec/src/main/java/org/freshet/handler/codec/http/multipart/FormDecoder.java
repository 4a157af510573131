package org.freshet.handler.codec.http.multipart;

import java.io.IOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.EndOfDataDecoderException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.NotEnoughDataDecoderException;

/**
 * Common part of both form decoders: receives pieces, collects fields and files, enforces limits, and stops decoding
 * after a failure.
 *
 * <p>Used by one thread at a time, except for {@link #cleanFiles()}.
 */
abstract class FormDecoder implements InterfaceHttpPostRequestDecoder {
    /** Bytes copied at a time from a buffer without an array. */
    private static final int COPY_BYTES = 8192;

    private enum State {
        RECEIVING,
        COMPLETE,
        FAILED
    }

    final HttpLimits limits;

    /** Maximum bytes of the form as received. */
    private final long maxBytes;

    final Charset charset;
    private final HttpDataFactory factory;
    private final HttpRequest request;

    private final List<InterfaceHttpData> datas = new ArrayList<>();
    private final Map<String, List<InterfaceHttpData>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** Whether {@link #hasNext()} reports the end of the form with an exception. */
    private final boolean endIsException;

    private State state = State.RECEIVING;
    private String failure;
    private HttpResponseStatus failureStatus;
    private volatile boolean cleaned;

    /** The index of the element that {@link #next()} returns. */
    private int nextIndex;

    /** The number of fields and files that have begun. */
    private int parts;

    /** Bytes received. */
    private long received;

    /** Bytes of the current field. */
    private long fieldSize;

    /** Bytes of the completed fields and files that are in memory. */
    private long bytesInMemory;

    FormDecoder(HttpDataFactory factory, HttpRequest request, Charset charset, HttpLimits limits) {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.request = Objects.requireNonNull(request, "request");
        this.charset = Objects.requireNonNull(charset, "charset");
        this.limits = Objects.requireNonNull(limits, "limits");
        maxBytes = Math.min(limits.maxContentLength(), limits.maxFormSize());
        endIsException = request.isChunked() || !isMultipart();
    }

    /** Decodes a piece of the form. */
    abstract void decode(byte[] array, int from, int to) throws ErrorDataDecoderException, IOException;

    /** Completes a field or file that only the end of the form completes. */
    abstract void decodeEnd() throws ErrorDataDecoderException, IOException;

    // ---- receiving ----

    /** Decodes the content of a request that is not chunked. If that fails, deletes everything decoded so far. */
    final void decodeContent() throws ErrorDataDecoderException {
        if (request.isChunked()) {
            return;
        }
        try {
            receive(request.getContent(), true);
        } catch (ErrorDataDecoderException | RuntimeException e) {
            factory.cleanRequestHttpDatas(request);
            throw e;
        }
    }

    @Override
    public final void offer(HttpChunk chunk) throws ErrorDataDecoderException {
        receive(chunk.getContent(), chunk.isLast());
    }

    private void receive(ChannelBuffer content, boolean last) throws ErrorDataDecoderException {
        checkReceiving(content);
        if (state == State.COMPLETE) {
            return;
        }
        try {
            received += content.readableBytes();
            if (received > maxBytes) {
                throw tooLarge("the form has more than " + maxBytes + " bytes");
            }
            decode(content);
            if (last) {
                decodeEnd();
                state = State.COMPLETE;
            }
        } catch (ErrorDataDecoderException e) {
            throw failed(e);
        } catch (TooLargeException e) {
            throw failed(new ErrorDataDecoderException(e, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE));
        } catch (IllegalArgumentException e) {
            throw failed(new ErrorDataDecoderException(e, HttpResponseStatus.BAD_REQUEST));
        } catch (IOException | RuntimeException e) {
            throw failed(new ErrorDataDecoderException(e, HttpResponseStatus.INTERNAL_SERVER_ERROR));
        }
    }

    private void checkReceiving(ChannelBuffer content) throws ErrorDataDecoderException {
        if (cleaned && state == State.RECEIVING) {
            throw failed(new ErrorDataDecoderException("cleanFiles() was called before the form was complete"));
        }
        if (state == State.FAILED) {
            throw new ErrorDataDecoderException(failure, failureStatus);
        }
        if (state == State.COMPLETE && content.readable()) {
            throw new ErrorDataDecoderException("content after the last chunk of a form");
        }
    }

    private ErrorDataDecoderException failed(ErrorDataDecoderException e) {
        state = State.FAILED;
        failure = "the form has already failed: " + e.getMessage();
        failureStatus = e.suggestedStatus();
        return e;
    }

    private void decode(ChannelBuffer content) throws ErrorDataDecoderException, IOException {
        int at = content.readerIndex();
        int end = content.writerIndex();
        if (content.hasArray()) {
            decode(content.array(), content.arrayOffset() + at, content.arrayOffset() + end);
            return;
        }
        for (int n; at < end; at += n) {
            n = Math.min(end - at, COPY_BYTES);
            byte[] copy = new byte[n];
            content.getBytes(at, copy);
            decode(copy, 0, n);
        }
    }

    // ---- fields and files ----

    static ErrorDataDecoderException tooLarge(String what) {
        return new ErrorDataDecoderException(what, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
    }

    /** Counts a field or file before anything is allocated for it. */
    final void countPart() throws ErrorDataDecoderException {
        if (++parts > limits.maxFormFields()) {
            throw tooLarge("the form has more than " + limits.maxFormFields() + " fields");
        }
    }

    final void checkNameLength(int length) throws ErrorDataDecoderException {
        if (length > limits.maxFormNameLength()) {
            throw new ErrorDataDecoderException(
                    "a name in the form has more than " + limits.maxFormNameLength() + " bytes");
        }
    }

    final Attribute newAttribute(String name, Charset charset) {
        Attribute attribute = factory.createAttribute(request, name);
        attribute.setCharset(charset);
        fieldSize = 0;
        return attribute;
    }

    final FileUpload newFile(
            String name, String filename, String contentType, String encoding, Charset charset, long size) {
        return factory.createFileUpload(request, name, filename, contentType, encoding, charset, size);
    }

    /** Adds received content to its field or file, if the limits allow it. */
    final void addContent(HttpData data, byte[] array, int from, int to, boolean last)
            throws ErrorDataDecoderException, IOException {
        int length = to - from;
        if (data instanceof Attribute) {
            countFieldBytes(data, length);
        }
        boolean inMemory =
                data instanceof MixedHttpData ? ((MixedHttpData<?>) data).staysInMemory(length) : data.isInMemory();
        if (inMemory && bytesInMemory + data.length() + length > limits.maxFormBytesInMemory()) {
            throw tooLarge("the form has more than " + limits.maxFormBytesInMemory() + " bytes in memory");
        }
        data.addContent(ChannelBuffers.wrappedBuffer(array, from, length), last);
    }

    private void countFieldBytes(InterfaceHttpData field, int length) throws ErrorDataDecoderException {
        fieldSize += length;
        if (fieldSize > limits.maxFormFieldSize()) {
            throw tooLarge("the field " + HeaderSyntax.printable(field.getName()) + " has more than "
                    + limits.maxFormFieldSize() + " bytes");
        }
    }

    final void completed(HttpData data) {
        bytesInMemory += data.isInMemory() ? data.length() : 0;
        datas.add(data);
        byName.computeIfAbsent(data.getName(), n -> new ArrayList<>(1)).add(data);
    }

    @Override
    public final List<InterfaceHttpData> getBodyHttpDatas() throws NotEnoughDataDecoderException {
        checkComplete();
        return Collections.unmodifiableList(datas);
    }

    @Override
    public final List<InterfaceHttpData> getBodyHttpDatas(String name) throws NotEnoughDataDecoderException {
        checkComplete();
        List<InterfaceHttpData> named = byName.get(name);
        return named == null ? null : Collections.unmodifiableList(named);
    }

    @Override
    public final InterfaceHttpData getBodyHttpData(String name) throws NotEnoughDataDecoderException {
        checkComplete();
        List<InterfaceHttpData> named = byName.get(name);
        return named == null ? null : named.get(0);
    }

    private void checkComplete() throws NotEnoughDataDecoderException {
        if (state == State.FAILED) {
            throw new NotEnoughDataDecoderException(failure);
        }
        if (state != State.COMPLETE) {
            throw new NotEnoughDataDecoderException("the last chunk of the form has not been offered yet");
        }
    }

    @Override
    public final boolean hasNext() throws EndOfDataDecoderException {
        if (nextIndex < datas.size()) {
            return true;
        }
        if (state == State.COMPLETE && endIsException) {
            throw new EndOfDataDecoderException();
        }
        return false;
    }

    @Override
    public final InterfaceHttpData next() throws EndOfDataDecoderException {
        return hasNext() ? datas.get(nextIndex++) : null;
    }

    @Override
    public final void cleanFiles() {
        cleaned = true;
        factory.cleanRequestHttpDatas(request);
    }

    @Override
    public final void removeHttpDataFromClean(InterfaceHttpData data) {
        factory.removeHttpDataFromClean(request, data);
    }
}
