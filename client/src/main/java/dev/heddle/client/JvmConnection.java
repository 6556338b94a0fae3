package dev.heddle.client;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.heddle.management.Schedulers;
import dev.heddle.management.SchedulersMXBean;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.SchedulerSnapshot;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/// A connection to a running JVM that uses Heddle, with typed answers.
///
/// No agent is loaded into the JVM, because JDK 25 prints a warning about that on the program's standard error. Instead
/// the JVM starts its own management agent, and creates the bean from the heddle.jar that it already has. Every failure
/// becomes an [IOException] whose message is one sentence for the user.
public final class JvmConnection implements AutoCloseable {

    private static final int FEATURE = 25;

    private final long pid;
    private final JMXConnector connector;
    private final MBeanServerConnection connection;
    private final SchedulersMXBean bean;

    static {
        // A suspended target must not block the client. RMI reads this property once.
        if (System.getProperty("sun.rmi.transport.tcp.responseTimeout") == null) {
            System.setProperty("sun.rmi.transport.tcp.responseTimeout", "60000");
        }
    }

    private JvmConnection(long pid, JMXConnector connector) throws IOException, JMException {
        this.pid = pid;
        this.connector = connector;
        this.connection = connector.getMBeanServerConnection();
        ObjectName name = new ObjectName(Schedulers.OBJECT_NAME);
        if (!connection.isRegistered(name)) {
            try {
                connection.createMBean(Schedulers.class.getName(), name);
            } catch (InstanceAlreadyExistsException _) {
                // another client created the bean at the same time
            }
        }
        this.bean = JMX.newMXBeanProxy(connection, name, SchedulersMXBean.class);
    }

    /// Connects to a process on this host.
    ///
    /// @throws IOException with one sentence, if the process has no Heddle scheduler or cannot be queried
    @SuppressWarnings("BanJNDI") // trusted: a JVM on this host has just reported the address
    public static JvmConnection attach(long pid) throws IOException {
        ProcessHandle process =
                ProcessHandle.of(pid).orElseThrow(() -> new IOException("there is no process " + pid + "."));
        String address = startManagement(process);
        JMXConnector connector = null;
        JvmConnection watched = null;
        try {
            connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
            watched = new JvmConnection(pid, connector);
            if (watched.names().isEmpty()) {
                throw new IOException(
                        "process " + pid + " has Heddle on its class path, but has made no scheduler yet.");
            }
            return watched;
        } catch (JMException e) {
            throw new IOException(whyNoBean(pid, e), e);
        } catch (IOException e) {
            throw process.isAlive() ? e : ended(pid, e);
        } finally {
            if (connector != null && watched == null) {
                closeQuietly(connector);
            }
        }
    }

    /// The address of the JVM's own management agent, which is started if necessary.
    private static String startManagement(ProcessHandle process) throws IOException {
        VirtualMachine machine = null;
        try {
            machine = VirtualMachine.attach(Long.toString(process.pid()));
            String version = machine.getSystemProperties().getProperty("java.version", "?");
            if (Runtime.Version.parse(version).feature() != FEATURE) {
                throw new IOException("process " + process.pid() + " runs JDK " + version + ": Heddle runs on JDK "
                        + FEATURE + " only.");
            }
            return machine.startLocalManagementAgent();
        } catch (AttachNotSupportedException e) {
            throw new IOException(whyNotAttached(process), e);
        } catch (IOException e) {
            throw e.getMessage() != null && e.getMessage().startsWith("process ")
                    ? e
                    : new IOException(whyNotAttached(process), e);
        } finally {
            if (machine != null) {
                detachQuietly(machine);
            }
        }
    }

    private static String whyNotAttached(ProcessHandle process) {
        String who = "process " + process.pid();
        if (!process.isAlive()) {
            return who + " has ended.";
        }
        Optional<String> owner = process.info().user();
        if (owner.isPresent() && !owner.get().equals(System.getProperty("user.name"))) {
            return who + " belongs to user " + owner.get() + ": run heddle as that user.";
        }
        return who + " is not a JVM, or one that does not answer (stopped, just starting, or"
                + " -XX:+DisableAttachMechanism).";
    }

    private static String whyNoBean(long pid, JMException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof ClassNotFoundException) {
            return "process " + pid + " has no Heddle on its class path: start it with -javaagent:heddle.jar or by"
                    + " 'heddle run'. If it has Heddle in a class loader of its own, let it call"
                    + " dev.heddle.management.Schedulers.register().";
        }
        return "process " + pid + " cannot be watched: " + cause.getMessage();
    }

    public long pid() {
        return pid;
    }

    /// For the JVM's own figures: memory, threads and CPU time.
    public MBeanServerConnection connection() {
        return connection;
    }

    /// The names of its schedulers, the JVM's default first.
    public List<String> names() throws IOException {
        return ask(SchedulersMXBean::getNames);
    }

    /// The scheduler of that name, or the first one if the name is null.
    ///
    /// @throws IOException with one sentence, if there is none of that name
    public String nameOf(@Nullable String name) throws IOException {
        List<String> names = names();
        if (name != null && names.contains(name)) {
            return name;
        }
        if (name == null && !names.isEmpty()) {
            return names.getFirst();
        }
        throw new IOException(
                names.isEmpty()
                        ? "process " + pid + " has no scheduler any more."
                        : "process " + pid + " has no scheduler '" + name + "'; it has " + String.join(", ", names)
                                + ".");
    }

    public SchedulerSnapshot snapshot(String name) throws IOException {
        return ask(it -> it.snapshot(name));
    }

    public List<SchedulerSnapshot> snapshots() throws IOException {
        return ask(SchedulersMXBean::getSnapshots);
    }

    /// The goroutines and virtual threads of a scheduler: at most `limit`, with at most `frames` frames each.
    public List<GoroutineStats> goroutines(String name, int limit, int frames) throws IOException {
        return ask(it -> it.goroutines(name, limit, frames));
    }

    /// Queries the bean.
    ///
    /// @throws IOException with one sentence, if there is no answer
    public <T> T ask(Function<SchedulersMXBean, T> question) throws IOException {
        try {
            return question.apply(bean);
        } catch (UndeclaredThrowableException e) {
            throw translated(e.getUndeclaredThrowable());
        } catch (RuntimeMBeanException e) {
            throw new IOException(e.getTargetException().getMessage(), e);
        } catch (IllegalArgumentException e) { // the scheduler no longer exists
            throw new IOException(e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            throw new IOException("process " + pid + " failed to answer: " + e, e);
        }
    }

    /// Sends a command to the bean.
    ///
    /// @throws IOException with one sentence, if it refuses or does not answer
    public void tell(Consumer<SchedulersMXBean> order) throws IOException {
        boolean _ = ask(it -> {
            order.accept(it);
            return true;
        });
    }

    /// Makes the process write its heap to a file, after a collection: unreferenced objects are not in it.
    ///
    /// @throws IOException with one sentence, if that fails
    public void dumpHeap(Path file) throws IOException {
        HotSpotDiagnosticMXBean diagnostics = ManagementFactory.newPlatformMXBeanProxy(
                connection(), "com.sun.management:type=HotSpotDiagnostic", HotSpotDiagnosticMXBean.class);
        try {
            diagnostics.dumpHeap(file.toString(), /* live= */ true);
        } catch (IOException e) {
            throw hasEnded()
                    ? ended(pid, e)
                    : new IOException(
                            "process " + pid + " cannot write its heap to " + file + ": " + e.getMessage() + ".", e);
        }
    }

    private IOException translated(@Nullable Throwable failure) {
        if (failure instanceof IOException lost) {
            return connectionLost(lost);
        }
        return new IOException(
                "process " + pid + " has another version of Heddle, which does not know this question (" + failure
                        + ").",
                failure);
    }

    /// The exception for a broken connection. Usually the process is ending; its sockets close shortly before it is
    /// gone.
    public IOException connectionLost(IOException cause) {
        return hasEnded() ? ended(pid, cause) : new IOException("process " + pid + " does not answer any more.", cause);
    }

    private boolean hasEnded() {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        try {
            if (process.isPresent()) {
                process.get().onExit().get(1, TimeUnit.SECONDS);
            }
            return true;
        } catch (TimeoutException | ExecutionException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static IOException ended(long pid, Throwable cause) {
        return new IOException("process " + pid + " has ended.", cause);
    }

    @Override
    public void close() {
        closeQuietly(connector);
    }

    private static void closeQuietly(JMXConnector connector) {
        try {
            connector.close();
        } catch (IOException _) {
            // the process has ended, so nothing needs to be closed
        }
    }

    private static void detachQuietly(VirtualMachine machine) {
        try {
            machine.detach();
        } catch (IOException _) {
            // the process has ended
        }
    }
}
