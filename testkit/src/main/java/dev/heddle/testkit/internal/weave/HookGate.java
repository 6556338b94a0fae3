package dev.heddle.testkit.internal.weave;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;

/// The class that woven code calls: `java.lang.HeddleTestHooks`. Each of its methods calls the hook of the same name
/// through a method handle.
///
/// It must be visible to the JDK's own classes and to every class loader and module of the program. That is true of
/// `java.lang` alone, so it is defined there. It is made of constants, so that the JIT compiler inlines the hooks.
public final class HookGate {

    static final ClassDesc NAME = ClassDesc.of("java.lang.HeddleTestHooks");

    private static final ClassDesc PROPERTIES = ClassDesc.of("java.util.Properties");
    private static final ClassDesc HANDLES = ConstantDescs.CD_MethodHandle.arrayType();

    /// Where the class finds its handles while it is initialised: system properties are a table of objects.
    private static final String KEY = "dev.heddle.testkit.hooks";

    private HookGate() {}

    /// Defines the class. Once in a JVM.
    ///
    /// @param lookup of the class that has the hooks
    /// @param hooks  static methods whose types are the JDK's
    public static void open(MethodHandles.Lookup lookup, Iterable<Method> hooks) {
        Map<String, MethodHandle> handles = new LinkedHashMap<>();
        try {
            for (Method hook : hooks) {
                handles.put(hook.getName(), lookup.unreflect(hook));
            }
            MethodHandles.Lookup javaLang = MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup());
            System.getProperties().put(KEY, handles.values().toArray(MethodHandle[]::new));
            javaLang.ensureInitialized(javaLang.defineClass(classFile(handles)));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("java.lang is not open to the testkit", e);
        } finally {
            System.getProperties().remove(KEY);
        }
    }

    private static byte[] classFile(Map<String, MethodHandle> handles) {
        return ClassFile.of().build(NAME, type -> {
            type.withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL, AccessFlag.SYNTHETIC);
            type.withMethodBody(
                    ConstantDescs.CLASS_INIT_NAME,
                    ConstantDescs.MTD_void,
                    ClassFile.ACC_STATIC,
                    code -> initialise(code, handles));
            handles.forEach((name, handle) -> {
                type.withField(name, ConstantDescs.CD_MethodHandle, ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
                MethodTypeDesc signature = handle.type().describeConstable().orElseThrow();
                type.withMethodBody(
                        name,
                        signature,
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                        code -> call(code, name, signature));
            });
        });
    }

    /// `name = ((MethodHandle[]) System.getProperties().get(KEY))[i]`, for each.
    private static void initialise(CodeBuilder code, Map<String, MethodHandle> handles) {
        int array = code.allocateLocal(TypeKind.REFERENCE);
        code.invokestatic(ClassDesc.of("java.lang.System"), "getProperties", MethodTypeDesc.of(PROPERTIES))
                .ldc(KEY)
                .invokevirtual(PROPERTIES, "get", MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object))
                .checkcast(HANDLES)
                .astore(array);
        int i = 0;
        for (String name : handles.keySet()) {
            code.aload(array).loadConstant(i++).aaload().putstatic(NAME, name, ConstantDescs.CD_MethodHandle);
        }
        code.return_();
    }

    /// `return name.invokeExact(arguments)`.
    private static void call(CodeBuilder code, String name, MethodTypeDesc signature) {
        code.getstatic(NAME, name, ConstantDescs.CD_MethodHandle);
        for (int i = 0; i < signature.parameterCount(); i++) {
            code.loadLocal(TypeKind.from(signature.parameterType(i)), code.parameterSlot(i));
        }
        code.invokevirtual(ConstantDescs.CD_MethodHandle, "invokeExact", signature)
                .return_(TypeKind.from(signature.returnType()));
    }
}
