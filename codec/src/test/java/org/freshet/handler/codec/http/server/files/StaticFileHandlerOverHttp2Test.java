package org.freshet.handler.codec.http.server.files;

import static org.freshet.handler.codec.http.server.Connection.content;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.Connection;
import org.freshet.handler.codec.http.server.SelectiveContentCompressor;
import org.freshet.handler.codec.http.server.TextClient;
import org.junit.jupiter.api.Test;

/** The same handlers on HTTP/2 streams. */
class StaticFileHandlerOverHttp2Test extends ServedFolder {
    StaticFileHandlerOverHttp2Test() {
        super(TextClient.Wire.HTTP_2);
    }

    /** A chunk would be in memory while the client's window is closed, on each of its streams. */
    @Test
    void shouldWriteALargeFileAsARegion() {
        List<Object> written = new ArrayList<>();
        ChannelDownstreamHandler recorder = (ctx, e) -> {
            if (e instanceof MessageEvent write) {
                written.add(write.getMessage());
            }
            ctx.sendDownstream(e);
        };
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {
            recorder,
            new SelectiveContentCompressor(),
            new StaticFileHandler(StaticFiles.under(root).build())
        });

        String answer = connection.request("GET", "/large.bin");

        assertEquals("x".repeat(LARGE), content(answer));
        assertEquals(2, written.size(), written::toString);
        assertInstanceOf(HttpResponse.class, written.get(0));
        assertInstanceOf(FileRegion.class, written.get(1));
    }
}
