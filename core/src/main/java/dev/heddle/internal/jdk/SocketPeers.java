package dev.heddle.internal.jdk;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/// Finds out from whom virtual threads read: the address of the peer of the socket that a thread waits for.
public final class SocketPeers {

    private static final Unsafe U = Unsafe.getUnsafe();

    /// @param descriptor the file descriptor of the socket
    /// @param address    its peer, as `address:port`
    public record Peer(int descriptor, String address) {}

    /// Linked on first use, since only the doctor asks.
    private static final class Handles {
        static final MethodHandle NEW_DESCRIPTOR;
        static final MethodHandle REMOTE_ADDRESS;

        static {
            try {
                Class<?> net = Jdk.classNamed("sun.nio.ch.Net");
                Class<?> util = Jdk.classNamed("sun.nio.ch.IOUtil");
                REMOTE_ADDRESS = MethodHandles.privateLookupIn(net, MethodHandles.lookup())
                        .findStatic(
                                net,
                                "remoteAddress",
                                MethodType.methodType(InetSocketAddress.class, FileDescriptor.class));
                NEW_DESCRIPTOR = MethodHandles.privateLookupIn(util, MethodHandles.lookup())
                        .findStatic(util, "newFD", MethodType.methodType(FileDescriptor.class, int.class));
            } catch (ReflectiveOperationException e) {
                throw Jdk.unexpected("sun.nio.ch.Net.remoteAddress", e);
            }
        }
    }

    private SocketPeers() {}

    /// The peers of at most `limit` threads that wait for input. Threads that wait for a connection to accept,
    /// or for a datagram, have no peer and are left out.
    public static Map<Thread, Peer> ofReaders(int limit) {
        Map<Thread, Peer> peers = new HashMap<>();
        for (Map<?, ?> waiting : waitingForInput()) {
            for (Map.Entry<?, ?> each : waiting.entrySet()) {
                if (peers.size() == limit) {
                    return peers;
                }
                if (each.getKey() instanceof Integer descriptor && each.getValue() instanceof Thread thread) {
                    String peer = peerOf(descriptor);
                    // Asked again: the socket may have been closed meanwhile, and its number given to another one.
                    if (peer != null && waiting.get(descriptor) == thread) {
                        peers.put(thread, new Peer(descriptor, peer));
                    }
                }
            }
        }
        return peers;
    }

    private static @Nullable String peerOf(int descriptor) {
        try {
            FileDescriptor file = (FileDescriptor) Handles.NEW_DESCRIPTOR.invokeExact(descriptor);
            InetSocketAddress address = (InetSocketAddress) Handles.REMOTE_ADDRESS.invokeExact(file);
            return address.getAddress().getHostAddress() + ":" + address.getPort();
        } catch (IOException _) {
            return null; // not connected: it accepts, or receives datagrams
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// The maps of the JDK's read pollers, from file descriptors to threads; none if no thread has used a
    /// socket.
    private static List<Map<?, ?>> waitingForInput() {
        List<Map<?, ?>> maps = new ArrayList<>();
        Class<?> poller = Jdk.classNamed("sun.nio.ch.Poller");
        if (U.shouldBeInitialized(poller)) {
            return maps;
        }
        try {
            var field = poller.getDeclaredField("POLLERS");
            Object pollers = U.getReference(U.staticFieldBase(field), U.staticFieldOffset(field));
            @Nullable
            Object[] readers =
                    (Object[]) U.getReference(pollers, U.objectFieldOffset(pollers.getClass(), "readPollers"));
            long map = U.objectFieldOffset(poller, "map");
            for (Object each : readers) {
                if (each != null) {
                    maps.add((Map<?, ?>) U.getReference(each, map));
                }
            }
            return maps;
        } catch (ReflectiveOperationException | InternalError e) {
            throw Jdk.unexpected("sun.nio.ch.Poller.POLLERS", e);
        }
    }
}
