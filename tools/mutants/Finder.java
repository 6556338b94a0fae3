import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Finds the mutants of one place with the JDK's own parser, so that they follow the code.
final class Finder {

    /// Statements that are not mutated: a delay for tests or a throw is no step of a protocol.
    private static final Pattern NO_STEP = Pattern.compile("Chaos\\.point\\(\\)|throw .*");

    private final Path sources;
    private final Set<String> kinds;
    private final List<String> orderings;
    private final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();

    /// @param sources   the folder of the classes
    /// @param kinds     the kinds of mutants to find
    /// @param orderings the lines of the file `orderings`
    Finder(Path sources, Set<String> kinds, List<String> orderings) {
        this.sources = sources;
        this.kinds = kinds;
        this.orderings = orderings;
    }

    List<Mutant> find(Place place) throws IOException {
        Path file = sources.resolve(place.type() + ".java");
        if (!Files.exists(file)) {
            System.err.println("no such class any more: " + place.type());
            return List.of();
        }
        String source = Files.readString(file);
        List<Mutant> found = new ArrayList<>();
        try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask) javac.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(file));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(place, source, unit, positions, found).scan(unit, null);
            }
        }
        if (kinds.contains("hand")) {
            byHand(place, source, found);
        }
        return found;
    }

    /// Adds the lines of `orderings`: class, method (for selection and id), text, replacement, separated by bars.
    private void byHand(Place place, String source, List<Mutant> found) {
        for (String line : orderings) {
            String[] parts = line.split("\\s*\\|\\s*", 4);
            if (!parts[0].equals(place.type()) || !place.methods().matcher(parts[1]).matches()) {
                continue;
            }
            int at = source.indexOf(parts[2]);
            if (at < 0) {
                System.err.println("orderings: not in " + place.type() + " any more: " + parts[2]);
            } else {
                String id = place.type() + "." + parts[1] + " hand: " + parts[2] + " -> " + parts[3];
                found.add(new Mutant(place, id, source, at, at + parts[2].length(), parts[3]));
            }
        }
    }

    /// Walks over a source file. The argument of its methods is the name of the method that is to be changed,
    /// or null.
    private final class Scanner extends TreeScanner<Void, String> {
        private final Place place;
        private final String source;
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<Mutant> found;
        private final Set<String> ids = new HashSet<>();

        Scanner(
                Place place,
                String source,
                CompilationUnitTree unit,
                SourcePositions positions,
                List<Mutant> found) {
            this.place = place;
            this.source = source;
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        @Override
        public Void visitMethod(MethodTree method, String outer) {
            String name = method.getName().toString();
            boolean wanted = method.getBody() != null && place.methods().matcher(name).matches();
            return super.visitMethod(method, wanted ? name : null);
        }

        @Override
        public Void visitExpressionStatement(ExpressionStatementTree statement, String method) {
            boolean call = statement.getExpression() instanceof MethodInvocationTree;
            add(method, call ? "call" : "store", statement, "{}"); // not ";": it may be the body of a case
            return super.visitExpressionStatement(statement, method);
        }

        @Override
        public Void visitVariable(VariableTree variable, String method) {
            if (variable.getName().isEmpty() && variable.getInitializer() instanceof MethodInvocationTree) {
                add(method, "call", variable, "{}"); // boolean _ = step();
            }
            return super.visitVariable(variable, method);
        }

        @Override
        public Void visitIf(IfTree choice, String method) {
            Tree condition = choice.getCondition() instanceof ParenthesizedTree inner
                    ? inner.getExpression()
                    : choice.getCondition();
            add(method, "if", condition, "false && (" + textOf(condition) + ")");
            return super.visitIf(choice, method);
        }

        @Override
        public Void visitBinary(BinaryTree binary, String method) {
            boolean and = binary.getKind() == Tree.Kind.CONDITIONAL_AND;
            if (and || binary.getKind() == Tree.Kind.CONDITIONAL_OR) {
                for (ExpressionTree side : List.of(binary.getLeftOperand(), binary.getRightOperand())) {
                    if (side.getKind() != binary.getKind()) { // otherwise its own operands are visited
                        add(method, "operand", side, Boolean.toString(and));
                    }
                }
            }
            return super.visitBinary(binary, method);
        }

        private String textOf(Tree tree) {
            return source.substring(from(tree), to(tree));
        }

        private int from(Tree tree) {
            return (int) positions.getStartPosition(unit, tree);
        }

        private int to(Tree tree) {
            return (int) positions.getEndPosition(unit, tree);
        }

        private void add(String method, String kind, Tree tree, String replacement) {
            if (method == null || !kinds.contains(kind)) {
                return;
            }
            String text = textOf(tree).replaceAll("//[^\n]*", "").replaceAll("\\s+", " ").replaceAll(";$", "");
            if (NO_STEP.matcher(text).matches()) {
                return;
            }
            String id = place.type() + "." + method + " " + kind + ": " + text;
            for (int i = 2; !ids.add(id); i++) {
                id = place.type() + "." + method + " " + kind + " " + i + ": " + text;
            }
            found.add(new Mutant(place, id, source, from(tree), to(tree), replacement));
        }
    }
}
