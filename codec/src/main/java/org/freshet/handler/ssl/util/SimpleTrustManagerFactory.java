package org.freshet.handler.ssl.util;

import java.security.InvalidAlgorithmParameterException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.Provider;
import java.util.Objects;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;

/** A trust manager factory that need not be registered with a security provider: extend it, make one, use it. */
public abstract class SimpleTrustManagerFactory extends TrustManagerFactory {
    private static final Provider PROVIDER = new NoProvider();

    /** A factory must name one; it offers nothing. */
    private static final class NoProvider extends Provider {
        private static final long serialVersionUID = 1L;

        NoProvider() {
            super("Freshet", "1", "trust manager factories of Freshet");
        }
    }

    /** What the JDK calls; calls the factory in turn. */
    private static final class Delegate extends TrustManagerFactorySpi {
        private SimpleTrustManagerFactory factory;

        @Override
        protected void engineInit(KeyStore keyStore) throws KeyStoreException {
            try {
                factory.engineInit(keyStore);
            } catch (KeyStoreException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new KeyStoreException(e);
            }
        }

        @Override
        protected void engineInit(ManagerFactoryParameters parameters) throws InvalidAlgorithmParameterException {
            try {
                factory.engineInit(parameters);
            } catch (InvalidAlgorithmParameterException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new InvalidAlgorithmParameterException(e);
            }
        }

        @Override
        protected TrustManager[] engineGetTrustManagers() {
            return factory.engineGetTrustManagers();
        }
    }

    /** Without a name. */
    protected SimpleTrustManagerFactory() {
        this("");
    }

    /** @param name answers {@link #getAlgorithm()} */
    protected SimpleTrustManagerFactory(String name) {
        this(new Delegate(), name);
    }

    private SimpleTrustManagerFactory(Delegate delegate, String name) {
        super(delegate, PROVIDER, Objects.requireNonNull(name, "name"));
        delegate.factory = this;
    }

    /** Called by {@link #init(KeyStore)}; what is not a KeyStoreException reaches the caller as the cause of one. */
    protected abstract void engineInit(KeyStore keyStore) throws Exception;

    /**
     * Called by {@link #init(ManagerFactoryParameters)}; what is not an InvalidAlgorithmParameterException reaches the
     * caller as the cause of one.
     */
    protected abstract void engineInit(ManagerFactoryParameters managerFactoryParameters) throws Exception;

    /** Called by {@link #getTrustManagers()}, after one of the others. */
    protected abstract TrustManager[] engineGetTrustManagers();
}
