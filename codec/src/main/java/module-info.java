/**
 * Codecs: bytes to messages and back. Each protocol or technique has its own package.
 *
 * <p>The protobuf and JBoss Marshalling codecs need their library on the module path. Nothing else here does, so both
 * are optional ({@code requires static}) rather than transitive: otherwise a module that requires this one would not
 * compile without them. If you use one of these codecs, require its library yourself:
 * {@code requires com.google.protobuf} or {@code requires org.jboss.marshalling}.
 */
@SuppressWarnings("requires-automatic") // neither library is an explicit module yet
module org.freshet.codec {
    requires transitive org.freshet.core;
    requires static com.google.protobuf;
    requires static org.jboss.marshalling;

    exports org.freshet.handler.codec;
    exports org.freshet.handler.codec.base64;
    exports org.freshet.handler.codec.compression;
    exports org.freshet.handler.codec.embedder;
    exports org.freshet.handler.codec.frame;
    exports org.freshet.handler.codec.http;
    exports org.freshet.handler.codec.http.cookie;
    exports org.freshet.handler.codec.http.multipart;
    exports org.freshet.handler.codec.http.server;
    exports org.freshet.handler.codec.http.server.files;
    exports org.freshet.handler.codec.http.server.route;
    exports org.freshet.handler.codec.http.websocketx;
    exports org.freshet.handler.codec.http2;
    exports org.freshet.handler.codec.marshalling;
    exports org.freshet.handler.codec.oneone;
    exports org.freshet.handler.codec.protobuf;
    exports org.freshet.handler.codec.proxyprotocol;
    exports org.freshet.handler.codec.replay;
    exports org.freshet.handler.codec.rtsp;
    exports org.freshet.handler.codec.serialization;
    exports org.freshet.handler.codec.socks;
    exports org.freshet.handler.codec.spdy;
    exports org.freshet.handler.codec.stomp;
    exports org.freshet.handler.codec.string;
    exports org.freshet.handler.proxy;
    exports org.freshet.handler.ssl;
    exports org.freshet.handler.ssl.util;
}
