package org.freshet.handler.codec.serialization;

import static java.io.ObjectInputFilter.Status.ALLOWED;
import static java.io.ObjectInputFilter.Status.REJECTED;
import static java.io.ObjectInputFilter.Status.UNDECIDED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A remembered decision about a class must not bypass a limit, nor carry over to another decoder. */
class SerialFilterTest {
    private static final ClassResolver LOADER = ClassResolvers.cacheDisabled(null);
    private static final String SAMPLES = "org.freshet.handler.codec.serialization.Samples$*";

    private record Info(Class<?> serialClass, long arrayLength, long depth, long references, long streamBytes)
            implements ObjectInputFilter.FilterInfo {
        static Info of(Class<?> type) {
            return new Info(type, -1, 1, 1, 0);
        }
    }

    private static ObjectInputFilter pattern(String pattern) {
        return ObjectInputFilter.Config.createFilter(pattern);
    }

    private static SerialFilter filter(ObjectInputFilter given, ObjectInputFilter jvmWide) {
        return new SerialFilter(SerialPolicy.of(LOADER, given), null, 1000, jvmWide);
    }

    private static ChannelBuffer encode(Object object) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new ObjectEncoder());
        encoder.offer(object);
        return encoder.poll();
    }

    private static Object decode(ObjectDecoder decoder, Object object) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(encode(object));
        return embedder.poll();
    }

    private static InvalidClassException refusal(ObjectDecoder decoder, Object object) {
        Throwable cause = assertThrows(CodecEmbedderException.class, () -> decode(decoder, object))
                .getCause();
        assertEquals(InvalidClassException.class, cause.getClass());
        return (InvalidClassException) cause;
    }

    @Test
    void shouldRecogniseFiltersThatDecideByClassOnly() {
        assertTrue(PatternFilters.lookAtClassesAlone(pattern("a.*;!b.C;m/c.**;!*")));
        for (String limit : List.of("maxdepth", "maxarray", "maxrefs", "maxbytes")) {
            assertFalse(PatternFilters.lookAtClassesAlone(pattern("a.*;" + limit + "=5;!*")), limit);
        }
        assertFalse(PatternFilters.lookAtClassesAlone(info -> UNDECIDED));
        assertFalse(PatternFilters.lookAtClassesAlone(ObjectInputFilter.merge(pattern("a.*"), pattern("maxrefs=5"))));
    }

    @Test
    void shouldAskAnUnknownFilterAboutEverything() {
        List<ObjectInputFilter.FilterInfo> asked = new ArrayList<>();
        ObjectInputFilter given = info -> {
            asked.add(info);
            return UNDECIDED;
        };
        Info type = new Info(Integer.class, -1, 2, 3, 4);
        Info part = new Info(null, -1, 2, 5, 6);
        SerialFilter filter = filter(given, null);
        for (int i = 0; i < 3; i++) {
            assertEquals(ALLOWED, filter.checkInput(type));
            assertEquals(ALLOWED, filter.checkInput(part));
        }
        assertEquals(List.of(type, part, type, part, type, part), asked);
        asked.clear();
        filter = filter(pattern("java.lang.*"), given);
        filter.checkInput(type);
        filter.checkInput(part);
        filter.checkInput(type);
        assertEquals(List.of(type, part, type), asked, "by the JVM-wide filter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"maxdepth=3", "maxarray=5", "maxrefs=7", "maxbytes=9"})
    void shouldApplyTheLimitsOfAPatternEvenToARememberedClass(String limit) {
        ObjectInputFilter limited = pattern(limit + ";**");
        for (SerialFilter filter : List.of(filter(limited, null), filter(pattern("**"), limited))) {
            assertEquals(ALLOWED, filter.checkInput(new Info(Object[].class, 5, 3, 7, 9)));
            assertEquals(ALLOWED, filter.checkInput(new Info(Object[].class, 5, 3, 7, 9)));
            assertEquals(REJECTED, filter.checkInput(new Info(Object[].class, 6, 4, 8, 10)), limit);
        }
        if (!limit.startsWith("maxarray")) { // this one says nothing about elements that are not arrays
            assertEquals(REJECTED, filter(limited, null).checkInput(new Info(null, -1, 4, 8, 10)), limit);
        }
    }

    @Test
    void shouldApplyItsOwnLimitsEvenToARememberedClass() {
        SerialFilter filter = filter(pattern("**"), null);
        assertEquals(ALLOWED, filter.checkInput(Info.of(Object[].class)));
        assertEquals(ALLOWED, filter.checkInput(new Info(Object[].class, 4064, 500, 1, 1)));
        assertEquals(REJECTED, filter.checkInput(new Info(Object[].class, 1, 1, 1, 1)));
        assertTrue(filter.refusal().getMessage().contains("array lengths add up to more than 4064: 4065"));
        filter = filter(pattern("**"), null);
        assertEquals(REJECTED, filter.checkInput(new Info(Object[].class, 1, 501, 1, 1)));
        assertTrue(filter.refusal().getMessage().contains("depth > 500: 501"));
        assertEquals(REJECTED, filter(pattern("**"), null).checkInput(new Info(null, -1, 501, 1, 1)));
    }

    @Test
    void shouldRememberAnAnswerOnlyForTheFilterThatGaveIt() {
        ObjectInputFilter allows = pattern(SAMPLES);
        ObjectInputFilter refuses = pattern("!" + SAMPLES);
        ObjectInputFilter indifferent = pattern("no.such.*");
        Info info = Info.of(Samples.Custom.class);
        for (int i = 0; i < 3; i++) {
            assertEquals(ALLOWED, filter(allows, null).checkInput(info));
            assertEquals(REJECTED, filter(refuses, null).checkInput(info));
            assertEquals(REJECTED, filter(indifferent, null).checkInput(info));
            assertEquals(ALLOWED, filter(allows, indifferent).checkInput(info));
            assertEquals(REJECTED, filter(allows, refuses).checkInput(info));
            assertEquals(REJECTED, filter(indifferent, allows).checkInput(info), "the JVM-wide filter allows nothing");
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(UNDECIDED, indifferent.checkInput(info));
            assertNotNull(decode(new ObjectDecoder(ClassResolvers.allowList(Samples.Custom.class)), custom()));
            refusal(new ObjectDecoder(999, LOADER, indifferent), custom());
        }
    }

    private static Samples.Custom custom() {
        return new Samples.Custom("a", "b");
    }

    @Test
    void shouldRefuseAClassEvenIfAnotherDecoderHasReadIt() {
        for (int i = 0; i < 3; i++) {
            assertNotNull(decode(new ObjectDecoder(999, LOADER, pattern(SAMPLES)), custom()));
            InvalidClassException e = refusal(new ObjectDecoder(LOADER), custom());
            assertTrue(e.getMessage().contains("Samples$Custom"), e.getMessage());
            assertTrue(e.getMessage().contains("refused by default"), e.getMessage());
            e = refusal(new ObjectDecoder(999, LOADER, pattern("!" + SAMPLES)), custom());
            assertTrue(e.getMessage().contains("refused by the given filter !"), e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "[a/b", "[", "[[", "[X", "", ".", "..", "x;", "Lx;", "[Lx", "\0", "no.such.Class"})
    void shouldNotResolveNamesThatAreNotClasses(String name) {
        assertThrows(ClassNotFoundException.class, () -> LOADER.resolve(name));
    }
}
