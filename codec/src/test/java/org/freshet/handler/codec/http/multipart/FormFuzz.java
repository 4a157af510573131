package org.freshet.handler.codec.http.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;

/**
 * Properties of the form decoders that hold for any input: the same fields however the bytes are split, no exception
 * but the documented ones, no more data than was sent, and no file name that breaks out of its header.
 *
 * <p>The first byte of an input selects the kind of form and the limits, the second the length of pieces, see {@link
 * #fuzzerTestOneInput}.
 */
public final class FormFuzz {
    private static final int URL_ENCODED = 1;
    private static final int TINY_LIMITS = 2;

    /** The content type is the text before the first LF. */
    private static final int OWN_TYPE = 4;

    private static final int ON_DISK = 8;

    /** The text of {@link Forms#describe} besides names and data. */
    private static final int MAX_DESCRIPTION = 100;

    private static final HttpLimits TINY = HttpLimits.standard().toBuilder()
            .maxFormFields(3)
            .maxFormFieldSize(20)
            .maxFormNameLength(5)
            .maxPartHeadSize(80)
            .maxPartHeaders(2)
            .build();

    private FormFuzz() {}

    /** Seed inputs. */
    public static List<byte[]> seeds() {
        String mixed =
                "--C\r\nContent-Disposition: attachment; filename=\"1\"\r\nContent-Type: text/plain\r\n\r\none\r\n--C--";
        String ownTypes = "a\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--a--\r\n";
        List<byte[]> seeds = new ArrayList<>();
        for (int kind : new int[] {0, TINY_LIMITS, ON_DISK}) {
            add(seeds, kind, Forms.form(Forms.field("a", "1"), Forms.field("b", "\r\n--A\r\n--B-")));
            add(seeds, kind, Forms.form(Forms.file("f", "x.txt", "data"), Forms.file("f", "C:\\\\x\\\"y", "")));
            add(
                    seeds,
                    kind,
                    Forms.form(
                            Forms.part(
                                    "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: multipart/mixed; boundary=C",
                                    mixed),
                            Forms.field("b", "")));
            add(
                    seeds,
                    kind,
                    "pre\r\n"
                            + Forms.form(Forms.part(
                                    "content-disposition:form-data;name*=UTF-8''%e4;filename*=utf-8''%E2%82%AC.txt\r\n"
                                            + "Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: binary\r\n"
                                            + "Content-Length: 4",
                                    "data"))
                            + "epilogue");
            add(seeds, kind | URL_ENCODED, "a=b&c=%20+%C3%A9&&d&=e&a=2;x=3");
            add(seeds, kind | URL_ENCODED, "%61=%zz&a=%4");
            add(seeds, kind | OWN_TYPE, "multipart/form-data; boundary=\"a\\\"\"; charset=utf-8\n--" + ownTypes);
            add(seeds, kind | OWN_TYPE, "application/x-www-form-urlencoded; charset=latin1\na=%e9");
        }
        return seeds;
    }

    private static void add(List<byte[]> seeds, int kind, String form) {
        seeds.add(("" + (char) kind + (char) 5 + form).getBytes(ISO_8859_1));
    }

    /** The name and signature that Jazzer requires. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 3) {
            return;
        }
        byte[] body = Arrays.copyOfRange(data, 2, data.length);
        String type = (data[0] & URL_ENCODED) != 0 ? Forms.URL_ENCODED : Forms.MULTIPART;
        if ((data[0] & OWN_TYPE) != 0) {
            int end = IntStream.range(0, body.length)
                    .filter(i -> body[i] == '\n')
                    .findFirst()
                    .orElse(0);
            type = new String(body, 0, end, ISO_8859_1).replaceAll("[\\x00-\\x1f\\x7f]", " ");
        }
        HttpLimits limits = (data[0] & TINY_LIMITS) != 0 ? TINY : HttpLimits.standard();
        int size = 1 + (data[1] & 0x7f);
        Checking factory = new Checking((data[0] & ON_DISK) != 0);
        List<String> whole = Forms.decode(factory, limits, type, body);
        for (int length : new int[] {1, size}) {
            int[] cuts = IntStream.iterate(length, cut -> cut < body.length, cut -> cut + length)
                    .toArray();
            List<String> pieces = Forms.decode(factory, limits, type, body, cuts);
            if (!pieces.equals(whole) && !(isRefused(pieces) && isRefused(whole))) {
                throw new AssertionError("in pieces of " + length + ": " + pieces + "\nwhole: " + whole);
            }
        }
        int characters = whole.stream().mapToInt(String::length).sum();
        int describing = MAX_DESCRIPTION * whole.size();
        if (!isRefused(whole) && (whole.size() > body.length || characters > describing + 3 * body.length)) {
            throw new AssertionError(characters + " characters of " + body.length + " bytes: " + whole);
        }
    }

    /** If there are several reasons, the one found first counts. */
    private static boolean isRefused(List<String> form) {
        return form.size() == 1 && form.get(0).startsWith("refused with 4");
    }

    /** Checks for file names that could do harm where they are used or written. */
    private static final class Checking extends DefaultHttpDataFactory {
        private static final int BYTES_IN_MEMORY = 12;

        Checking(boolean onDisk) {
            super(onDisk ? BYTES_IN_MEMORY : MINSIZE);
        }

        @Override
        public FileUpload createFileUpload(
                HttpRequest request,
                String name,
                String filename,
                String contentType,
                String contentTransferEncoding,
                Charset charset,
                long size) {
            FileUpload file = super.createFileUpload(
                    request, name, filename, contentType, contentTransferEncoding, charset, size);
            if (file.getFilename().chars().anyMatch(c -> c < ' ' || c == 0x7f || "\"\\".indexOf(c) >= 0)) {
                throw new AssertionError("file name: " + file.getFilename());
            }
            return file;
        }
    }
}
