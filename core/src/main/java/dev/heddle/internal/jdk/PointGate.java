package dev.heddle.internal.jdk;

import static java.lang.constant.ConstantDescs.CD_CallSite;
import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_MethodHandles_Lookup;
import static java.lang.constant.ConstantDescs.CD_MethodType;
import static java.lang.constant.ConstantDescs.CD_String;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;

/// The class through which woven code finds its preemption points.
///
/// It must be visible to every class loader and every module, however little they delegate: a class that cannot link
/// its points would fail in the middle of a loop. That is true of `java.lang` alone, so it is defined there. It knows
/// nothing of Heddle but one method handle.
public final class PointGate {

    private static final ClassDesc NAME = ClassDesc.of("java.lang.HeddlePoints");

    private static final MethodTypeDesc LINK =
            MethodTypeDesc.of(CD_CallSite, CD_MethodHandles_Lookup, CD_String, CD_MethodType);

    private static final String LINKER = "linker";

    private PointGate() {}

    /// The bootstrap method for `invokedynamic` instructions that are woven into classes. Usable after [#open].
    public static DirectMethodHandleDesc bootstrap() {
        return MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.STATIC, NAME, "link", LINK);
    }

    /// Defines the gate. `linker` has the type of a bootstrap method. Once in a JVM.
    public static void open(MethodHandle linker) {
        try {
            MethodHandles.Lookup javaLang = MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup());
            Class<?> gate = javaLang.defineClass(classFile());
            javaLang.findStaticSetter(gate, LINKER, MethodHandle.class).invokeExact(linker);
        } catch (Throwable e) {
            throw Jdk.unexpected(NAME.displayName(), e);
        }
    }

    /// `public static CallSite link(lookup, name, type) { return linker.invokeExact(lookup, name, type); }`.
    private static byte[] classFile() {
        return ClassFile.of()
                .build(
                        NAME,
                        it -> it.withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL, AccessFlag.SYNTHETIC)
                                .withField(LINKER, CD_MethodHandle, ClassFile.ACC_STATIC | ClassFile.ACC_VOLATILE)
                                .withMethodBody(
                                        "link",
                                        LINK,
                                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                        code -> code.getstatic(NAME, LINKER, CD_MethodHandle)
                                                .aload(0)
                                                .aload(1)
                                                .aload(2)
                                                .invokevirtual(CD_MethodHandle, "invokeExact", LINK)
                                                .areturn()));
    }
}
