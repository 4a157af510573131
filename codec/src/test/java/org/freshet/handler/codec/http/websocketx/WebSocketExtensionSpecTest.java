package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.freshet.handler.codec.http.websocketx.WebSocketExtensionSpec.Parameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketExtensionSpecTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|[]",
                "` \t `|[]",
                ",,|[]",
                "a|[a]",
                "`\ta\t,\tb\t`|[a, b]",
                ",a,,b,|[a, b]",
                "a;x|[a; x]",
                "a ; x = 1 ; y ; x=2|[a; x=1; y; x=2]",
                "`a;x=\"1\"`|[a; x=1]",
                "`a;x=\"1\" , b`|[a; x=1, b]",
                "`a;x=\"\\1\\2\";y`|[a; x=12; y]"
            })
    void shouldParse(String header, String expected) {
        assertEquals(expected, WebSocketExtensionSpec.parse(List.of(header)).toString());
    }

    @Test
    void shouldParseEachHeader() {
        assertEquals("[a, b]", WebSocketExtensionSpec.parse(List.of("a", "b")).toString());
        assertEquals(List.of(), WebSocketExtensionSpec.parse(List.of()));
        assertEquals(
                List.of(new WebSocketExtensionSpec("a").with("x", null).with("x", "1")),
                WebSocketExtensionSpec.parse(List.of("a;x;x=1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";",
                "a b",
                "a;",
                "a;;x",
                "a;x=",
                "a=1",
                "a;x=1 2",
                "a;x=\"",
                "a;x=\"1",
                "a;x=\"\"",
                "a;x=\"1\\",
                "a;x=\"1 2\"",
                "a;x=\"1\"2",
                "\"a\"",
                "a;\"x\"",
                "a;x=,b",
                "a;x=;y"
            })
    void shouldRefuse(String header) {
        assertThrows(WebSocketHandshakeException.class, () -> WebSocketExtensionSpec.parse(List.of(header)));
    }

    @Test
    void shouldHoldOnlyTokens() {
        assertThrows(IllegalArgumentException.class, () -> new WebSocketExtensionSpec("a b"));
        assertThrows(IllegalArgumentException.class, () -> new WebSocketExtensionSpec(""));
        assertThrows(NullPointerException.class, () -> new WebSocketExtensionSpec(null));
        assertThrows(IllegalArgumentException.class, () -> new Parameter("a;", null));
        assertThrows(IllegalArgumentException.class, () -> new Parameter("a", "b;"));
        assertThrows(NullPointerException.class, () -> new Parameter(null, "b"));
    }
}
