package org.freshet.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.serialization.CompatibleObjectEncoder;
import org.freshet.handler.codec.serialization.ObjectDecoder;
import org.freshet.handler.codec.serialization.ObjectEncoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.junit.jupiter.api.Test;

/**
 * Walks the handler classes of all modules. It generates the Javadoc page that says which handlers may be shared, so
 * that the page cannot be wrong: {@code mvn test -pl examples -am -Dtest=HandlerTableTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dfreshet.handlers.write=true} rewrites it.
 */
class HandlerTableTest {
    private static final Path PAGE =
            Path.of("../core/src/main/javadoc/org.freshet.core/org/freshet/channel/doc-files/handlers.html");

    private static final String WRITE_PROPERTY = "freshet.handlers.write";

    /** A class from each module. */
    private static final List<Class<?>> MODULES = List.of(
            ChannelHandler.class,
            FrameDecoder.class,
            NioServerSocketChannelFactory.class,
            OioServerSocketChannelFactory.class);

    private static final String OURS = "org.freshet.";
    private static final String THEIRS = "org.jboss.netty.";

    private static List<Class<?>> handlers() throws IOException {
        List<Class<?>> handlers = new ArrayList<>();
        for (Class<?> module : MODULES) {
            for (Class<?> type : ModuleClasses.of(module)) {
                if (ChannelHandler.class.isAssignableFrom(type) && isReadyForUse(type)) {
                    handlers.add(type);
                }
            }
        }
        return handlers;
    }

    /** Without base classes that do nothing by themselves. */
    private static boolean isReadyForUse(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && !Modifier.isAbstract(type.getModifiers())
                && !type.getSimpleName().startsWith("Simple");
    }

    private static Optional<Class<?>> load(String name) {
        try {
            return Optional.of(Class.forName(name, false, HandlerTableTest.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    private static boolean isSharable(Class<?> type) {
        return type.isAnnotationPresent(Sharable.class);
    }

    private static String direction(Class<?> type) {
        boolean up = ChannelUpstreamHandler.class.isAssignableFrom(type);
        boolean down = ChannelDownstreamHandler.class.isAssignableFrom(type);
        return up && down ? "Both" : up ? "Upstream" : "Downstream";
    }

    /** Sharing that works in Netty 3 must not be refused here. */
    @Test
    void shouldShareTheHandlersThatNetty3Shares() throws IOException {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (Class<?> type : handlers()) {
            Optional<Class<?>> theirs = load(type.getName().replace(OURS, THEIRS));
            if (theirs.isPresent()) {
                compared++;
                if (isSharable(type)
                        != theirs.get().isAnnotationPresent(org.jboss.netty.channel.ChannelHandler.Sharable.class)) {
                    differences.add(type.getSimpleName() + " is " + (isSharable(type) ? "sharable" : "exclusive"));
                }
            }
        }
        // One stream per context, not one per encoder.
        assertEquals(List.of("CompatibleObjectEncoder is sharable"), differences);
        assertTrue(compared >= 39, "compared " + compared);
    }

    @Test
    void shouldShareEncodersAndRefuseToShareDecodersThatCumulate() throws IOException {
        for (Class<?> shared :
                List.of(StringDecoder.class, StringEncoder.class, ObjectEncoder.class, CompatibleObjectEncoder.class)) {
            assertTrue(isSharable(shared), shared::getName);
        }
        for (Class<?> exclusive :
                List.of(ObjectDecoder.class, DelimiterBasedFrameDecoder.class, LineBasedFrameDecoder.class)) {
            assertFalse(isSharable(exclusive), exclusive::getName);
        }
        List<Class<?>> handlers = handlers();
        assertFalse(handlers.contains(FrameDecoder.class) || handlers.contains(SimpleChannelHandler.class));
        for (Class<?> type : handlers) {
            if (FrameDecoder.class.isAssignableFrom(type)) {
                assertFalse(isSharable(type), () -> type.getName() + " cumulates bytes");
            }
        }
    }

    @Test
    void shouldHaveAnUpToDateJavadocPage() throws IOException {
        String page = page(handlers());
        if (Boolean.getBoolean(WRITE_PROPERTY)) {
            Files.writeString(PAGE, page);
        }
        assertEquals(
                page,
                Files.readString(PAGE),
                () -> PAGE.getFileName() + " is out of date; -D" + WRITE_PROPERTY + "=true rewrites it");
    }

    private static String page(List<Class<?>> handlers) {
        StringBuilder page = new StringBuilder("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <title>Handlers: sharable and exclusive</title>
                </head>
                <body>
                <main>
                <h1>Handlers: sharable and exclusive</h1>
                <p>An instance of a <a href="../ChannelHandler.Sharable.html">sharable</a> class can be in many pipelines,
                an instance of an exclusive class in only one at a time. All packages are below <code>org.freshet</code>. Generated from
                the classes by HandlerTableTest.</p>
                <table border="1">
                <caption>All handlers that come with the library</caption>
                <tr><th scope="col">Direction<th scope="col">Sharable<th scope="col">Exclusive
                """);
        for (String direction : List.of("Upstream", "Downstream", "Both")) {
            page.append("<tr><th scope=\"row\">").append(direction).append('\n');
            page.append("<td>\n").append(names(handlers, direction, true)).append('\n');
            page.append("<td>\n").append(names(handlers, direction, false)).append('\n');
        }
        return page.append("</table>\n</main>\n</body>\n</html>\n").toString();
    }

    private static String names(List<Class<?>> handlers, String direction, boolean sharable) {
        return handlers.stream()
                .filter(type -> direction(type).equals(direction) && isSharable(type) == sharable)
                .map(type -> "<code>" + type.getCanonicalName().substring(OURS.length()) + "</code>")
                .sorted()
                .collect(Collectors.joining("<br>\n"));
    }
}
