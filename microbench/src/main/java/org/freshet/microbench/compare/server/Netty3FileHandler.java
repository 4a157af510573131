package org.freshet.microbench.compare.server;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.freshet.microbench.compare.load.FileDialect;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.DefaultFileRegion;
import org.jboss.netty.channel.ExceptionEvent;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.handler.codec.http.DefaultHttpResponse;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.handler.codec.http.HttpVersion;

/** Answers each request with one file, opened for it, as a file region. */
final class Netty3FileHandler extends SimpleChannelUpstreamHandler {
    private final Path path;

    Netty3FileHandler(Path path) {
        this.path = path;
    }

    @Override
    public void messageReceived(ChannelHandlerContext context, MessageEvent event) throws Exception {
        if (!(event.getMessage() instanceof HttpRequest)) {
            return;
        }
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, FileDialect.CONTENT_TYPE);
        response.headers().set(HttpHeaders.Names.CONTENT_LENGTH, file.size());
        event.getChannel().write(response);
        event.getChannel().write(new DefaultFileRegion(file, 0, file.size(), true));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, ExceptionEvent event) {
        event.getChannel().close();
    }
}
