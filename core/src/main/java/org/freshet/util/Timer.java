package org.freshet.util;

import java.util.Set;
import java.util.concurrent.TimeUnit;

public interface Timer {
    Timeout newTimeout(TimerTask timerTask, long value, TimeUnit unit);

    Set<Timeout> stop();
}
