import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/// A name service that takes its time, except for `localhost`.
public class SlowResolver extends InetAddressResolverProvider implements InetAddressResolver {

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return this;
    }

    @Override
    public String name() {
        return "slow";
    }

    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
        if (!host.equals("localhost")) {
            pause();
        }
        return Stream.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}));
    }

    @Override
    public String lookupByAddress(byte[] address) {
        pause();
        return "localhost";
    }

    private static void pause() {
        try {
            Thread.sleep(800);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
