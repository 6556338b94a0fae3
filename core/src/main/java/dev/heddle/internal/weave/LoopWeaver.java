package dev.heddle.internal.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.DynamicCallSiteDesc;
import org.jspecify.annotations.Nullable;

/// Puts preemption points into the loops of one method, as planned. Used once.
final class LoopWeaver implements CodeTransform {

    /// A strip while its loop is being written: where it begins, where its condition fails, and the local with its
    /// limit.
    private record Open(LoopPlan.Strip strip, Label begin, Label end, int limit) {}

    private final LoopPlan plan;
    private final DynamicCallSiteDesc point;
    private final DynamicCallSiteDesc stripLimit;
    private int position;
    private @Nullable Open open;

    LoopWeaver(LoopPlan plan, DynamicCallSiteDesc point, DynamicCallSiteDesc stripLimit) {
        this.plan = plan;
        this.point = point;
        this.stripLimit = stripLimit;
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
        int at = position++;
        LoopPlan.Strip strip = plan.stripAt(at);
        if (strip != null) {
            open = begin(code, strip);
        }
        Open current = open;
        if (current != null && current.strip().isLimit(at) && element instanceof Instruction) {
            return; // the limit of the strip takes its place
        }
        if (current != null && at == current.strip().exit()) {
            code.iload(current.limit()).if_icmpge(current.end());
            return;
        }
        if (plan.isPoint(at)) {
            code.invokedynamic(point);
        }
        code.with(element);
        if (current != null && at == current.strip().back()) {
            end(code, current);
            open = null;
        }
    }

    /// `begin: end of strip = stripLimit(counter, limit)`.
    private Open begin(CodeBuilder code, LoopPlan.Strip strip) {
        Open open = new Open(strip, code.newLabel(), code.newLabel(), code.allocateLocal(TypeKind.INT));
        code.labelBinding(open.begin()).iload(strip.counter());
        strip.limit().forEach(code::with);
        code.invokedynamic(stripLimit).istore(open.limit());
        return open;
    }

    /// `end: if (counter >= limit) goto after; point; goto begin`, behind the branch back.
    private void end(CodeBuilder code, Open open) {
        code.labelBinding(open.end()).iload(open.strip().counter());
        open.strip().limit().forEach(code::with);
        code.if_icmpge(open.strip().after()).invokedynamic(point).goto_(open.begin());
    }
}
