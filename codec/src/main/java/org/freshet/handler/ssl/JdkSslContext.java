package org.freshet.handler.ssl;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSessionContext;

/** A context based on the JDK's {@link SSLContext}. */
public abstract class JdkSslContext extends SslContext {
    private final SSLContext context;

    /** The parameters of every engine; never modified. */
    private final SSLParameters parameters;

    JdkSslContext(SslContextBuilder settings) throws SSLException {
        super(settings);
        try {
            context = SSLContext.getInstance("TLS");
            context.init(settings.keyManagers(), settings.trustManagers(), null);
            parameters = settings.parameters(context);
            if (settings.sessionCacheSize > 0) {
                sessionContext().setSessionCacheSize(settings.sessionCacheSize);
            }
            if (settings.sessionTimeoutSeconds > 0) {
                sessionContext().setSessionTimeout(settings.sessionTimeoutSeconds);
            }
        } catch (SSLException e) {
            throw e;
        } catch (GeneralSecurityException | IOException e) {
            throw new SSLException("cannot create a TLS context: " + e.getMessage(), e);
        }
    }

    final SSLContext jdkContext() {
        return context;
    }

    /** The JDK's context. */
    public abstract SSLContext context();

    /** The sessions that can be resumed. */
    public final SSLSessionContext sessionContext() {
        return isClient() ? context.getClientSessionContext() : context.getServerSessionContext();
    }

    @Override
    public final List<String> cipherSuites() {
        return List.of(parameters.getCipherSuites());
    }

    @Override
    public final long sessionCacheSize() {
        return sessionContext().getSessionCacheSize();
    }

    @Override
    public final long sessionTimeout() {
        return sessionContext().getSessionTimeout();
    }

    final List<String> applicationProtocols() {
        return Arrays.asList(parameters.getApplicationProtocols());
    }

    @Override
    public final SSLEngine newEngine() {
        return configured(context.createSSLEngine());
    }

    @Override
    public final SSLEngine newEngine(String peerHost, int peerPort) {
        return configured(context.createSSLEngine(peerHost, peerPort));
    }

    private SSLEngine configured(SSLEngine engine) {
        engine.setUseClientMode(isClient());
        engine.setSSLParameters(parameters);
        return engine;
    }
}
