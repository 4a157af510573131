package org.freshet.logging;

public enum InternalLogLevel {
    DEBUG,
    INFO,
    WARN,
    ERROR
}
