package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.http.multipart.Forms.MULTIPART;
import static org.freshet.handler.codec.http.multipart.Forms.file;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Temporary files: who can read them, and how they are deleted. */
class TempFileTest {
    @TempDir
    Path directory;

    private final DefaultHttpDataFactory factory = new DefaultHttpDataFactory(true);

    @BeforeEach
    void useDirectory() {
        DiskFileUpload.baseDirectory = directory.toString();
        DiskAttribute.baseDirectory = directory.toString();
    }

    @AfterEach
    void useDefaults() {
        DiskFileUpload.baseDirectory = null;
        DiskAttribute.baseDirectory = null;
        DiskFileUpload.deleteOnExitTemporaryFile = true;
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private FileUpload upload(HttpRequest request, String content) throws IOException {
        FileUpload upload = factory.createFileUpload(request, "f", "x", "text/plain", null, null, 0);
        upload.addContent(ChannelBuffers.copiedBuffer(content, US_ASCII), true);
        return upload;
    }

    private static HttpRequest request() {
        return Forms.chunkedRequest(MULTIPART);
    }

    // ---- who can read them ----

    @Test
    void shouldBeReadableByTheirOwnerAlone() throws Exception {
        FileUpload upload = upload(request(), "secret");
        Attribute attribute = factory.createAttribute(request(), "a", "secret");
        for (File file : List.of(upload.getFile(), attribute.getFile())) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath())));
        }
        File destination = directory.resolve("kept").toFile();
        assertTrue(upload.renameTo(destination));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(destination.toPath())));
    }

    @Test
    void shouldNotHaveNamesChosenByClients() throws Exception {
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(factory, request());
        decoder.offer(Forms.chunk(file("../../n", "../../evil.jsp", "x")));
        String name = files().get(0).getFileName().toString();
        assertTrue(name.matches("FUp_[0-9]+\\.tmp"), name);
        decoder.cleanFiles();
    }

    @Test
    void shouldFailWhereTheyCannotBeMade() {
        DiskFileUpload.baseDirectory = directory.resolve("missing").toString();
        assertThrows(IOException.class, () -> upload(request(), "x"));
        HttpRequest request = request();
        ErrorDataDecoderException failure = assertThrows(
                ErrorDataDecoderException.class,
                () -> new HttpPostRequestDecoder(factory, request).offer(Forms.chunk(file("f", "x", "y"))));
        assertEquals(500, failure.suggestedStatus().getCode());
    }

    // ---- how they are written ----

    @Test
    void shouldBufferShortPiecesUntilTheyAreReadOrManyOrComplete() throws Exception {
        FileUpload upload = factory.createFileUpload(request(), "f", "x", "text/plain", null, null, 0);
        Path file = null;
        String content = "";
        for (int i = 0; i < 8192; i++) {
            upload.addContent(ChannelBuffers.copiedBuffer("abcde".substring(i % 5, i % 5 + 1), US_ASCII), false);
            file = file == null ? files().get(0) : file;
            assertEquals(0, Files.size(file));
        }
        content = "abcde".repeat(8192).substring(0, 8192);
        assertEquals(8192, upload.length());
        upload.addContent(ChannelBuffers.copiedBuffer("!", US_ASCII), false);
        assertEquals(content, Files.readString(file));
        assertEquals(content + "!", upload.getString(US_ASCII));
        assertEquals(content + "!", Files.readString(file));

        String large = "x".repeat(10_000);
        upload.addContent(ChannelBuffers.copiedBuffer("?", US_ASCII), false);
        upload.addContent(ChannelBuffers.copiedBuffer(large, US_ASCII), false);
        assertEquals(content + "!?" + large, Files.readString(file));
        upload.addContent(ChannelBuffers.copiedBuffer(".", US_ASCII), false);
        assertEquals(content.substring(0, 10), upload.getChunk(10).toString(US_ASCII));
        assertEquals(content + "!?" + large + ".", Files.readString(file));
        upload.addContent(ChannelBuffers.copiedBuffer(",", US_ASCII), false);
        upload.addContent(ChannelBuffers.copiedBuffer(";", US_ASCII), true);
        assertEquals(content + "!?" + large + ".,;", Files.readString(file));
        upload.delete();
    }

    @Test
    void shouldKeepAllAddedDataWhenRenamed() throws Exception {
        FileUpload upload = factory.createFileUpload(request(), "f", "x", "text/plain", null, null, 0);
        upload.addContent(ChannelBuffers.copiedBuffer("ab", US_ASCII), false);
        File destination = directory.resolve("kept").toFile();
        assertTrue(upload.renameTo(destination));
        assertEquals("ab", Files.readString(destination.toPath()));
        upload.delete();
    }

    // ---- how they are deleted ----

    @Test
    void shouldDisappearWhenDeleted() throws Exception {
        FileUpload upload = upload(request(), "x");
        assertEquals(1, files().size());
        upload.delete();
        assertEquals(List.of(), files());
        assertEquals(0, upload.length());
    }

    @Test
    void shouldBeDeletedWithTheirRequestOnly() throws Exception {
        HttpRequest one = request();
        HttpRequest other = request();
        upload(one, "1");
        upload(one, "2");
        FileUpload kept = upload(other, "3");
        factory.cleanRequestHttpDatas(one);
        assertEquals(List.of(kept.getFile().toPath()), files());
        factory.cleanAllHttpDatas();
        assertEquals(List.of(), files());
    }

    @Test
    void shouldStayDeletedIfDeletedWhileWritten() throws Exception {
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(factory, request());
        decoder.offer(Forms.chunk(file("f", "x", "begin")));
        assertEquals(1, files().size());
        decoder.cleanFiles();
        assertEquals(List.of(), files());
        assertThrows(ErrorDataDecoderException.class, () -> decoder.offer(Forms.chunk("more")));
        assertEquals(List.of(), files());
    }

    @Test
    void shouldBeDeletedWhenTheChannelIsClosed() throws Exception {
        MemoryChannel channel = MemoryChannel.connected();
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(factory, request());
        decoder.cleanFilesWhenClosed(channel);
        decoder.offer(Forms.chunk(file("f", "x", "begin")));
        assertEquals(1, files().size());
        channel.close();
        assertEquals(List.of(), files());
    }

    @Test
    void shouldBeDeletedWhenTheContentOfAWholeRequestIsRefused() {
        HttpRequest request = Forms.request(MULTIPART);
        request.setContent(ChannelBuffers.copiedBuffer(file("f", "x", "y") + "--B\r\n\r\n", US_ASCII));
        assertThrows(ErrorDataDecoderException.class, () -> new HttpPostRequestDecoder(factory, request));
        assertEquals(List.of(), files());
    }

    @Test
    void shouldBeDeletedWhenUnreachableAndNotRetainTheirRequest() throws Exception {
        WeakReference<HttpRequest> request = forgotten();
        awaitGarbage(() -> request.get() == null && files().isEmpty());
    }

    private WeakReference<HttpRequest> forgotten() throws IOException {
        HttpRequest request = request();
        upload(request, "x");
        return new WeakReference<>(request);
    }

    /** Runs the garbage collector until the condition holds. */
    private static void awaitGarbage(BooleanSupplier condition) {
        Await.until(
                () -> {
                    System.gc();
                    return condition.getAsBoolean();
                },
                "the collector to find it");
    }

    @Test
    void shouldBeKeptWhenRemovedFromTheFactory() throws Exception {
        HttpRequest request = request();
        File file = taken(request);
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        factory.cleanRequestHttpDatas(request);
        awaitGarbage(() -> garbage.get() == null);
        assertTrue(file.exists());
    }

    private File taken(HttpRequest request) throws IOException {
        FileUpload upload = upload(request, "x");
        factory.removeHttpDataFromClean(request, upload);
        return upload.getFile();
    }

    @Test
    void shouldRemoveOnlyTheGivenDataFromTheFactory() throws Exception {
        HttpRequest request = request();
        FileUpload one = upload(request, "x");
        FileUpload equal = upload(request, "x");
        factory.removeHttpDataFromClean(request, equal);
        factory.cleanRequestHttpDatas(request);
        assertEquals(List.of(equal.getFile().toPath()), files());
        assertEquals(0, one.length());
    }

    @Test
    void shouldBeKeptWhenRenamed() throws Exception {
        HttpRequest request = request();
        FileUpload upload = upload(request, "x");
        File kept = directory.resolve("kept").toFile();
        upload.renameTo(kept);
        factory.cleanRequestHttpDatas(request);
        upload.delete();
        assertEquals("x", Files.readString(kept.toPath()));
        assertEquals(1, files().size());
    }

    @Test
    void shouldNotDeleteAUsersFile() throws Exception {
        Path given = Files.writeString(directory.resolve("given"), "x");
        FileUpload upload = new DiskFileUpload("f", "x", "text/plain", null, null, 0);
        upload.setContent(given.toFile());
        assertEquals("x", upload.getString());
        upload.delete();
        assertTrue(Files.exists(given));
    }

    @Test
    void shouldBeDeletedAtTheLatestWhenTheJvmExits() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Exiting.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        try (InputStream output = process.getInputStream()) {
            String said = new String(output.readAllBytes(), US_ASCII);
            assertTrue(said.contains("2 files"), said);
        }
        assertEquals(0, process.waitFor());
        List<Path> left = files();
        assertEquals(1, left.size(), left::toString);
        assertTrue(left.get(0).getFileName().toString().startsWith("FUp_"));
    }

    /** Creates two files, one of which is to be kept, and exits. */
    static final class Exiting {
        private static final Object[] HELD = new Object[2];

        private Exiting() {}

        public static void main(String[] args) throws IOException {
            DiskFileUpload.baseDirectory = args[0];
            DiskAttribute.baseDirectory = args[0];
            HELD[0] = new DiskAttribute("a", "x");
            DiskFileUpload.deleteOnExitTemporaryFile = false;
            DiskFileUpload stays = new DiskFileUpload("f", "x", "text/plain", null, null, 0);
            stays.addContent(ChannelBuffers.copiedBuffer("x", US_ASCII), true);
            HELD[1] = stays;
            System.out.println(new File(args[0]).list().length + " files");
        }
    }

    // ---- mixed ----

    @Test
    void shouldMoveToDiskWhenTooLargeForMemory() throws Exception {
        DefaultHttpDataFactory mixed = new DefaultHttpDataFactory(4);
        HttpRequest request = request();
        FileUpload upload = mixed.createFileUpload(request, "f", "x", "text/plain", null, null, 0);
        upload.addContent(ChannelBuffers.copiedBuffer("1234", US_ASCII), false);
        assertTrue(upload.isInMemory());
        assertThrows(IOException.class, upload::getFile);
        upload.addContent(ChannelBuffers.copiedBuffer("5", US_ASCII), true);
        assertFalse(upload.isInMemory());
        assertNotNull(upload.getFile());
        assertEquals("12345", upload.getString());
        mixed.cleanRequestHttpDatas(request);
        assertEquals(List.of(), files());
    }
}
