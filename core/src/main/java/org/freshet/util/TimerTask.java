package org.freshet.util;

public interface TimerTask {
    void run(Timeout timeout) throws Exception;
}
