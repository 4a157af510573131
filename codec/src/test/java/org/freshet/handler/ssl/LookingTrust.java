package org.freshet.handler.ssl;

import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.freshet.handler.ssl.util.SimpleTrustManagerFactory;

/** Trusts every server, and runs a callback whenever it checks one. */
final class LookingTrust extends SimpleTrustManagerFactory {
    private final Runnable onLook;

    LookingTrust(Runnable onLook) {
        this.onLook = onLook;
    }

    @Override
    protected void engineInit(KeyStore keyStore) {}

    @Override
    protected void engineInit(ManagerFactoryParameters parameters) {}

    @Override
    protected TrustManager[] engineGetTrustManagers() {
        return new TrustManager[] {
            new X509TrustManager() {
                @Override
                public void checkClientTrusted(X509Certificate[] chain, String authType) {}

                @Override
                public void checkServerTrusted(X509Certificate[] chain, String authType) {
                    onLook.run();
                }

                @Override
                public X509Certificate[] getAcceptedIssuers() {
                    return new X509Certificate[0];
                }
            }
        };
    }
}
