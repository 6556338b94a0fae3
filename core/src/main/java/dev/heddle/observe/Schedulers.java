package dev.heddle.observe;

import dev.heddle.internal.jdk.Access;
import dev.heddle.internal.kernel.Inspector;
import dev.heddle.internal.kernel.Kernel;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.ProcessorStats;
import dev.heddle.stats.SchedulerStats;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;

/// The bean behind [SchedulersMXBean]. It has no state: each call reads the schedulers anew.
public final class Schedulers implements SchedulersMXBean {

    /// The name under which it is registered.
    public static final String OBJECT_NAME = "dev.heddle:type=Schedulers";

    /// @throws UnsupportedOperationException if this JVM cannot run Heddle, with one sentence that says why
    public Schedulers() {
        Access.require();
    }

    /// Registers the bean in this JVM's platform MBean server, unless it is there. Any thread.
    public static void register() {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(new Schedulers(), new ObjectName(OBJECT_NAME));
        } catch (InstanceAlreadyExistsException _) {
            // registered by an earlier call, or by a tool that attached
        } catch (JMException e) {
            throw new IllegalStateException("the schedulers could not be registered for JMX: " + e.getMessage(), e);
        }
    }

    @Override
    public List<String> getNames() {
        return List.copyOf(kernels().keySet());
    }

    @Override
    public List<SchedulerSnapshot> getSnapshots() {
        return kernels().entrySet().stream()
                .map(it -> snapshot(it.getKey(), it.getValue()))
                .toList();
    }

    @Override
    public SchedulerSnapshot snapshot(String name) {
        return snapshot(name, kernel(name));
    }

    @Override
    public List<GoroutineStats> goroutines(String name, int limit, int frames) {
        return Goroutines.of(kernel(name), limit, frames);
    }

    /// A dump of one scheduler of this JVM. Any thread.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    public GoroutineDump dump(String name) {
        return new GoroutineDump(snapshot(name), goroutines(name, Integer.MAX_VALUE, Integer.MAX_VALUE));
    }

    @Override
    public String getDebug() {
        return Debugging.settings().toString();
    }

    @Override
    public void setDebug(String settings) {
        Debugging.change(settings);
    }

    private static Kernel kernel(String name) {
        Map<String, Kernel> kernels = kernels();
        Kernel kernel = kernels.get(name);
        if (kernel == null) {
            throw new IllegalArgumentException(
                    "there is no scheduler '" + name + "'; there are " + String.join(", ", kernels.keySet()) + ".");
        }
        return kernel;
    }

    /// The live schedulers under names that differ.
    static Map<String, Kernel> kernels() {
        Map<String, Kernel> kernels = new LinkedHashMap<>();
        for (Kernel kernel : Inspector.kernels()) {
            String name = kernel.name();
            for (int number = 2; kernels.containsKey(name); number++) {
                name = kernel.name() + "#" + number;
            }
            kernels.put(name, kernel);
        }
        return kernels;
    }

    static SchedulerSnapshot snapshot(String name, Kernel kernel) {
        SchedulerStats stats = kernel.stats();
        List<ProcessorStats> processors = Inspector.processors(kernel);
        var machines = Inspector.machines(kernel);
        long blocked = machines.stream().filter(it -> it.blocked()).count();
        long owning = machines.stream()
                .filter(it -> it.goroutine() != 0 && it.processor() >= 0 && !it.blocked())
                .count();
        long queued = stats.globalQueue();
        for (ProcessorStats processor : processors) {
            queued += processor.runQueue() + (processor.runNext() ? 1 : 0);
        }
        // The counters were read at different times: keep the differences from becoming negative.
        long live = Math.max(0, stats.live());
        long running = Math.min(owning, live);
        long notInGo = Math.min(blocked, live - running);
        long runnable = Math.min(queued, live - running - notInGo);
        return new SchedulerSnapshot(
                name,
                Inspector.isDefault(kernel),
                System.nanoTime(),
                stats,
                processors,
                machines,
                Inspector.latencies(kernel),
                LimitStats.of(kernel.limits()),
                Inspector.created(kernel),
                runnable,
                running,
                notInGo,
                live - running - notInGo - runnable);
    }
}
