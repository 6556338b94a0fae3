package dev.heddle.internal.kernel;

import dev.heddle.internal.jdk.ClassDefiner;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Makes sure that a kernel section has enough stack before it changes any state.
///
/// A stack overflow happens only where a method is called: the JVM checks the stack there and nowhere else. So one
/// call of a method whose frame is [#BYTES] wide proves that as much stack is left for the caller's next calls. It
/// takes 4 ns.
abstract class StackReserve {
    /*
     * Why it is exact. The interpreter reserves space for the locals that a method declares, and checks the stack for
     *             them first. Compiled code may have to deoptimize to the interpreter. So every compiled method that
     *             has a deoptimization state checks for the frame that the interpreter would need; here that state is
     *             the null check of the array.
     * Why so.     Java source cannot express a method with 2,048 locals and nothing else, so the class file is written
     *             here. The nops make the method longer than what the compilers inline (FreqInlineSize, 325). If it
     *             were inlined, the check would still happen, but already when its caller is called.
     * Limits.     HotSpot works this way; the JVM specification does not promise it. Compiled code checks only for
     *             frames over a page. EntryDepthTest runs every entry point at every depth, in every mode of
     *             compilation.
     * Rejected.   @ReservedStackAccess: does nothing on a mounted virtual thread. A recursion of small frames: 26 ns
     *             for 32 of them, and how much stack they use is unknown. docs/adr/0005-one-way-into-the-kernel.md.
     */

    /// How much stack a section may use, from the entry point down: when interpreted, and linked for the first
    /// time.
    static final int BYTES = 16 * 1024;

    private static final int NOPS = 400;
    private static final int[] NOT_NULL = {};
    private static final StackReserve WIDE = wideFrame(BYTES);

    abstract int frame(int[] notNull);

    /// Throws StackOverflowError unless the caller has [#BYTES] left.
    static void check() {
        WIDE.frame(NOT_NULL);
    }

    /// Whether the caller has [#BYTES] left.
    static boolean isThere() {
        try {
            WIDE.frame(NOT_NULL);
            return true;
        } catch (StackOverflowError _) {
            return false;
        }
    }

    private static StackReserve wideFrame(int bytes) {
        String name = "dev/heddle/internal/kernel/WideFrame";
        return (StackReserve) ClassDefiner.newHidden(StackReserve.class, name, classFile(name, bytes / Long.BYTES));
    }

    /// `int frame(int[] notNull) { return notNull.length; }`, with `locals` locals.
    private static byte[] classFile(String name, int locals) {
        ByteBuffer out = ByteBuffer.allocate(NOPS + 256);
        out.putInt(0xCAFEBABE).putInt(69); // Java 25
        out.putShort((short) 8);
        utf8(out, name); // 1
        utf8(out, "dev/heddle/internal/kernel/StackReserve"); // 2
        utf8(out, "frame"); // 3
        utf8(out, "([I)I"); // 4
        utf8(out, "Code"); // 5
        out.put((byte) 7).putShort((short) 1); // 6: this class
        out.put((byte) 7).putShort((short) 2); // 7: its superclass
        shorts(out, 0x30, 6, 7, 0, 0, 1); // final; no interfaces, no fields, one method
        shorts(out, 0, 3, 4, 1, 5); // frame, with one attribute: its code
        out.putInt(12 + NOPS + 3);
        shorts(out, 1, locals); // operand stack, locals
        out.putInt(NOPS + 3);
        out.position(out.position() + NOPS); // nop is 0
        out.put((byte) 0x2b).put((byte) 0xbe).put((byte) 0xac); // aload_1, arraylength, ireturn
        shorts(out, 0, 0, 0); // no handlers, no attributes of the code, none of the class
        byte[] bytes = new byte[out.position()];
        out.get(0, bytes);
        return bytes;
    }

    private static void utf8(ByteBuffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1); // plain ASCII, as all names here are
        out.put((byte) 1).putShort((short) bytes.length).put(bytes);
    }

    private static void shorts(ByteBuffer out, int... values) {
        for (int value : values) {
            out.putShort((short) value);
        }
    }
}
