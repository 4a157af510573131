package org.freshet.channel.socket.oio;

import java.util.concurrent.Executors;
import org.freshet.channel.socket.ClientSocketChannelFactory;
import org.freshet.channel.socket.ServerSocketChannelFactory;
import org.freshet.testing.Rig;

/** The ways to run connections; each scenario runs with all of them. */
enum Transport {
    /** The default constructors: virtual threads if available. */
    DEFAULT_THREADS {
        @Override
        ServerSocketChannelFactory server() {
            return new OioServerSocketChannelFactory();
        }

        @Override
        ClientSocketChannelFactory client() {
            return new OioClientSocketChannelFactory();
        }
    },

    PLATFORM_THREADS {
        @Override
        ServerSocketChannelFactory server() {
            return new OioServerSocketChannelFactory(Executors.newCachedThreadPool(), Executors.newCachedThreadPool());
        }

        @Override
        ClientSocketChannelFactory client() {
            return new OioClientSocketChannelFactory(Executors.newCachedThreadPool());
        }
    };

    Rig rig() {
        return new Rig(server(), client());
    }

    abstract ServerSocketChannelFactory server();

    abstract ClientSocketChannelFactory client();
}
