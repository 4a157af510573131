package org.freshet.example.telnet;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.handler.codec.frame.TooLongFrameException;

/**
 * Greets, and answers each line with one line. Its only state is a group of the connections, which any thread may use,
 * so all connections share one instance.
 */
@Sharable
final class TelnetServerHandler extends SimpleChannelUpstreamHandler {
    private static final String LINE_END = "\r\n";

    private final ChannelGroup connections = new DefaultChannelGroup("telnet");

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        connections.add(e.getChannel()); // leaves the group by itself when it closes
        e.getChannel().write("Commands: add NUMBERS, who, bye" + LINE_END);
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        String line = ((String) e.getMessage()).trim();
        if (line.equals("bye")) {
            e.getChannel().write("Have a good day" + LINE_END).addListener(ChannelFutureListener.CLOSE);
        } else {
            e.getChannel().write(answer(line) + LINE_END);
        }
    }

    private String answer(String line) {
        String[] words = line.split("\\s+");
        switch (words[0]) {
            case "add":
                return sum(words);
            case "who":
                return connections.size() + " connected";
            default:
                return "Unknown command: " + line;
        }
    }

    private static String sum(String[] words) {
        long sum = 0;
        for (int i = 1; i < words.length; i++) {
            try {
                sum = Math.addExact(sum, Long.parseLong(words[i]));
            } catch (NumberFormatException e) {
                return "Not a number: " + words[i];
            } catch (ArithmeticException e) {
                return "The sum is too large";
            }
        }
        return Long.toString(sum);
    }

    /** The frame decoder skips a line that is too long, and the conversation continues. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        Channel channel = e.getChannel();
        if (e.getCause() instanceof TooLongFrameException) {
            channel.write("Longer than " + TelnetServer.MAX_LINE_BYTES + " bytes" + LINE_END);
        } else {
            System.err.println(channel + ": " + e.getCause());
            channel.close();
        }
    }
}
