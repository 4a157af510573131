package org.freshet.handler.codec.http;

import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.internal.HttpDates;
import org.freshet.handler.codec.http.internal.KnownNames;

/**
 * Headers in flat arrays, searched from first to last, since messages have few. Getting, setting and removing take time
 * linear in the number of headers.
 *
 * <p>Received headers stay bytes until someone asks for them. The bytes are those of the read itself, or of a copy if
 * the read was large. Keeping a message therefore keeps at most a few kilobytes more.
 *
 * <p>Several threads may read headers as long as none changes them. Reading only caches immutable Strings, and it makes
 * no difference which thread's String stays.
 */
public class DefaultHttpHeaders extends HttpHeaders {
    /** The number of headers that the first arrays have room for. */
    private static final int INITIAL_HEADERS = 4;

    /** Ints per header in {@link #index}. */
    static final int INTS = 3;

    /** From this many headers on, they are looked up by their keys; with fewer, comparing names is faster. */
    private static final int INDEXED_HEADERS = 8;

    /** Numbers below this, such as lengths and ages, are turned into Strings only once. */
    private static final int SMALL_NUMBERS = 1024;

    private static final String[] SMALL_TEXTS = new String[SMALL_NUMBERS];

    /** Whether names and values are checked when they are set. Either way, unsafe characters are never sent. */
    protected final boolean validate;

    /**
     * Three ints per header: its name's {@linkplain KnownNames#key key}, and where in {@link #head} its value starts
     * and ends. Null if no headers were received and there are few.
     */
    private int[] index;

    /** Two Strings per header, name and value. Null elements are still in {@link #head}; null if all of them are. */
    private String[] text;

    /** The bytes of the received header section, never modified; null if nothing was received. */
    private byte[] head;

    private int size;

    /** Set by adding a {@code Transfer-Encoding}, which each message is asked for several times; not unset by removing it. */
    private boolean mayBeCoded;

    /** Creates headers that check names and values when they are set. */
    public DefaultHttpHeaders() {
        this(true);
    }

    /** @param validate see {@link #validate} */
    public DefaultHttpHeaders(boolean validate) {
        this.validate = validate;
    }

    // ---- for the codecs ----

    /**
     * Takes over a received header section. Only for empty headers of exactly this class.
     *
     * @param head contains the lines as they were received, and must not change any more; other bytes may surround them
     * @param index three ints per header: the name's key, and where in {@code head} its value starts and ends; may be
     *     longer
     * @param mayBeCoded false if none of them is a {@code Transfer-Encoding}
     */
    final void adopt(byte[] head, int[] index, int size, boolean mayBeCoded) {
        this.mayBeCoded = mayBeCoded;
        this.head = head;
        this.index = index;
        this.size = size;
        this.text = null;
    }

    final int size() {
        return size;
    }

    /** False if there is no {@code Transfer-Encoding}. */
    final boolean mayBeCoded() {
        return mayBeCoded;
    }

    final String nameAt(int i) {
        String name = text == null ? null : text[2 * i];
        return name != null ? name : remember(2 * i, readName(i));
    }

    final String valueAt(int i) {
        String value = text == null ? null : text[2 * i + 1];
        return value != null ? value : remember(2 * i + 1, readValue(i));
    }

    /** The bytes that contain a header's value as it was received; null if it was not received or has been replaced. */
    final byte[] headAt(int i) {
        return head != null && (text == null || text[2 * i + 1] == null) ? head : null;
    }

    final int valueStart(int i) {
        return index[INTS * i + 1];
    }

    final int valueEnd(int i) {
        return index[INTS * i + 2];
    }

    /** The length of {@link #nameAt}; creates no String. */
    final int nameLength(int i) {
        String name = text == null ? null : text[2 * i];
        return name != null ? name.length() : colon(i) - lineStart(i);
    }

    /** The length of {@link #valueAt}; creates no String. */
    final int valueLength(int i) {
        return headAt(i) != null ? valueEnd(i) - valueStart(i) : text[2 * i + 1].length();
    }

    private String remember(int at, String string) {
        if (text == null) {
            text = new String[index.length / INTS * 2];
        }
        text[at] = string;
        return string;
    }

    private String readName(int i) {
        return KnownNames.name(index[INTS * i], head, lineStart(i), colon(i));
    }

    private int colon(int i) {
        int colon = valueStart(i) - 1;
        while (head[colon] != ':') {
            colon--; // blanks before the value
        }
        return colon;
    }

    /** The index in {@link #head} where the line of a received, unchanged header starts. */
    final int lineStart(int i) {
        int start = valueStart(i) - 1;
        while (start > 0 && head[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    private String readValue(int i) {
        int start = valueStart(i);
        return new String(head, start, valueEnd(i) - start, StandardCharsets.ISO_8859_1);
    }

    /** Turns all headers into Strings, so that they can be moved. */
    private void leaveHead() {
        if (head != null) {
            for (int i = 0; i < size; i++) {
                nameAt(i);
                valueAt(i);
            }
            head = null;
        }
    }

    // ---- looking up ----

    /** The index of the first header with this name, starting at {@code from}; -1 if no header has it. */
    private int find(String name, int from) {
        return index == null ? findName(Objects.requireNonNull(name, "name"), from) : findKey(key(name), name, from);
    }

    private int findName(String name, int from) {
        for (int i = from; i < size; i++) {
            if (text[2 * i].equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    private int findKey(int key, String name, int from) {
        for (int i = from; i < size; i++) {
            if (index[INTS * i] == key && (key >= 0 || nameAt(i).equalsIgnoreCase(name))) {
                return i;
            }
        }
        return -1;
    }

    private static int key(String name) {
        return KnownNames.key(Objects.requireNonNull(name, "name"));
    }

    @Override
    public String get(String name) {
        int i = find(name, 0);
        return i < 0 ? null : valueAt(i);
    }

    @Override
    public List<String> getAll(String name) {
        List<String> values = new ArrayList<>(2);
        for (int i = find(name, 0); i >= 0; i = find(name, i + 1)) {
            values.add(valueAt(i));
        }
        return values;
    }

    @Override
    public boolean contains(String name) {
        return find(name, 0) >= 0;
    }

    /** Whether there is exactly one header with this name. */
    final boolean isSingle(String name) {
        int first = find(name, 0);
        return first >= 0 && find(name, first + 1) < 0;
    }

    @Override
    public boolean contains(String name, String value, boolean ignoreCaseValue) {
        for (int i = find(name, 0); i >= 0; i = find(name, i + 1)) {
            String present = valueAt(i);
            if (ignoreCaseValue ? present.equalsIgnoreCase(value) : present.equals(value)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isEmpty() {
        return size == 0;
    }

    @Override
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        for (int i = 0; i < size; i++) {
            names.add(nameAt(i));
        }
        return names;
    }

    @Override
    public List<Map.Entry<String, String>> entries() {
        List<Map.Entry<String, String>> entries = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            entries.add(new Header(i));
        }
        return entries;
    }

    /** Iterates over the entries of {@link #entries}, including headers added meanwhile. Removing is not supported. */
    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
        return new Iterator<Map.Entry<String, String>>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public Map.Entry<String, String> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("all " + size + " headers have been returned");
                }
                return new Header(next++);
            }
        };
    }

    // ---- changing ----

    @Override
    public HttpHeaders add(String name, Object value) {
        append(checkedName(name), name, checkedValue(name, value));
        return this;
    }

    @Override
    public HttpHeaders add(String name, Iterable<?> values) {
        int key = checkedName(name);
        for (Object value : values) {
            append(key, name, checkedValue(name, value));
        }
        return this;
    }

    @Override
    public HttpHeaders set(String name, Object value) {
        int key = checkedName(name);
        String checked = checkedValue(name, value);
        removeAll(name);
        append(key, name, checked);
        return this;
    }

    @Override
    public HttpHeaders set(String name, Iterable<?> values) {
        int key = checkedName(name);
        List<String> checked = new ArrayList<>();
        for (Object value : values) {
            if (value == null) {
                break;
            }
            checked.add(checkedValue(name, value));
        }
        removeAll(name);
        for (String value : checked) {
            append(key, name, value);
        }
        return this;
    }

    @Override
    public HttpHeaders remove(String name) {
        removeAll(name);
        return this;
    }

    @Override
    public HttpHeaders clear() {
        index = null;
        text = null;
        head = null;
        size = 0;
        mayBeCoded = false;
        return this;
    }

    private int checkedName(String name) {
        int key = key(name);
        if (validate && key < 0) {
            HeaderSyntax.checkName(name);
        }
        return key;
    }

    private String checkedValue(String name, Object value) {
        String string = textOf(name, value);
        return validate ? HeaderSyntax.checkValue(name, string) : string;
    }

    private static String textOf(String name, Object value) {
        if (value instanceof String text) {
            return text;
        }
        if (value instanceof Integer number) {
            return textOf(number);
        }
        if (value == null) {
            throw new NullPointerException("the value of " + name);
        }
        if (value instanceof Date date) {
            return HttpDates.format(date.getTime());
        }
        if (value instanceof Calendar calendar) {
            return HttpDates.format(calendar.getTimeInMillis());
        }
        return Objects.requireNonNull(value.toString(), name);
    }

    private static String textOf(int number) {
        if (number < 0 || number >= SMALL_NUMBERS) {
            return Integer.toString(number);
        }
        String known = SMALL_TEXTS[number];
        if (known == null) {
            known = Integer.toString(number);
            SMALL_TEXTS[number] = known; // racing threads create equal ones
        }
        return known;
    }

    private void append(int key, String name, String value) {
        makeRoom();
        mayBeCoded |= key == KnownNames.TRANSFER_ENCODING;
        if (index != null) {
            index[INTS * size] = key;
        }
        text[2 * size] = name;
        text[2 * size + 1] = value;
        size++;
    }

    private void makeRoom() {
        int capacity = index != null ? index.length / INTS : text != null ? text.length / 2 : 0;
        if (size == capacity) {
            capacity = Math.max(INITIAL_HEADERS, 2 * size);
            if (index != null) {
                index = Arrays.copyOf(index, INTS * capacity);
            } else if (size >= INDEXED_HEADERS) {
                makeIndex(capacity);
            }
        }
        if (text == null) {
            text = new String[2 * capacity];
        } else if (text.length < 2 * capacity) {
            text = Arrays.copyOf(text, 2 * capacity);
        }
    }

    private void makeIndex(int capacity) {
        index = new int[INTS * capacity];
        for (int i = 0; i < size; i++) {
            index[INTS * i] = key(text[2 * i]);
        }
    }

    private void removeAll(String name) {
        int next = find(name, 0);
        if (next < 0) {
            return;
        }
        leaveHead();
        int kept = next;
        for (int i = next; i < size; i++) {
            if (i == next) {
                next = find(name, i + 1);
            } else {
                move(i, kept++);
            }
        }
        Arrays.fill(text, 2 * kept, 2 * size, null);
        size = kept;
    }

    private void move(int from, int to) {
        if (index != null) {
            index[INTS * to] = index[INTS * from];
        }
        text[2 * to] = text[2 * from];
        text[2 * to + 1] = text[2 * from + 1];
    }

    /**
     * An entry handed out to a caller. Setting its value also changes the headers, as long as they still contain it.
     */
    private final class Header extends AbstractMap.SimpleEntry<String, String> {
        private static final long serialVersionUID = 1L;

        Header(int i) {
            super(nameAt(i), valueAt(i));
        }

        @Override
        public String setValue(String value) {
            if (validate) {
                HeaderSyntax.checkValue(getKey(), value);
            }
            Objects.requireNonNull(value, "value");
            for (int i = 0; i < size; i++) {
                if (nameAt(i) == getKey() && valueAt(i) == getValue()) {
                    leaveHead();
                    text[2 * i + 1] = value;
                    break;
                }
            }
            return super.setValue(value);
        }
    }
}
