package org.freshet.testkit.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.HttpChunk;

/** Handlers below the writing application, each of which breaks one promise. The matrix must detect every one. */
enum PlantedFault {
    NONE(null),
    LOSES_A_MESSAGE(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            if (number == 2) {
                e.getFuture().setSuccess();
            } else {
                ctx.sendDownstream(e);
            }
        }
    }),
    COMPLETES_EARLY(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            e.getFuture().setSuccess();
            Channels.write(ctx, Channels.future(e.getChannel()), e.getMessage());
        }
    }),
    NEVER_COMPLETES(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            Channels.write(ctx, number == 1 ? Channels.future(e.getChannel()) : e.getFuture(), e.getMessage());
        }
    }),
    /** The future of a write that failed is completed as if it had succeeded. */
    HIDES_A_FAILURE(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            var hidden = Channels.future(e.getChannel());
            hidden.addListener(done -> e.getFuture().setSuccess());
            Channels.write(ctx, hidden, e.getMessage());
        }
    }),
    SWAPS_MESSAGES(stage -> new Saboteur(stage) {
        private MessageEvent first;

        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            if (number % 8 == 1) {
                first = e;
                return;
            }
            ctx.sendDownstream(e);
            if (first != null) {
                ctx.sendDownstream(first);
                first = null;
            }
        }
    }),
    SENDS_TWICE(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            ctx.sendDownstream(e);
            if (number == 1) {
                Channels.write(ctx, Channels.future(e.getChannel()), e.getMessage());
            }
        }
    }),
    CORRUPTS_A_BYTE(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            ChannelBuffer content = ChannelBuffers.copiedBuffer(stage.kind().content(e.getMessage()));
            int last = content.writerIndex() - 1;
            content.setByte(last, content.getByte(last) ^ (number == 3 ? 1 : 0));
            Channels.write(ctx, e.getFuture(), stage.kind().message(content));
        }
    }),
    /** A separate queue for messages that the channel doesn't accept now. */
    HOLDS_WITHOUT_CHARGING(stage -> new Hoarder(stage) {
        @Override
        boolean mayHold(MessageEvent e) {
            return true;
        }
    }),
    /** A queue that asks for admission, and keeps what is refused. */
    IGNORES_A_REFUSAL(stage -> new Hoarder(stage) {
        @Override
        boolean mayHold(MessageEvent e) {
            if (WriteAccount.admit(e.getChannel(), stage.messageCost()) == null) {
                WriteAccount.release(e.getChannel(), stage.messageCost());
            }
            return true;
        }
    }),
    NEVER_RELEASES(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            WriteAccount.charge(e.getChannel(), 64);
            ctx.sendDownstream(e);
        }
    }),
    RELEASES_TWICE(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            WriteAccount.charge(e.getChannel(), 64);
            WriteAccount.release(e.getChannel(), 64);
            WriteAccount.release(e.getChannel(), 64);
            ctx.sendDownstream(e);
        }
    }),
    SWALLOWS_WRITABILITY(stage -> new Saboteur(stage) {
        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {}
    }),
    NEVER_RESUMES(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            ctx.sendDownstream(e);
            if (number == 5) {
                e.getChannel().setUserDefinedWritability(1, false);
            }
        }
    }),
    SWALLOWS_A_CLOSE(stage -> new Saboteur(stage) {
        private boolean hasSwallowed;

        @Override
        public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (hasSwallowed) {
                ctx.sendDownstream(e);
            }
            hasSwallowed = true;
        }
    }),
    CLOSES_EARLY(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            ctx.sendDownstream(e);
            if (number == 8) {
                Channels.close(ctx, e.getChannel().getCloseFuture());
            }
        }
    }),
    /** Holds messages for a second, and hides drains. */
    SAYS_IT_IS_DRAINED(stage -> new Delayer(stage) {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof DrainEvent drain) {
                drain.claim();
            } else {
                super.handleUpstream(ctx, e);
            }
        }
    }),
    LOSES_ON_CLOSE(stage -> new Delayer(stage) {
        @Override
        void onLate(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getChannel().isOpen()) {
                ctx.sendDownstream(e);
            }
        }
    }),
    LEAKS_A_TIMER(stage -> new Saboteur(stage) {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            stage.timer().newTimeout(t -> {}, 10, TimeUnit.HOURS);
            ctx.sendUpstream(e);
        }
    }),
    LEAKS_A_FILE(stage -> new Saboteur(stage) {
        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            if (e.getMessage() instanceof DefaultFileRegion region) {
                Channels.write(ctx, e.getFuture(), new UnreleasedRegion(region));
            } else {
                super.writeRequested(ctx, e);
            }
        }
    }),
    LEAKS_A_CHANNEL(stage -> new Saboteur(stage) {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            LEAKED.add(e.getChannel());
            ctx.sendUpstream(e);
        }
    }),
    BLAMES_A_GOOD_PEER(stage -> new Saboteur(stage) {
        @Override
        void onMessage(ChannelHandlerContext ctx, MessageEvent e, int number) {
            ctx.sendDownstream(e);
            if (number == 0) {
                Channel channel = e.getChannel();
                stage.timer()
                        .newTimeout(
                                t -> channel.close(CloseReason.of(CloseReason.Kind.TIMED_OUT)),
                                30,
                                TimeUnit.MILLISECONDS);
            }
        }
    }),
    NEVER_TIMES_OUT(stage -> new Saboteur(stage) {
        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            e.getChannel().getConfig().setOption("writeStallTimeoutMillis", 0);
            ctx.sendUpstream(e);
        }
    }),
    /** The end of an answer succeeds although its content is incomplete. */
    HIDES_A_CUT(stage -> new Saboteur(stage) {
        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            if (e.getMessage() instanceof HttpChunk chunk && chunk.isLast()) {
                var hidden = Channels.future(e.getChannel());
                hidden.addListener(done -> e.getFuture().setSuccess());
                Channels.write(ctx, hidden, chunk);
            } else {
                super.writeRequested(ctx, e);
            }
        }
    }),
    /** Answers only one connection of a server. */
    STARVES_NEIGHBOURS(stage -> new Saboteur(stage) {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getChannel() == stage.link().connection()) {
                ctx.sendUpstream(e);
            }
        }
    });

    /** Protected from garbage collection. */
    private static final List<Channel> LEAKED = new ArrayList<>();

    /** Null if there is no channel. */
    private final Function<Stage, ChannelHandler> handlers;

    PlantedFault(Function<Stage, ChannelHandler> handlers) {
        this.handlers = handlers;
    }

    void addTo(ChannelPipeline pipeline, Stage stage) {
        if (handlers != null) {
            pipeline.addLast("fault", handlers.apply(stage));
        }
    }
}
