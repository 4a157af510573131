package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Names and numbers are the same as in Netty 3. */
class Netty3ConstantsTest {
    @Test
    void shouldHaveTheSameHeaderNames() throws Exception {
        assertEquals(
                constants(org.jboss.netty.handler.codec.http.HttpHeaders.Names.class),
                constants(HttpHeaders.Names.class));
    }

    @Test
    void shouldHaveTheSameHeaderValues() throws Exception {
        assertEquals(
                constants(org.jboss.netty.handler.codec.http.HttpHeaders.Values.class),
                constants(HttpHeaders.Values.class));
    }

    @Test
    void shouldHaveTheSameStatuses() throws Exception {
        assertEquals(
                constants(org.jboss.netty.handler.codec.http.HttpResponseStatus.class),
                constants(HttpResponseStatus.class));
    }

    @Test
    void shouldHaveTheSameMethods() throws Exception {
        assertEquals(constants(org.jboss.netty.handler.codec.http.HttpMethod.class), constants(HttpMethod.class));
    }

    @Test
    void shouldDescribeEveryStatusAsNetty3Does() {
        for (int code = 0; code < 1100; code++) {
            HttpResponseStatus status = HttpResponseStatus.valueOf(code);
            assertEquals(
                    org.jboss.netty.handler.codec.http.HttpResponseStatus.valueOf(code)
                            .toString(),
                    status.toString());
        }
        assertSame(HttpResponseStatus.NOT_FOUND, HttpResponseStatus.valueOf(404));
    }

    private static Map<String, String> constants(Class<?> type) throws IllegalAccessException {
        Map<String, String> constants = new TreeMap<>();
        for (Field field : type.getFields()) {
            constants.put(field.getName(), field.get(null).toString());
        }
        return constants;
    }
}
