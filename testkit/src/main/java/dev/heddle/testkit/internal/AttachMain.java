package dev.heddle.testkit.internal;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;

/// The program that attaches the agent to the JVM that started it: `AttachMain PID JAR`.
final class AttachMain {

    private AttachMain() {}

    public static void main(String[] arguments) {
        try {
            VirtualMachine target = VirtualMachine.attach(arguments[0]);
            try {
                target.loadAgent(arguments[1]);
            } finally {
                target.detach();
            }
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException | IOException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
    }
}
