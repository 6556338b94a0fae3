package dev.heddle.internal.weave;

import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Puts preemption points into the loops of classes. Loads no class: it reads what it needs to know about other classes
/// from their class files.
public final class Weaver {

    /// The names of the woven call sites: a point, `()void`, and the limit of a strip, `(counter, limit)int`.
    static final String POINT = "preemptionPoint";

    public static final String STRIP_LIMIT = "stripLimit";

    private static final int MAX_CODE = 0xFFFF;

    /// The JIT compiler does not compile larger methods (HotSpot's HugeMethodLimit): a point is not worth that
    /// loss.
    private static final int MAX_COMPILED = 8000;

    private static final int POINT_BYTES = 5;
    private static final int STRIP_BYTES = 50;

    private final DynamicCallSiteDesc point;
    private final DynamicCallSiteDesc stripLimit;

    public Weaver(DirectMethodHandleDesc bootstrap) {
        point = DynamicCallSiteDesc.of(bootstrap, POINT, ConstantDescs.MTD_void);
        stripLimit = DynamicCallSiteDesc.of(
                bootstrap,
                STRIP_LIMIT,
                MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int, ConstantDescs.CD_int));
    }

    /// A class with its points.
    ///
    /// @param classFile null if it has no loop
    /// @param points    how many loops have one
    /// @param leftOut   a sentence for each method or class that has loops and was not touched
    public record Woven(byte @Nullable [] classFile, int points, List<String> leftOut) {}

    /// Weaves one class.
    ///
    /// @param files finds the class file of a class by its name with slashes and `.class`
    public Woven weave(byte[] classFile, Function<String, @Nullable InputStream> files) {
        ClassFile plain = ClassFile.of();
        ClassModel model = plain.parse(classFile);
        String name = model.thisClass().asInternalName().replace('/', '.');
        if (model.majorVersion() < ClassFile.JAVA_7_VERSION) {
            return new Woven(null, 0, List.of(name + " is in a class file from before Java 7"));
        }
        List<String> leftOut = new ArrayList<>();
        int[] points = new int[1];
        ClassFile context = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy(model, files)));
        byte[] woven;
        try {
            woven = context.transformClass(model, (builder, element) -> {
                LoopPlan plan = element instanceof MethodModel method ? plan(name, method, leftOut) : null;
                if (plan == null) {
                    builder.with(element);
                } else {
                    points[0] += plan.pointCount();
                    builder.transformMethod((MethodModel) element, weaving(plan));
                }
            });
        } catch (IllegalArgumentException e) { // most often an optional library
            return new Woven(null, 0, List.of(name + " refers to a class that is not there (" + e.getMessage() + ")"));
        }
        return new Woven(points[0] == 0 ? null : woven, points[0], leftOut);
    }

    private MethodTransform weaving(LoopPlan plan) {
        return MethodTransform.transformingCode(
                CodeTransform.ofStateful(() -> new LoopWeaver(plan, point, stripLimit)));
    }

    /// Null if the method stays as it is.
    private static @Nullable LoopPlan plan(String className, MethodModel method, List<String> leftOut) {
        CodeModel code = method.code().orElse(null);
        if (code == null || method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME)) {
            return null; // a class initialiser is pinned: it could not yield
        }
        LoopPlan plan = LoopPlan.of(code);
        if (plan.isEmpty()) {
            return null;
        }
        int before = ((CodeAttribute) code).codeLength();
        int after = before + POINT_BYTES * plan.pointCount() + STRIP_BYTES * plan.stripCount();
        String methodName = className + "." + method.methodName().stringValue();
        if (after > MAX_CODE) {
            leftOut.add(methodName + " is so long that there is no room in it");
            return null;
        }
        if (before <= MAX_COMPILED && after > MAX_COMPILED) {
            leftOut.add(methodName + " is so long that the JVM would no longer compile it");
            return null;
        }
        return plan;
    }

    private static ClassHierarchyResolver hierarchy(ClassModel model, Function<String, @Nullable InputStream> files) {
        ClassDesc own = model.thisClass().asSymbol();
        ClassHierarchyResolver itself = desc -> {
            if (!desc.equals(own)) {
                return null;
            }
            return model.flags().has(AccessFlag.INTERFACE)
                    ? ClassHierarchyInfo.ofInterface()
                    : ClassHierarchyInfo.ofClass(
                            model.superclass().map(it -> it.asSymbol()).orElse(ConstantDescs.CD_Object));
        };
        return itself.orElse(ClassHierarchyResolver.ofResourceParsing(desc -> {
                    String descriptor = desc.descriptorString();
                    return files.apply(descriptor.substring(1, descriptor.length() - 1) + ".class");
                }))
                .cached();
    }
}
