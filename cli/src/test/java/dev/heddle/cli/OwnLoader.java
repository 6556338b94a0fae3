package dev.heddle.cli;

import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;

/// Runs [Waiters] with Heddle in a class loader of its own, as a servlet container would. The arguments are the
/// locations of both.
final class OwnLoader {

    private OwnLoader() {}

    public static void main(String[] args) throws Exception {
        URL[] path = new URL[args.length];
        for (int i = 0; i < path.length; i++) {
            path[i] = URI.create(args[i]).toURL();
        }
        try (var loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            var main = loader.loadClass(Waiters.class.getName()).getMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
        }
    }
}
