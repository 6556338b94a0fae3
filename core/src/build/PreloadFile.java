import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Puts the classes that the agent's installation needs into one file, each after its length: what `Preload` reads.
///
/// Run by the build: `PreloadFile LIST CLASSES`, the list of their names and the folder of compiled classes.
public final class PreloadFile {

    private PreloadFile() {}

    public static void main(String[] args) throws IOException {
        Path classes = Path.of(args[1]);
        Path file = classes.resolve("dev/heddle/internal/agent/preload.bin");
        try (var out = new DataOutputStream(Files.newOutputStream(file))) {
            for (String name : Files.readAllLines(Path.of(args[0]))) {
                byte[] bytes = Files.readAllBytes(classes.resolve("dev/heddle/" + name.replace('.', '/') + ".class"));
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }
    }
}
