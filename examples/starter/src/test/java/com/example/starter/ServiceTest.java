package com.example.starter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServiceTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private Service service;
    private int port;

    @BeforeEach
    void start() {
        service = new Service();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        port = ((InetSocketAddress) service.bind(any).getLocalAddress()).getPort();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private HttpResponse<String> get(String target) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + target);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldGreet() throws Exception {
        HttpResponse<String> response = get("/?name=Ann");
        assertEquals(200, response.statusCode());
        assertEquals("Hello, Ann!\n", response.body());
    }

    @Test
    void shouldRefuseOtherPaths() throws Exception {
        assertEquals(404, get("/nothing").statusCode());
    }
}
