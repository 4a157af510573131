package org.freshet.handler.codec.http;

import java.text.FieldPosition;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.time.Instant;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;
import org.freshet.handler.codec.http.internal.HttpDates;

/**
 * A {@link java.text.DateFormat} for HTTP dates. It writes {@code Sun, 06 Nov 1994 08:49:37 GMT}, and reads that and
 * the two obsolete forms (RFC 9110 5.6.7). Pattern, calendar and locale are fixed: setting them has no effect.
 */
public final class HttpHeaderDateFormat extends SimpleDateFormat {
    private static final long serialVersionUID = 1L;

    private static final ThreadLocal<HttpHeaderDateFormat> OF_THREAD =
            ThreadLocal.withInitial(HttpHeaderDateFormat::new);

    private HttpHeaderDateFormat() {
        super("EEE, dd MMM yyyy HH:mm:ss z", Locale.ENGLISH);
        setTimeZone(TimeZone.getTimeZone("GMT"));
    }

    /** The calling thread's instance. */
    public static HttpHeaderDateFormat get() {
        return OF_THREAD.get();
    }

    @Override
    public StringBuffer format(Date date, StringBuffer toAppendTo, FieldPosition pos) {
        return toAppendTo.append(HttpDates.format(date.getTime()));
    }

    @Override
    public Date parse(String text, ParsePosition pos) {
        int[] end = new int[1];
        Instant date = HttpDates.parse(text, pos.getIndex(), end);
        if (date == null) {
            pos.setErrorIndex(pos.getIndex());
            return null;
        }
        pos.setIndex(end[0]);
        return Date.from(date);
    }
}
