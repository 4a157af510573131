package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.freshet.logging.AbstractInternalLogger;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.logging.JdkLoggerFactory;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A handler throws an exception, or gets a message, whose text can't be computed. */
class UnprintableExceptionTest {
    private static final String FAULT = "the text can't be computed";

    enum Unprintable {
        EXCEPTION(UnprintableException::new),
        IO_EXCEPTION(UnprintableIoException::new),
        ERROR(UnprintableError::new);

        final Supplier<Throwable> create;

        Unprintable(Supplier<Throwable> create) {
            this.create = create;
        }
    }

    private static String fail() {
        throw new IllegalStateException(FAULT);
    }

    private static final class UnprintableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            return fail();
        }
    }

    private static final class UnprintableIoException extends IOException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            return fail();
        }
    }

    private static final class UnprintableError extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            return fail();
        }
    }

    @SuppressWarnings("unchecked") // the compiler doesn't know which exception it is
    private static <T extends Throwable> void raise(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static MemoryChannel throwing(Throwable thrown) {
        return MemoryChannel.connected(new SimpleChannelHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                UnprintableExceptionTest.<RuntimeException>raise(thrown);
            }

            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                UnprintableExceptionTest.<RuntimeException>raise(thrown);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Unprintable.class)
    void shouldBeTheCauseOfTheWrite(Unprintable kind) {
        Throwable thrown = kind.create.get();
        MemoryChannel channel = throwing(thrown);
        ChannelFuture written = channel.write("text");
        assertSame(thrown, written.getCause());
        assertEquals(List.of(thrown), channel.takeCaught());
    }

    @ParameterizedTest
    @EnumSource(Unprintable.class)
    void shouldReachTheHandlers(Unprintable kind) {
        Throwable thrown = kind.create.get();
        MemoryChannel channel = throwing(thrown);
        channel.receive("text");
        assertEquals(List.of(thrown), channel.takeCaught());
    }

    @Test
    void shouldNotKeepALateWriteFromFailing() {
        CloseReason reason = CloseReason.ofFailure(CloseReason.Kind.WRITE_FAILED, new UnprintableIoException());
        ChannelClosedException late = new ChannelClosedException(reason);
        assertTrue(late.getMessage().contains(UnprintableIoException.class.getName()), late::getMessage);
    }

    /** The message that was received is in the text of the log. */
    @Test
    void shouldReachTheHandlersWithAMessageThatIsUnprintable() {
        Error thrown = new UnprintableError();
        MemoryChannel channel = throwing(thrown);
        try (CapturedLog log = CapturedLog.start()) {
            channel.receive(new Object() {
                @Override
                public String toString() {
                    throw new StackOverflowError(FAULT); // like an object that contains itself
                }
            });
            assertSame(thrown, log.messages().get(0).cause());
        }
        assertEquals(List.of(thrown), channel.takeCaught());
    }

    /** Like a disk that is full. */
    private static final class BrokenLogging extends InternalLoggerFactory {
        private final InternalLogger logger = new JdkLoggerFactory().newInstance("broken");

        @Override
        public InternalLogger newInstance(String name) {
            return new AbstractInternalLogger() {
                @Override
                public boolean isDebugEnabled() {
                    return logger.isDebugEnabled();
                }

                @Override
                public boolean isInfoEnabled() {
                    return logger.isInfoEnabled();
                }

                @Override
                public boolean isWarnEnabled() {
                    return logger.isWarnEnabled();
                }

                @Override
                public boolean isErrorEnabled() {
                    return logger.isErrorEnabled();
                }

                @Override
                public void debug(String message) {
                    fail();
                }

                @Override
                public void debug(String message, Throwable cause) {
                    fail();
                }

                @Override
                public void info(String message) {
                    fail();
                }

                @Override
                public void info(String message, Throwable cause) {
                    fail();
                }

                @Override
                public void warn(String message) {
                    fail();
                }

                @Override
                public void warn(String message, Throwable cause) {
                    fail();
                }

                @Override
                public void error(String message) {
                    fail();
                }

                @Override
                public void error(String message, Throwable cause) {
                    fail();
                }
            };
        }
    }

    @Test
    void shouldReachTheHandlersAlthoughNothingCanBeLogged() {
        InternalLoggerFactory before = InternalLoggerFactory.getDefaultFactory();
        Error thrown = new NoClassDefFoundError("missing");
        MemoryChannel channel = throwing(thrown);
        InternalLoggerFactory.setDefaultFactory(new BrokenLogging());
        try {
            assertFalse(channel.write("text").isSuccess());
        } finally {
            InternalLoggerFactory.setDefaultFactory(before);
        }
        assertEquals(List.of(thrown), channel.takeCaught());
    }
}
