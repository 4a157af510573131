package org.freshet.microbench.compare.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultFileRegion;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.freshet.microbench.compare.load.FileDialect;

/** Answers each request with one file, opened for it, as a file region. */
final class Netty4FileHandler extends ChannelInboundHandlerAdapter {
    private final Path path;

    Netty4FileHandler(Path path) {
        this.path = path;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof HttpRequest) {
            FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, FileDialect.CONTENT_TYPE);
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, file.size());
            context.write(response);
            context.write(new DefaultFileRegion(file, 0, file.size())); // closes the file
            context.write(LastHttpContent.EMPTY_LAST_CONTENT);
        }
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
