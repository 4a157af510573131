package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.freshet.handler.codec.http2.ReceivedFields.MalformedException;
import org.junit.jupiter.api.Test;

class FieldSyntaxTest {
    private final FieldSyntax syntax = new FieldSyntax();

    private void accept(int index, String name, String value) {
        assertDoesNotThrow(() -> syntax.check(index, name, value));
    }

    private void refuse(int index, String name, String value) {
        assertThrows(MalformedException.class, () -> syntax.check(index, name, value));
    }

    @Test
    void shouldAcceptFieldsAgainAtAnyPosition() {
        for (int i = 0; i < 3; i++) {
            for (int index = 0; index < 100; index += 2) {
                accept(index, "x-name", "a value");
                accept(index, "x-other", "");
            }
        }
    }

    @Test
    void shouldRefuseABadFieldAtAGoodOnesPositionHoweverOftenItIsRepeated() {
        String name = "x-name";
        String value = "value";
        for (int index = 0; index < 100; index += 2) {
            accept(index, name, value);
            for (int i = 0; i < 3; i++) {
                refuse(index, name, "a\nb");
                refuse(index, name, " value");
                refuse(index, name, "value\t");
                refuse(index, "X-name", value);
                refuse(index, "x name", value);
                refuse(index, "", value);
            }
            accept(index, name, value);
        }
    }

    @Test
    void shouldKnowTheFirstAndLastCharactersOfEachKind() {
        for (String name : List.of("a", "z", "0", "9", "!", "~", "^", "`")) {
            accept(0, name, "v");
        }
        for (String name : List.of("A", "Z", "@", "[", " ", "\u007f", "\u00e4")) {
            refuse(0, name, "v");
        }
        for (String value : List.of("", "!", "~", "a b", "a\tb", "\u0080", "\u00ff")) {
            accept(0, "a", value);
        }
        for (String value : List.of(" ", "\t", " v", "\tv", "v ", "v\t", "\u001f", "\u007f")) {
            refuse(0, "a", value);
        }
    }

    @Test
    void shouldRefuseAFieldWhoseValuePassedUnderAnotherName() {
        String value = "value";
        accept(8, "x-name", value);
        refuse(8, "x:name", value);
        assertEquals(
                "a field's name is not a token in lower case",
                assertThrows(MalformedException.class, () -> syntax.check(8, "x:name", value))
                        .getMessage());
    }

    @Test
    void shouldRefuseBadFieldsThatAreTooLongToBeRemembered() {
        String longValue = "v".repeat(1000);
        accept(0, "x-name", longValue);
        refuse(0, "x-name", longValue + "\r");
        accept(0, "x-name", longValue);
    }
}
