package org.freshet.dropin;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the messages of a JDK logger and those below it instead of printing them. */
final class JdkLog extends Handler implements AutoCloseable {
    private final List<String> records = new CopyOnWriteArrayList<>();
    private final Logger logger;

    JdkLog(String name) {
        logger = Logger.getLogger(name);
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    /** Levels and messages. */
    List<String> records() {
        return records;
    }

    @Override
    public void publish(LogRecord record) {
        records.add(record.getLevel() + " " + record.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
