package dev.heddle.agent;

import dev.heddle.jdk.Classes;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// Defines the classes that the installation needs, one after the other, right out of the agent's jar.
///
/// A JVM that has just started interprets the code of its class loader, and takes 0.4 ms to load a class of a jar
/// by it: 40 ms for these. Straight from the jar they take 13. Only time is gained: a class that is not defined
/// here is loaded by whoever needs it.
final class Preload {

    /// In the order in which the installation needs them: superclasses first.
    static final String[] NAMES = {
        "agent.Installation",
        "kernel.PreemptionPoints",
        "jdk.DefaultScheduler",
        "Scheduler",
        "Scheduler$Builder",
        "procs.SystemFiles$Opener",
        "Defaults",
        "queue.StealPolicy",
        "queue.StealPolicy$1",
        "queue.StealPolicy$2",
        "queue.StealPolicy$3",
        "Scheduler$FileOpener",
        "procs.SystemFiles",
        "procs.RealSystemFiles",
        "procs.RealSystemFiles$1",
        "procs.ProcsSettings",
        "procs.ProcsWatcher",
        "procs.CpuLimitsReader",
        "procs.MalformedFileException",
        "procs.Problems",
        "kernel.KernelThread",
        "procs.CpuSet",
        "procs.Decimal",
        "procs.CgroupPath",
        "procs.MountInfo",
        "procs.MountInfo$Location",
        "procs.CpuCgroup",
        "procs.CpuCgroup$Level",
        "procs.CpuLimitsReader$Discovery",
        "procs.CpuQuota",
        "procs.Throttling",
        "procs.CpuLimits",
        "procs.ProcsWatcher$State",
        "procs.ProcsDecision",
        "kernel.KernelOptions",
        "kernel.Kernel",
        "jdk.Carrier",
        "kernel.ProcessorOwner",
        "kernel.Machine",
        "jdk.CarrierPool",
        "kernel.KernelPool",
        "kernel.SchedulerBug",
        "queue.TimerEntry",
        "kernel.KernelTimer",
        "kernel.Goroutine$Body",
        "kernel.KernelLock",
        "kernel.Handles",
        "kernel.KernelCounters",
        "kernel.LatencySampler",
        "kernel.LatencySampler$1",
        "event.LatencyHistogram",
        "kernel.SharedQueue",
        "queue.GlobalRunQueue",
        "kernel.IdleLists",
        "kernel.SpinCoordinator",
        "kernel.TimerSleeper",
        "kernel.LockedThreads",
        "kernel.World",
        "queue.LocalRunQueue$Overflow",
        "kernel.Processor",
        "kernel.DeadlockDetector",
        "kernel.ProcessorSet",
        "queue.StealOrder",
        "jdk.CarrierPool$NoWorkers",
        "jdk.GoroutineContainer",
        "kernel.Goroutines",
        "kernel.Starter",
        "kernel.SystemMonitor",
        "kernel.Retaker",
        "kernel.Demoter",
        "kernel.World$Plan",
        "queue.PadBeforeHead",
        "queue.RunQueueHead",
        "queue.PadBeforeTail",
        "queue.RunQueueTail",
        "queue.RunQueuePadding",
        "queue.LocalRunQueue",
        "queue.TimerHeap",
        "queue.TimerHeap$Allocator",
        "queue.TimerHeap$1",
        "queue.TimerHeap$2",
        "kernel.Processor$Status",
        "kernel.ShellRegister",
        "kernel.Shell",
        "queue.RunBatch",
        "kernel.Look",
        "jdk.Jdk",
        "kernel.Chaos",
        "jdk.Probe",
        "jdk.Probe$Nothing",
        "observe.FlightRecorder",
        "jdk.MountNotices",
        "jdk.LibJvm",
        "kernel.CoarseClock",
        "kernel.SystemMonitor$1",
        "kernel.Retaker$Result"
    };

    private Preload() {}

    static void all() {
        ProtectionDomain domain = Preload.class.getProtectionDomain();
        File jar = jarOf(domain.getCodeSource());
        if (jar == null || Classes.areArchived()) {
            return;
        }
        try (ZipFile file = new ZipFile(jar)) {
            for (String name : NAMES) {
                define("dev.heddle.".concat(name), file, domain);
            }
        } catch (IOException _) {
            // whoever needs a class finds out, and says so
        }
    }

    private static void define(String name, ZipFile file, ProtectionDomain domain) throws IOException {
        ZipEntry entry = file.getEntry(name.replace('.', '/').concat(".class"));
        if (entry == null) {
            return;
        }
        try (InputStream in = file.getInputStream(entry)) {
            Classes.define(Preload.class.getClassLoader(), name, in.readAllBytes(), domain);
        } catch (LinkageError _) {
            // loaded already, by another agent's doing
        }
    }

    private static @Nullable File jarOf(@Nullable CodeSource source) {
        try {
            File file = source == null ? null : new File(source.getLocation().toURI());
            return file != null && file.isFile() ? file : null;
        } catch (URISyntaxException | IllegalArgumentException _) {
            return null; // not a file of this machine
        }
    }
}
