package org.freshet.handler.codec.http.server.files;

import static org.freshet.handler.codec.http.server.Connection.content;
import static org.freshet.handler.codec.http.server.Connection.header;
import static org.freshet.handler.codec.http.server.Connection.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.server.Connection;
import org.freshet.handler.codec.http.server.TextClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Configured headers, types and prefix, and handlers around it. */
@ParameterizedClass
@EnumSource(TextClient.Wire.class)
class StaticFileOptionsTest extends ServedFolder {
    StaticFileOptionsTest(TextClient.Wire wire) {
        super(wire);
    }

    // ---- options ----

    @Test
    void shouldSetCacheControlAndTypeAsConfigured() {
        Connection connection = connect(StaticFiles.under(root)
                .prefix("/s/")
                .cacheControl(path -> path.startsWith("/docs/") ? "no-cache" : null)
                .mimeTypes(MimeTypes.defaults().with("TXT", "text/x-mine")));
        assertEquals("no-cache", header(connection.request("GET", "/s/docs/"), "Cache-Control"));
        String answer = connection.request("GET", "/s/a.txt");
        assertNull(header(answer, "Cache-Control"));
        assertEquals("text/x-mine", header(answer, "Content-Type"));
    }

    @ParameterizedTest
    @CsvSource({
        "a.html,text/html; charset=utf-8",
        "a.HTML,text/html; charset=utf-8",
        "a.min.js,text/javascript; charset=utf-8",
        "a.json,application/json",
        "a.svg,image/svg+xml; charset=utf-8",
        "a.png,image/png",
        "a.wasm,application/wasm",
        "html,application/octet-stream",
        "a.,application/octet-stream",
        "a.unknown,application/octet-stream"
    })
    void shouldKnowTypes(String name, String type) {
        assertEquals(type, MimeTypes.defaults().typeOf(name));
    }

    // ---- other handlers ----

    @Test
    void shouldPassRequestsOutsideItsPrefix() {
        Application application = new Application();
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            new StaticFileHandler(StaticFiles.under(root).prefix("/s").build()), application
        });
        assertEquals(200, status(connection.request("GET", "/s/a.txt")));
        assertEquals(301, status(connection.request("GET", "/s")));
        for (String target : List.of("/", "/a.txt", "/static", "/s2/a.txt", "*")) {
            assertEquals("", connection.request(target.equals("*") ? "OPTIONS" : "GET", target));
            application.answer();
            assertEquals("application " + target, content(connection.takeSent()));
        }
    }

    @Test
    void shouldLetAContentEncoderProcessTheContent() throws IOException {
        write("large.txt", TEXT.repeat(1000));
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            new HttpContentCompressor(),
            new StaticFileHandler(StaticFiles.under(root).build())
        });
        for (String target : List.of("/a.txt", "/large.txt")) {
            String answer = connection.request("GET", target, "Accept-Encoding: gzip");
            assertEquals("gzip", header(answer, "Content-Encoding"));
            assertTrue(header(answer, "ETag").startsWith("W/"), answer);
            assertFalse(answer.contains(TEXT));
        }
        String plain = connection.request("GET", "/large.txt");
        assertEquals(TEXT.repeat(1000), content(plain));
        assertEquals("100000", header(plain, "Content-Length"));
        assertEquals(206, status(connection.request("GET", "/large.txt", "Accept-Encoding: gzip", "Range: bytes=0-1")));
    }
}
