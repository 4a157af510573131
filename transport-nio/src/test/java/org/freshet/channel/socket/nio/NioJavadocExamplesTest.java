package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.freshet.testing.JavadocExamples;
import org.junit.jupiter.api.Test;

class NioJavadocExamplesTest {
    @Test
    void shouldCompileEveryExample() {
        int examples = JavadocExamples.in("src/main/java")
                .importing("org.freshet.bootstrap.*", "org.freshet.channel.*", "org.freshet.handler.traffic.*")
                .given("static class MyHandler extends SimpleChannelHandler {}")
                .compile();
        assertEquals(4, examples);
    }
}
