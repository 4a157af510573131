package org.freshet.handler.codec.http.multipart;

import java.util.List;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.EndOfDataDecoderException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.NotEnoughDataDecoderException;

/** Decodes a form. Not thread-safe, except for {@link #cleanFiles()}. */
public interface InterfaceHttpPostRequestDecoder {
    boolean isMultipart();

    /**
     * Returns all fields and files, in order.
     *
     * @throws NotEnoughDataDecoderException if the last chunk has not been offered yet
     */
    List<InterfaceHttpData> getBodyHttpDatas() throws NotEnoughDataDecoderException;

    /**
     * Returns all fields and files with this name, ignoring case; null if the form has no such name.
     *
     * @throws NotEnoughDataDecoderException if the last chunk has not been offered yet
     */
    List<InterfaceHttpData> getBodyHttpDatas(String name) throws NotEnoughDataDecoderException;

    /**
     * Returns the first field or file with this name, ignoring case; null if the form has no such name.
     *
     * @throws NotEnoughDataDecoderException if the last chunk has not been offered yet
     */
    InterfaceHttpData getBodyHttpData(String name) throws NotEnoughDataDecoderException;

    /**
     * Decodes the next chunk of a chunked request. After a failure, nothing more is decoded, and every call throws.
     *
     * @throws ErrorDataDecoderException if the form is malformed or exceeds a limit, or content could not be stored
     */
    void offer(HttpChunk chunk) throws ErrorDataDecoderException;

    /**
     * Whether {@link #next()} can return a field or file now.
     *
     * @throws EndOfDataDecoderException if all have been returned and no more will follow; for a multipart form in an
     *     unchunked request, false is returned instead
     */
    boolean hasNext() throws EndOfDataDecoderException;

    /**
     * Returns the next complete field or file; null if no other one is complete yet.
     *
     * @throws EndOfDataDecoderException under the same conditions as {@link #hasNext()}
     */
    InterfaceHttpData next() throws EndOfDataDecoderException;

    /**
     * Deletes all of the request's data, even while the form is being received. Later chunks are refused. Any thread
     * may call this.
     */
    void cleanFiles();

    /** See {@link HttpDataFactory#removeHttpDataFromClean}. */
    void removeHttpDataFromClean(InterfaceHttpData data);
}
