package org.freshet.example.rtspsnoop;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.rtsp.RtspRequestDecoder;
import org.freshet.handler.codec.rtsp.RtspResponseEncoder;
import org.freshet.handler.traffic.BackPressureHandler;

/** A camera and its viewer in one program, over loopback. */
public final class RtspSnoop {
    private RtspSnoop() {}

    public static void main(String[] args) throws InterruptedException {
        new Arguments("rtsp-snoop", 0, 0, args);
        System.out.println(
                "rtsp-snoop: a camera and its viewer; requests, answers and picture packets share a connection");
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new BackPressureHandler(),
                new RtspRequestDecoder(HttpLimits.defaults(), true),
                new RtspResponseEncoder(),
                new CameraHandler()));
        boolean ok;
        try (Viewer viewer = new Viewer(bootstrap
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .getLocalAddress())) {
            ok = viewer.watch();
        } finally {
            bootstrap.releaseExternalResources();
        }
        System.out.println(ok ? "all pictures arrived: right" : "wrong");
        System.exit(ok ? 0 : 1);
    }
}
