package org.freshet.example.soak;

import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpContentDecompressor;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2StreamChannelFactory;

/** Requests with and without content or compression, several at a time on a persistent connection. */
final class HttpVisits {
    private static final int MAX_ROUNDS = 5;
    private static final int MAX_PIPELINED = 8;
    private static final int MAX_STREAMS = 20;

    private HttpVisits() {}

    /** HTTP/1.1: pipelined requests, answered in order. */
    static void pipelined(Guest guest) throws ClosedEarlyException, WrongException, InterruptedException {
        try (Connection connection =
                Connection.open(guest, Service.HTTP, new HttpClientCodec(), decompressor(), aggregator())) {
            boolean isKept = true;
            for (int round = guest.upTo(MAX_ROUNDS); round > 0 && isKept; round--) {
                isKept = exchange(guest, connection);
            }
        }
    }

    /** Returns whether the connection stays open. If it does not, requests after the last answer are lost. */
    private static boolean exchange(Guest guest, Connection connection)
            throws ClosedEarlyException, WrongException, InterruptedException {
        List<HttpExchange> exchanges = exchanges(guest, MAX_PIPELINED);
        exchanges.forEach(exchange -> connection.write(exchange.request()));
        for (HttpExchange exchange : exchanges) {
            HttpResponse response = (HttpResponse) connection.next();
            exchange.check(response);
            guest.ledger().onExchange();
            if (!HttpHeaders.isKeepAlive(response)) {
                if (!guest.server().isDrained()) {
                    throw new WrongException("the server closes the connection although it is not being drained");
                }
                return false;
            }
        }
        return true;
    }

    /** HTTP/2: concurrent streams. */
    static void streams(Guest guest) throws ClosedEarlyException, WrongException, InterruptedException {
        try (Connection connection = Connection.open(guest, Service.HTTP, new Http2ClientHandler())) {
            ChannelFactory factory = new Http2StreamChannelFactory(connection.channel());
            for (int round = guest.upTo(MAX_ROUNDS); round > 0; round--) {
                List<HttpExchange> exchanges = exchanges(guest, MAX_STREAMS);
                List<Connection> streams = new ArrayList<>();
                for (HttpExchange exchange : exchanges) {
                    Connection stream =
                            Connection.open(guest, factory, guest.address(Service.HTTP), decompressor(), aggregator());
                    stream.write(exchange.request());
                    streams.add(stream);
                }
                for (int i = 0; i < streams.size(); i++) {
                    exchanges.get(i).check((HttpResponse) streams.get(i).next());
                    guest.ledger().onExchange();
                }
            }
        }
    }

    private static List<HttpExchange> exchanges(Guest guest, int max) {
        List<HttpExchange> exchanges = new ArrayList<>();
        for (int i = guest.upTo(max); i > 0; i--) {
            exchanges.add(HttpExchange.random(guest));
        }
        return exchanges;
    }

    private static ChannelHandler decompressor() {
        return new HttpContentDecompressor();
    }

    private static ChannelHandler aggregator() {
        return new HttpChunkAggregator(HttpExchange.MAX_ANSWER_BYTES);
    }
}
