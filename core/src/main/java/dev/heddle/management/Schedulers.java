package dev.heddle.management;

import dev.heddle.internal.jdk.Access;
import dev.heddle.internal.observe.DebugControl;
import dev.heddle.internal.observe.SchedulerReader;
import dev.heddle.stats.GoroutineStats;
import dev.heddle.stats.SchedulerSnapshot;
import java.lang.management.ManagementFactory;
import java.util.List;
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
            // registered by an earlier call, or by a tool (createMBean)
        } catch (JMException e) {
            throw new IllegalStateException("the schedulers could not be registered for JMX: " + e.getMessage(), e);
        }
    }

    @Override
    public List<String> getNames() {
        return List.copyOf(SchedulerReader.kernels().keySet());
    }

    @Override
    public List<SchedulerSnapshot> getSnapshots() {
        return SchedulerReader.snapshots();
    }

    @Override
    public SchedulerSnapshot snapshot(String name) {
        return SchedulerReader.snapshot(name);
    }

    @Override
    public List<GoroutineStats> goroutines(String name, int limit, int frames) {
        return SchedulerReader.goroutines(name, limit, frames);
    }

    @Override
    public String getDebug() {
        return DebugControl.settings().toString();
    }

    @Override
    public void setDebug(String settings) {
        DebugControl.change(settings);
    }
}
