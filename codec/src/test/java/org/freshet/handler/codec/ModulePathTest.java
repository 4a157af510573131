package org.freshet.handler.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.freshet.channel.Channel;
import org.freshet.handler.ssl.SslHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user's module that requires the codecs, with only Freshet and slf4j-api on the module path. */
class ModulePathTest {
    private static final String MODULE = """
            module user {
                requires org.freshet.codec;
            }
            """;

    private static final String MAIN = """
            package user;

            import java.nio.charset.StandardCharsets;
            import java.util.List;
            import org.freshet.buffer.ChannelBuffer;
            import org.freshet.handler.codec.embedder.DecoderEmbedder;
            import org.freshet.handler.codec.embedder.EncoderEmbedder;
            import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
            import org.freshet.handler.codec.frame.Delimiters;
            import org.freshet.handler.codec.serialization.ClassResolvers;
            import org.freshet.handler.codec.serialization.ObjectDecoder;
            import org.freshet.handler.codec.serialization.ObjectEncoder;
            import org.freshet.handler.codec.string.StringDecoder;
            import org.freshet.handler.ssl.SslContextBuilder;
            import org.freshet.handler.ssl.SslHandler;

            public final class Main {
                public static void main(String[] args) throws Exception {
                    EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new ObjectEncoder());
                    encoder.offer(List.of("an", "object"));
                    DecoderEmbedder<Object> decoder =
                            new DecoderEmbedder<>(new ObjectDecoder(ClassResolvers.cacheDisabled(null)));
                    decoder.offer(encoder.poll());
                    SslHandler tls = SslContextBuilder.forClient().build().newHandler("localhost", 1);
                    System.out.println("decoded " + decoder.poll() + ", a client: " + tls.getEngine().getUseClientMode());
                    new DecoderEmbedder<String>(
                            new DelimiterBasedFrameDecoder(99, Delimiters.lineDelimiter()),
                            new StringDecoder(StandardCharsets.UTF_8));
                }
            }
            """;

    @TempDir
    Path directory;

    private static String locationOf(Class<?> type) throws Exception {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
    }

    private static String modulePath() throws Exception {
        return Stream.of(locationOf(SslHandler.class), locationOf(Channel.class), locationOf(org.slf4j.Logger.class))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void shouldCompileAndRunAModuleThatRequiresTheCodecs() throws Exception {
        Path classes = Files.createDirectory(directory.resolve("classes"));
        compile(classes);
        List<String> output = run(classes);
        assertTrue(output.contains("decoded [an, object], a client: true"), output::toString);
    }

    private void compile(Path classes) throws Exception {
        Path module = Files.writeString(directory.resolve("module-info.java"), MODULE);
        Path main = Files.writeString(
                Files.createDirectory(directory.resolve("user")).resolve("Main.java"), MAIN);
        StringWriter messages = new StringWriter();
        PrintWriter out = new PrintWriter(messages);
        ToolProvider compiler = ToolProvider.findFirst("javac").orElseThrow();
        int result = compiler.run(
                out,
                out,
                "--module-path",
                modulePath(),
                "-d",
                classes.toString(),
                "-Xlint:all",
                "-Werror",
                module.toString(),
                main.toString());
        assertEquals(0, result, messages::toString);
    }

    private static List<String> run(Path classes) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        modulePath() + File.pathSeparator + classes,
                        "--module",
                        "user/user.Main")
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(40, TimeUnit.SECONDS), "the JVM should exit");
            assertEquals(0, process.exitValue(), output);
            return output.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }
}
