package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.InetSocketAddress;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.util.NetUtil;

/** Reads a version 1 header, such as {@code PROXY TCP4 203.0.113.7 198.51.100.1 4711 443}. Stateless. */
final class LineReader {
    private static final String UNKNOWN = "UNKNOWN";
    private static final int WORDS = 5;
    private static final int MAX_PORT_DIGITS = 5;

    private LineReader() {}

    /** @param length including the CRLF */
    static ProxyProtocolHeader read(ChannelBuffer in, int length) throws CorruptedFrameException {
        int start = HeaderReader.LINE_START.length;
        String text = in.toString(in.readerIndex() + start, length - start - 2, ISO_8859_1);
        if (text.equals(UNKNOWN) || text.startsWith(UNKNOWN + ' ')) {
            return ProxyProtocolHeader.proxied(null, null); // the rest of the line must be ignored
        }
        String[] words = text.split(" ", -1);
        if (words.length != WORDS) {
            throw malformed("not " + WORDS + " words after PROXY: " + words.length);
        }
        boolean isV6 = words[0].equals("TCP6");
        if (!isV6 && !words[0].equals("TCP4")) {
            throw malformed("not TCP4, TCP6 or UNKNOWN");
        }
        return ProxyProtocolHeader.proxied(address(isV6, words[1], words[3]), address(isV6, words[2], words[4]));
    }

    private static InetSocketAddress address(boolean isV6, String host, String port) throws CorruptedFrameException {
        boolean isPlain = host.indexOf('[') < 0 && host.indexOf('%') < 0 && host.indexOf(':') >= 0 == isV6;
        byte[] ip = isPlain ? NetUtil.createByteArrayFromIpAddressString(host) : null;
        if (ip == null) {
            throw malformed("not an address of the family");
        }
        return BlockReader.address(ip, port(port));
    }

    private static int port(String text) throws CorruptedFrameException {
        boolean isNumber = !text.isEmpty()
                && text.length() <= MAX_PORT_DIGITS
                && text.chars().allMatch(c -> c >= '0' && c <= '9')
                && (text.length() == 1 || text.charAt(0) != '0');
        int port = isNumber ? Integer.parseInt(text) : -1;
        if (port < 0 || port > 0xffff) {
            throw malformed("not a port");
        }
        return port;
    }

    private static CorruptedFrameException malformed(String what) {
        return new CorruptedFrameException("malformed PROXY protocol line: " + what);
    }
}
