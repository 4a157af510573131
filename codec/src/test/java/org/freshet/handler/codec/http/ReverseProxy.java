package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.freshet.testing.Await;

/**
 * A proxy process in front of a server. It listens on a Unix domain socket, because another process could take a free
 * port before it listens. Belongs to the test's thread.
 */
final class ReverseProxy implements AutoCloseable {
    /** The longest name of such a socket on Linux, with some margin. */
    private static final int MAX_PATH_LENGTH = 100;

    enum Kind {
        NGINX {
            @Override
            List<String> command(Path folder) {
                return List.of("nginx", "-e", "error.log", "-p", folder.toString(), "-c", "configuration");
            }

            @Override
            String configuration(Path socket, int port) {
                return """
                        daemon off;
                        master_process off;
                        pid pid;
                        error_log error.log;
                        events { worker_connections 64; }
                        http {
                            access_log off;
                            client_body_temp_path body;
                            proxy_temp_path proxy;
                            fastcgi_temp_path fastcgi;
                            uwsgi_temp_path uwsgi;
                            scgi_temp_path scgi;
                            client_max_body_size 0;
                            upstream freshet { server 127.0.0.1:%2$d; keepalive 1; }
                            server {
                                listen unix:%1$s;
                                location / {
                                    proxy_pass http://freshet;
                                    proxy_http_version 1.1;
                                    proxy_set_header Connection "";
                                    proxy_buffering off;
                                    proxy_request_buffering off;
                                }
                            }
                        }
                        """.formatted(socket, port);
            }
        },
        HAPROXY {
            @Override
            List<String> command(Path folder) {
                return List.of(
                        "haproxy", "-db", "-f", folder.resolve("configuration").toString());
            }

            @Override
            String configuration(Path socket, int port) {
                return """
                        global
                            maxconn 64
                        defaults
                            mode http
                            timeout connect 20s
                            timeout client 20s
                            timeout server 20s
                        frontend front
                            bind unix@%s
                            default_backend back
                        backend back
                            http-reuse always
                            server freshet 127.0.0.1:%d
                        """.formatted(socket, port);
            }
        };

        abstract List<String> command(Path folder);

        abstract String configuration(Path socket, int port);

        private boolean isInstalled() throws InterruptedException {
            try {
                return discarding(new ProcessBuilder(command(Path.of(".")).get(0), "-v"))
                                .start()
                                .waitFor()
                        == 0;
            } catch (IOException e) {
                return false;
            }
        }
    }

    private final Process process;
    private final UnixDomainSocketAddress address;

    /** Skips the calling test if the proxy is not installed. */
    ReverseProxy(Kind kind, int port, Path folder) throws Exception {
        this(kind, socket -> kind.configuration(socket, port), folder);
    }

    /**
     * With the test's own configuration.
     *
     * @param configuration receives the address to listen on
     */
    ReverseProxy(Kind kind, Function<Path, String> configuration, Path folder) throws Exception {
        assumeTrue(kind.isInstalled(), kind + " is not installed");
        Path socket = folder.toAbsolutePath().resolve("socket");
        assumeTrue(socket.toString().length() < MAX_PATH_LENGTH, "too long for a Unix domain socket: " + socket);
        address = UnixDomainSocketAddress.of(socket);
        Files.writeString(folder.resolve("configuration"), configuration.apply(socket));
        process = discarding(new ProcessBuilder(kind.command(folder.toAbsolutePath())))
                .start();
        try {
            Await.until(this::isListening, () -> kind + ", alive: " + process.isAlive());
        } catch (AssertionError e) {
            close();
            throw e;
        }
    }

    private static ProcessBuilder discarding(ProcessBuilder process) {
        return process.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }

    private boolean isListening() {
        try {
            connect().close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    SocketChannel connect() throws IOException {
        return SocketChannel.open(address);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
