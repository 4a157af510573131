package org.freshet.handler.codec.http.server.route;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.server.internal.FileBody;
import org.freshet.handler.codec.http.server.internal.FileRegions;
import org.freshet.handler.stream.ChunkedWriteHandler;

/**
 * A response head with a file as its content. The file is opened when the response is sent. Belongs to the thread that
 * sends it.
 */
final class FileResponse extends DefaultHttpResponse {
    private final Path file;
    private final long length;

    FileResponse(Path file, String contentType) throws IOException {
        super(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        this.file = file;
        length = lengthOf(file);
        headers().set(Names.CONTENT_TYPE, HeaderSyntax.checkValue(Names.CONTENT_TYPE, contentType));
        HttpHeaders.setContentLength(this, length);
    }

    private static long lengthOf(Path file) throws IOException {
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(file, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            throw new HttpStatusException(HttpResponseStatus.NOT_FOUND, "no such file: " + file, e);
        }
        if (!attributes.isRegularFile()) {
            throw new HttpStatusException(HttpResponseStatus.NOT_FOUND, "not a regular file: " + file);
        }
        return attributes.size();
    }

    /**
     * Turns this into a response to HEAD. It begins like the response to GET, so that earlier handlers create the same
     * headers.
     *
     * @param place the context of the handler that answers
     */
    void leaveOutContent(ChannelHandlerContext place) {
        boolean isHeadKnown = Exchanges.of(place.getPipeline()) != null; // otherwise the client would wait for chunks
        setChunked(length > 0 && isHeadKnown && !FileRegions.mayBeUsed(place.getChannel(), this));
    }

    /**
     * Returns the body to send after the head; null for an empty file. Makes sure that a handler in the pipeline sends
     * it piece by piece.
     *
     * @param place the context of the handler that answers
     */
    FileBody open(ChannelHandlerContext place) throws IOException {
        if (length == 0) {
            return null;
        }
        ChannelPipeline pipeline = place.getPipeline();
        boolean asRegions = FileRegions.mayBeUsed(place.getChannel(), this);
        FileChannel opened = FileChannel.open(file, StandardOpenOption.READ);
        try {
            if (pipeline.get(ChunkedWriteHandler.class) == null) {
                pipeline.addBefore(place.getName(), ChunkedWriteHandler.class.getName(), new ChunkedWriteHandler());
            }
            setChunked(!asRegions);
            FileBody.Part all = new FileBody.Part(ChannelBuffers.EMPTY_BUFFER, 0, length);
            return new FileBody(opened, List.of(all), asRegions);
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }
}
