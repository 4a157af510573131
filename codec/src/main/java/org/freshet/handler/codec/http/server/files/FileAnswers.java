package org.freshet.handler.codec.http.server.files;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.AcceptedCodings;
import org.freshet.handler.codec.http.internal.HttpDates;
import org.freshet.handler.codec.http.server.files.ByteRanges.Range;
import org.freshet.handler.codec.http.server.files.FileFinder.Directory;
import org.freshet.handler.codec.http.server.files.FileFinder.Found;
import org.freshet.handler.codec.http.server.files.FileFinder.Lookup;
import org.freshet.handler.codec.http.server.files.FileFinder.Refused;

/**
 * Creates the response to a request for one of the {@link StaticFiles}. Stateless. Any thread may call it, and is
 * blocked while the file system blocks.
 */
final class FileAnswers {
    private static final boolean WINDOWS = File.separatorChar == '\\';
    private static final String ALLOWED = "GET, HEAD, OPTIONS";

    /** The number of attempts if a file is replaced between being looked up and being opened. */
    private static final int MAX_ATTEMPTS = 3;

    private final StaticFiles files;
    private final HttpRequest request;

    /** The path of the request, without the prefix. */
    private final String rawPath;

    private final boolean get;

    private FileAnswers(StaticFiles files, HttpRequest request) {
        this.files = files;
        this.request = request;
        rawPath = RequestPath.rawPath(request.getUri()).substring(files.prefix.length());
        get = HttpMethod.GET.equals(request.getMethod());
    }

    /** Returns the response. Never throws: failures become responses, too. An open file belongs to the caller. */
    static FileAnswer answer(StaticFiles files, HttpRequest request) {
        try {
            return new FileAnswers(files, request).answer();
        } catch (Throwable e) { // the client needs a response, whatever happened
            files.warn("failed to serve " + request.getUri() + " of " + files.finder.root(), e);
            return FileAnswer.ofStatus(HttpResponseStatus.INTERNAL_SERVER_ERROR);
        }
    }

    private FileAnswer answer() throws IOException {
        if (!get && !HttpMethod.HEAD.equals(request.getMethod())) {
            boolean options = HttpMethod.OPTIONS.equals(request.getMethod());
            HttpResponseStatus status = options ? HttpResponseStatus.NO_CONTENT : HttpResponseStatus.METHOD_NOT_ALLOWED;
            return FileAnswer.ofStatus(status).with(Names.ALLOW, ALLOWED);
        }
        RequestPath path = RequestPath.parse(rawPath, WINDOWS);
        AcceptedCodings accepted = new AcceptedCodings(request.headers().getAll(Names.ACCEPT_ENCODING));
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Lookup lookup = files.finder.find(path, accepted);
            if (lookup instanceof Refused refused) {
                return FileAnswer.missing(refused.status());
            }
            if (lookup instanceof Directory) {
                String location = files.prefix + rawPath + '/' + RequestPath.rawQuery(request.getUri());
                return FileAnswer.ofStatus(HttpResponseStatus.MOVED_PERMANENTLY).with(Names.LOCATION, location);
            }
            FileAnswer answer = answer((Found) lookup);
            if (answer != null) {
                return answer;
            }
        }
        return unavailable();
    }

    private static FileAnswer unavailable() {
        return FileAnswer.ofStatus(HttpResponseStatus.SERVICE_UNAVAILABLE).with(Names.RETRY_AFTER, "1");
    }

    /** Null if the file has been replaced since it was found. */
    private FileAnswer answer(Found found) throws IOException {
        FileVersion version =
                FileVersion.of(found.attributes(), found.coding(), found.modifiedSecond(), System.currentTimeMillis());
        FileConditions.Outcome outcome = FileConditions.evaluate(request.headers(), version);
        if (outcome == FileConditions.Outcome.FAILED) {
            return FileAnswer.ofStatus(HttpResponseStatus.PRECONDITION_FAILED);
        }
        long size = found.attributes().size();
        List<Range> ranges = outcome == FileConditions.Outcome.SEND ? ranges(found, version) : null;
        if (ranges != null && ranges.isEmpty()) {
            return FileAnswer.ofStatus(HttpResponseStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
                    .with(Names.CONTENT_RANGE, "bytes */" + size)
                    .with(Names.ACCEPT_RANGES, HttpHeaders.Values.BYTES);
        }
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status(outcome, ranges));
        describe(head.headers(), found, version);
        if (outcome == FileConditions.Outcome.NOT_MODIFIED) {
            return new FileAnswer(head, null, false);
        }
        String type = files.types.typeOf(found.name());
        head.headers().set(Names.CONTENT_TYPE, type);
        head.headers().set("X-Content-Type-Options", "nosniff");
        head.headers().set(Names.ACCEPT_RANGES, files.maxRanges > 0 ? "bytes" : "none");
        if (!found.coding().isEmpty()) {
            head.headers().set(Names.CONTENT_ENCODING, found.coding());
        }
        return withContent(head, found, version, type, ranges);
    }

    /** Null to send the whole file. */
    private List<Range> ranges(Found found, FileVersion version) {
        String header = request.headers().get(Names.RANGE);
        boolean asked = get && header != null && files.maxRanges > 0;
        if (!asked || !FileConditions.rangeApplies(request.headers(), version)) {
            return null;
        }
        List<Range> ranges = ByteRanges.parse(header, found.attributes().size(), files.maxRanges);
        // Content-Encoding would describe the joined parts, not the file that they are cut from.
        return ranges != null && ranges.size() > 1 && !found.coding().isEmpty() ? null : ranges;
    }

    private static HttpResponseStatus status(FileConditions.Outcome outcome, List<Range> ranges) {
        if (outcome == FileConditions.Outcome.NOT_MODIFIED) {
            return HttpResponseStatus.NOT_MODIFIED;
        }
        return ranges == null ? HttpResponseStatus.OK : HttpResponseStatus.PARTIAL_CONTENT;
    }

    /** Sets the headers that a 304 has, too. */
    private void describe(HttpHeaders headers, Found found, FileVersion version) {
        long now = System.currentTimeMillis();
        headers.set(Names.ETAG, version.tag());
        // Not later than Date (RFC 9110 8.8.2.1).
        headers.set(Names.LAST_MODIFIED, HttpDates.format(Math.min(now, version.modifiedSecond() * 1000)));
        String cacheControl = files.cacheControl.apply(rawPath);
        if (cacheControl != null) {
            headers.set(Names.CACHE_CONTROL, cacheControl);
        }
        if (found.varies()) {
            headers.set(Names.VARY, Names.ACCEPT_ENCODING);
        }
    }

    private FileAnswer withContent(HttpResponse head, Found found, FileVersion version, String type, List<Range> ranges)
            throws IOException {
        FileChannel file;
        try {
            file = FileChannel.open(found.file(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        } catch (AccessDeniedException e) {
            return FileAnswer.ofStatus(HttpResponseStatus.FORBIDDEN);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            files.warn("failed to open " + found.file(), e); // most likely because too many files are open
            return unavailable();
        }
        boolean kept = false;
        try {
            if (!isSame(found, version, file)) {
                return null;
            }
            RangedContent content = content(head, file, found.attributes().size(), type, ranges);
            HttpHeaders.setContentLength(head, content.length());
            if (content.length() <= files.maxBufferedBytes) {
                head.setContent(content.readAll());
                return new FileAnswer(head, null, false);
            }
            kept = true;
            return new FileAnswer(head, content, false);
        } finally {
            if (!kept) {
                file.close();
            }
        }
    }

    /** Whether the opened file is the one that was looked up. It may have grown since. */
    private static boolean isSame(Found found, FileVersion version, FileChannel file) throws IOException {
        BasicFileAttributes before = found.attributes();
        BasicFileAttributes now;
        try {
            now = FileFinder.attributes(found.file());
        } catch (NoSuchFileException e) {
            return false;
        }
        return Objects.equals(before.fileKey(), now.fileKey())
                && file.size() >= before.size()
                && (!version.strong() || before.lastModifiedTime().equals(now.lastModifiedTime()));
    }

    private static RangedContent content(
            HttpResponse head, FileChannel file, long size, String type, List<Range> ranges) {
        if (ranges == null) {
            return RangedContent.of(file, 0, size);
        }
        if (ranges.size() == 1) {
            Range range = ranges.get(0);
            head.headers().set(Names.CONTENT_RANGE, RangedContent.contentRange(range, size));
            return RangedContent.of(file, range.first(), range.length());
        }
        String boundary = RangedContent.newBoundary();
        head.headers().set(Names.CONTENT_TYPE, "multipart/byteranges; boundary=" + boundary);
        return RangedContent.ofParts(file, ranges, type, size, boundary);
    }
}
