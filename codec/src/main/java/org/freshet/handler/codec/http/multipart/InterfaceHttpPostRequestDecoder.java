package org.freshet.handler.codec.http.multipart;

import java.util.List;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.EndOfDataDecoderException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.NotEnoughDataDecoderException;

/** Reads a form. Not for several threads at once, except {@link #cleanFiles()}. */
public interface InterfaceHttpPostRequestDecoder {
    boolean isMultipart();

    /**
     * All fields and files, in their order.
     *
     * @throws NotEnoughDataDecoderException if the last chunk was not offered yet
     */
    List<InterfaceHttpData> getBodyHttpDatas() throws NotEnoughDataDecoderException;

    /**
     * All fields and files of a name, whatever its case; null if there is none.
     *
     * @throws NotEnoughDataDecoderException if the last chunk was not offered yet
     */
    List<InterfaceHttpData> getBodyHttpDatas(String name) throws NotEnoughDataDecoderException;

    /**
     * The first field or file of a name, whatever its case; null if there is none.
     *
     * @throws NotEnoughDataDecoderException if the last chunk was not offered yet
     */
    InterfaceHttpData getBodyHttpData(String name) throws NotEnoughDataDecoderException;

    /**
     * Decodes the next chunk of a request that is chunked. After a failure nothing more is decoded; each call throws then.
     *
     * @throws ErrorDataDecoderException if the form is malformed or beyond a limit, or content could not be stored
     */
    void offer(HttpChunk chunk) throws ErrorDataDecoderException;

    /**
     * Whether {@link #next()} has a field or file to return now.
     *
     * @throws EndOfDataDecoderException if all were returned and none will follow; a multipart form that came in one
     *     message returns false instead
     */
    boolean hasNext() throws EndOfDataDecoderException;

    /**
     * The next complete field or file; null if there is none now.
     *
     * @throws EndOfDataDecoderException as {@link #hasNext()}
     */
    InterfaceHttpData next() throws EndOfDataDecoderException;

    /** Deletes what belongs to the request, also what is being received; chunks that follow are refused. Any thread. */
    void cleanFiles();

    /** See {@link HttpDataFactory#removeHttpDataFromClean}. */
    void removeHttpDataFromClean(InterfaceHttpData data);
}
