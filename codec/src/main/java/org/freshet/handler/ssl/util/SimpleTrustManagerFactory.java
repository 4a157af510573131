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

/** A trust manager factory that needs no registration with a security provider: extend it, create an instance, use it. */
public abstract class SimpleTrustManagerFactory extends TrustManagerFactory {
    private static final Provider PROVIDER = new NoProvider();

    /** A factory must name a provider; this one offers nothing. */
    private static final class NoProvider extends Provider {
        private static final long serialVersionUID = 1L;

        NoProvider() {
            super("Freshet", "1", "trust manager factories of Freshet");
        }
    }

    /** Called by the JDK; calls the factory in turn. */
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

    /** @param name the result of {@link #getAlgorithm()} */
    protected SimpleTrustManagerFactory(String name) {
        this(new Delegate(), name);
    }

    private SimpleTrustManagerFactory(Delegate delegate, String name) {
        super(delegate, PROVIDER, Objects.requireNonNull(name, "name"));
        delegate.factory = this;
    }

    /** Called by {@link #init(KeyStore)}. Checked exceptions other than KeyStoreException are wrapped in one. */
    protected abstract void engineInit(KeyStore keyStore) throws Exception;

    /**
     * Called by {@link #init(ManagerFactoryParameters)}. Exceptions other than InvalidAlgorithmParameterException and
     * RuntimeExceptions are wrapped in one.
     */
    protected abstract void engineInit(ManagerFactoryParameters managerFactoryParameters) throws Exception;

    /** Called by {@link #getTrustManagers()}, after one of the other methods. */
    protected abstract TrustManager[] engineGetTrustManagers();
}
