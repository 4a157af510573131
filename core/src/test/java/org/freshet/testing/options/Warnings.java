package org.freshet.testing.options;

import java.util.List;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;

/** The texts of the warnings in a log. */
public final class Warnings {
    private Warnings() {}

    /** The warnings that mention the given text. */
    public static List<String> about(String text, CapturedLog log) {
        return of(log).stream().filter(warning -> warning.contains(text)).toList();
    }

    public static List<String> of(CapturedLog log) {
        return log.messages(InternalLogLevel.WARN).stream()
                .map(CapturedLog.Message::text)
                .toList();
    }
}
