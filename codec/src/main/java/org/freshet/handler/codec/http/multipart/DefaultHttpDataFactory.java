package org.freshet.handler.codec.http.multipart;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.handler.codec.http.HttpRequest;

/**
 * Keeps contents in memory, in files, or in memory until they are too large for that.
 *
 * <p>Contents that are, or may get, in a file belong to their request: {@link #cleanRequestHttpDatas} deletes them. Requests
 * are not kept alive; when one is garbage, so are its files.
 */
public class DefaultHttpDataFactory implements HttpDataFactory {
    /** Bytes up to which contents stay in memory by default: 16 KiB. */
    public static final long MINSIZE = 0x4000;

    /** No limit. */
    public static final long MAXSIZE = -1;

    private enum Storage {
        MEMORY,
        DISK,
        MIXED
    }

    private final Storage storage;
    private final long memoryLimit;
    private volatile long maxSize = MAXSIZE;

    /** Guards {@link #datas}; never held while files are touched. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<Key, Set<HttpData>> datas = new HashMap<>();

    /** Contents beyond {@link #MINSIZE} go to disk. */
    public DefaultHttpDataFactory() {
        this(MINSIZE);
    }

    /**
     * @param useDisk whether all contents go to disk; else all stay in memory, of a form that is received at most {@link
     *     org.freshet.handler.codec.http.HttpLimits#maxFormBytesInMemory()}
     */
    public DefaultHttpDataFactory(boolean useDisk) {
        storage = useDisk ? Storage.DISK : Storage.MEMORY;
        memoryLimit = MINSIZE;
    }

    /** @param minSize bytes beyond which contents go to disk */
    public DefaultHttpDataFactory(long minSize) {
        storage = Storage.MIXED;
        memoryLimit = minSize;
    }

    @Override
    public void setMaxLimit(long maxSize) {
        this.maxSize = maxSize;
    }

    @Override
    public Attribute createAttribute(HttpRequest request, String name) {
        Attribute attribute = newAttribute(name);
        attribute.setMaxSize(maxSize);
        return remembered(request, attribute);
    }

    private Attribute newAttribute(String name) {
        switch (storage) {
            case MEMORY:
                return new MemoryAttribute(name);
            case DISK:
                return new DiskAttribute(name);
            default:
                return new MixedAttribute(name, memoryLimit);
        }
    }

    @Override
    public Attribute createAttribute(HttpRequest request, String name, String value) {
        Attribute attribute = newAttribute(name, value);
        attribute.setMaxSize(maxSize);
        try {
            attribute.checkSize(attribute.length());
        } catch (IOException e) {
            attribute.delete();
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return remembered(request, attribute);
    }

    private Attribute newAttribute(String name, String value) {
        try {
            switch (storage) {
                case MEMORY:
                    return new MemoryAttribute(name, value);
                case DISK:
                    return new DiskAttribute(name, value);
                default:
                    return new MixedAttribute(name, value, memoryLimit);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the value of " + name + " cannot be stored", e);
        }
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
        FileUpload file = newFile(name, filename, contentType, contentTransferEncoding, charset, size);
        file.setMaxSize(maxSize);
        return remembered(request, file);
    }

    private FileUpload newFile(String name, String filename, String type, String encoding, Charset charset, long size) {
        switch (storage) {
            case MEMORY:
                return new MemoryFileUpload(name, filename, type, encoding, charset, size);
            case DISK:
                return new DiskFileUpload(name, filename, type, encoding, charset, size);
            default:
                return new MixedFileUpload(name, filename, type, encoding, charset, size, memoryLimit);
        }
    }

    // ---- what belongs to which request ----

    /** A request that the map does not keep alive; the same key as another of the same request. */
    private static final class Key extends WeakReference<HttpRequest> {
        private final int hash;

        Key(HttpRequest request) {
            super(request);
            hash = System.identityHashCode(request);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object o) {
            HttpRequest request = get();
            return o == this || request != null && o instanceof Key && ((Key) o).get() == request;
        }
    }

    private <T extends HttpData> T remembered(HttpRequest request, T data) {
        if (storage == Storage.MEMORY) {
            return data;
        }
        Key key = new Key(request);
        boolean first;
        lock.lock();
        try {
            Set<HttpData> ofRequest = datas.get(key);
            first = ofRequest == null;
            if (first) {
                ofRequest = identitySet();
                datas.put(key, ofRequest);
            }
            ofRequest.add(data);
        } finally {
            lock.unlock();
        }
        if (first) {
            TempFile.whenGarbage(request, () -> remove(key));
        }
        return data;
    }

    private Set<HttpData> remove(Key key) {
        lock.lock();
        try {
            return datas.remove(key);
        } finally {
            lock.unlock();
        }
    }

    private static Set<HttpData> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    @Override
    public void removeHttpDataFromClean(HttpRequest request, InterfaceHttpData data) {
        lock.lock();
        try {
            Set<HttpData> ofRequest = datas.get(new Key(request));
            if (ofRequest == null || !(data instanceof HttpData) || !ofRequest.remove(data)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        Object holder = data instanceof MixedHttpData ? ((MixedHttpData<?>) data).data() : data;
        if (holder instanceof AbstractDiskHttpData) {
            ((AbstractDiskHttpData) holder).keepFromCollector();
        }
    }

    @Override
    public void cleanRequestHttpDatas(HttpRequest request) {
        Set<HttpData> ofRequest = remove(new Key(request));
        if (ofRequest != null) {
            ofRequest.forEach(HttpData::delete);
        }
    }

    @Override
    public void cleanAllHttpDatas() {
        List<Set<HttpData>> all;
        lock.lock();
        try {
            all = new ArrayList<>(datas.values());
            datas.clear();
        } finally {
            lock.unlock();
        }
        for (Set<HttpData> ofRequest : all) {
            ofRequest.forEach(HttpData::delete);
        }
    }
}
