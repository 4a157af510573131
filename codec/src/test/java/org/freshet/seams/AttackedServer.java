package org.freshet.seams;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MemoryBudget;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.multipart.DefaultHttpDataFactory;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import org.freshet.handler.codec.http.multipart.InterfaceHttpData;
import org.freshet.handler.codec.http.server.AccessLogFormat;
import org.freshet.handler.codec.http.server.CompressionRules;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.RoutedRequest;
import org.freshet.handler.codec.http.server.route.Router;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.util.HashedWheelTimer;

/**
 * The starter's service in a separate process, with static files, chunked forms, and HTTP/2; its limits are the
 * defaults, except for the number of connections. It answers each line of its input with what it holds, and exits at
 * the end of its input.
 */
final class AttackedServer {
    private static final int MAX_CONTENT_BYTES = 64 * 1024;

    /** Without this, connections accepted faster than served fill a heap of 64 MB. */
    private static final int MAX_CONNECTIONS = 1000;

    /** Collections before the heap is measured: what one makes unreachable, the next ones free. */
    private static final int COLLECTIONS = 3;

    private static final Set<String> SHARED_THREADS = Set.of("freshet-timer", "freshet-spare", "Attach Listener");

    private static final PrintStream OUT = System.out;

    private AttackedServer() {}

    /** @param args the directory of the files */
    public static void main(String[] args) throws Exception {
        HashedWheelTimer timer = new HashedWheelTimer();
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        RequestHandler service = RequestHandler.of(
                Router.builder().get("/", AttackedServer::greeting).build());
        bootstrap.setPipelineFactory(HttpServerPipeline.builder(timer)
                .accessLog(AccessLogFormat.combined())
                .compress(CompressionRules.defaults())
                .decompress()
                .files(StaticFiles.under(Path.of(args[0])).prefix("/files").build())
                .http2(Http2Settings.defaults())
                .handler("forms", Forms::new)
                .handler("whole", () -> new HttpChunkAggregator(MAX_CONTENT_BYTES))
                .handler("service", () -> service)
                .build());
        bootstrap.setOption("child.tcpNoDelay", true);
        bootstrap.setOption("backlog", 1024);
        bootstrap.setOption("maxConnections", MAX_CONNECTIONS);
        InetSocketAddress address = (InetSocketAddress) bootstrap
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .getLocalAddress();
        OUT.println(address.getPort());
        for (int c = System.in.read(); c >= 0; c = System.in.read()) {
            if (c == '\n') {
                OUT.println(state());
            }
        }
        System.exit(0);
    }

    private static HttpResponse greeting(RoutedRequest request) {
        String name = request.queryParameter("name");
        return HttpResponses.text("Hello, " + (name == null ? "world" : name) + "!\n");
    }

    /** Receives the forms of one connection, whose files go to disk above a certain size. On the I/O thread. */
    private static final class Forms extends SimpleChannelUpstreamHandler {
        /** Null unless a form is being received. */
        private HttpPostRequestDecoder form;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            Object message = e.getMessage();
            if (message instanceof HttpRequest request
                    && request.getUri().equals("/form")
                    && request.getMethod().getName().equals("POST")) {
                form = new HttpPostRequestDecoder(new DefaultHttpDataFactory(), request, UTF_8);
                form.cleanFilesWhenClosed(e.getChannel());
                answerIf(!request.isChunked(), e);
            } else if (message instanceof HttpChunk chunk && form != null) {
                form.offer(chunk);
                answerIf(chunk.isLast(), e);
            } else {
                ctx.sendUpstream(e);
            }
        }

        private void answerIf(boolean isComplete, MessageEvent e) throws Exception {
            if (isComplete) {
                HttpPostRequestDecoder complete = form;
                form = null;
                try {
                    e.getChannel().write(HttpResponses.text(described(complete)));
                } finally {
                    complete.cleanFiles();
                }
            }
        }

        private static String described(HttpPostRequestDecoder form) throws Exception {
            StringBuilder text = new StringBuilder();
            for (InterfaceHttpData data : form.getBodyHttpDatas()) {
                if (!(data instanceof org.freshet.handler.codec.http.multipart.HttpData part)) {
                    throw new ErrorDataDecoderException("neither a field nor a file: " + data);
                }
                text.append(part.getName()).append('=').append(part.length()).append('\n');
            }
            return text.toString();
        }
    }

    // ---- what it holds ----------------------------------------------------------------------------------------------

    private static String state() throws IOException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime memory = Runtime.getRuntime();
        return (memory.totalMemory() - memory.freeMemory()) + " " + MemoryBudget.getQueuedBytes() + " " + descriptors()
                + " " + threads();
    }

    /** Without threads that a process starts once and keeps. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !SHARED_THREADS.contains(thread.getName()))
                .count();
    }

    /** 0 if the system does not list them. */
    private static int descriptors() throws IOException {
        Path open = Path.of("/proc/self/fd");
        if (!Files.isDirectory(open)) {
            return 0;
        }
        int count = 0;
        try (DirectoryStream<Path> links = Files.newDirectoryStream(open)) {
            for (Path ignored : links) {
                count++;
            }
        }
        return count;
    }
}
