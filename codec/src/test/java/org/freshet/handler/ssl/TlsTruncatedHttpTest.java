package org.freshet.handler.ssl;

import static org.freshet.handler.ssl.Bytes.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.PrematureChannelClosureException;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A response that lasts until the connection closes is complete only if the peer closes it. */
@Tag("crypto")
class TlsTruncatedHttpTest {
    @ParameterizedTest
    @ValueSource(strings = {TlsPair.TLS_1_2, TlsPair.TLS_1_3})
    void shouldNotDeliverAResponseThatWasCutOffAsComplete(String protocol) throws Exception {
        TlsPair pair = answered(protocol);
        Channels.close(pair.client.context(pair.clientHandler), Channels.future(pair.client)); // the connection breaks
        assertEquals(List.of(), pair.client.takeReceived());
        List<Throwable> caught = pair.client.takeCaught();
        assertEquals(1, caught.size());
        assertInstanceOf(PrematureChannelClosureException.class, caught.get(0));
    }

    @Test
    void shouldDeliverAResponseThatThePeerEnds() throws Exception {
        TlsPair pair = answered(TlsPair.TLS_1_3);
        pair.server.close();
        pair.pump();
        HttpResponse received = (HttpResponse) pair.client.takeReceived().get(0);
        assertEquals(5, received.getContent().readableBytes());
        assertEquals(List.of(), pair.client.takeCaught());
    }

    private static TlsPair answered(String protocol) throws Exception {
        TlsPair pair = TlsPair.of(protocol).established();
        pair.client.getPipeline().addAfter(nameOf(pair), "http", new HttpClientCodec());
        pair.client.getPipeline().addAfter("http", "aggregator", new HttpChunkAggregator(100));
        pair.client.write(new DefaultHttpRequest(HttpVersion.HTTP_1_0, HttpMethod.GET, "/"));
        pair.pump();
        pair.server.write(text("HTTP/1.1 200 OK\r\n\r\nhello"));
        pair.pump();
        return pair;
    }

    private static String nameOf(TlsPair pair) {
        return pair.client.context(pair.clientHandler).getName();
    }
}
