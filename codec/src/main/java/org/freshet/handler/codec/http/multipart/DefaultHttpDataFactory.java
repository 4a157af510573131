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
 * Keeps contents in memory, in files, or in memory until they become too large.
 *
 * <p>Contents that are in a file, or may be moved to one, belong to their request: {@link #cleanRequestHttpDatas}
 * deletes them. Requests are not kept alive. When one is garbage collected, its files are deleted.
 */
public class DefaultHttpDataFactory implements HttpDataFactory {
    /** The default for the largest content kept in memory, in bytes: 16 KiB. */
    public static final long MINSIZE = 0x4000;

    /** Means no limit. */
    public static final long MAXSIZE = -1;

    private enum Storage {
        MEMORY,
        DISK,
        MIXED
    }

    private final Storage storage;
    private final long memoryLimit;
    private volatile long maxSize = MAXSIZE;

    /** Guards {@link #datas}; never held during file operations. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<Key, Set<HttpData>> datas = new HashMap<>();

    /** Stores contents larger than {@link #MINSIZE} on disk. */
    public DefaultHttpDataFactory() {
        this(MINSIZE);
    }

    /**
     * @param useDisk true to store all contents on disk. False to keep all in memory; a received form then is limited
     *     to {@link org.freshet.handler.codec.http.HttpLimits#maxFormBytesInMemory()}
     */
    public DefaultHttpDataFactory(boolean useDisk) {
        storage = useDisk ? Storage.DISK : Storage.MEMORY;
        memoryLimit = MINSIZE;
    }

    /** @param minSize the largest content kept in memory, in bytes; larger ones are stored on disk */
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

    // ---- data by request ----

    /** A key for a request that doesn't keep it alive. Keys of the same request are equal. */
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
