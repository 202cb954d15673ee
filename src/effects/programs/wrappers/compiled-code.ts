import { OPTION_WRAPPERS } from "./options-that-run.ts";
import { type Call, type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

/** Programs that compile a file, or code of the line itself, and run it at once. */
export const COMPILED_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  go: {
    examples: [
      [`echo 'func main() { os.RemoveAll("x") }' > a.go; go run a.go`, "rm -rf x"],
      [`echo 'func main() { exec.Command("rm", "x").Run() }' > a.go; go run a.go`, "rm x"],
      ["go test -exec 'rm x' ./...", "rm x"],
    ],
    unwrap: (call) => {
      const [verb, ...words] = call.args;
      const files = verb?.text === "run" ? words.filter(({ text }) => text.endsWith(".go")) : [];
      return [...(OPTION_WRAPPERS.go?.unwrap(call) ?? []), ...files.flatMap((file) => fromFile(call, file))];
    },
  },
  java: runs({ ending: /\.java$/, example: [`echo 'new File("x").delete();' > a.java; java a.java`, "rm -f x"] }),
  jshell: runs({ ending: /\.jsh$/, example: [`jshell <<< 'new File("x").delete();'`, "rm -f x"] }),
  kotlin: runs({
    ending: /\.kts$/,
    example: [`echo 'File("x").deleteRecursively()' > a.kts; kotlin a.kts`, "rm -rf x"],
  }),
  kotlinc: runs({
    ending: /\.kts$|^\/dev\/stdin$/,
    example: [`kotlinc -script /dev/stdin <<< 'File("x").deleteRecursively()'`, "rm -rf x"],
  }),
  scala: runs({ ending: /\.(?:sc|scala)$/, code: "-e", example: [`scala -e 'File("x").delete()'`, "rm -f x"] }),
  swift: runs({
    ending: /\.swift$/,
    code: "-e",
    example: [`swift -e 'try FileManager.default.removeItem(atPath: "x")'`, "rm -rf x"],
  }),
  "rust-script": runs({
    ending: /\.(?:rs|ers)$/,
    code: "-e",
    example: [`rust-script -e 'std::fs::remove_dir_all("x")'`, "rm -rf x"],
  }),
  csharp: runs({ ending: /\.csx?$/, code: "-e", example: [`csharp -e 'File.Delete("x")'`, "rm -f x"] }),
  "dotnet-script": runs({
    ending: /\.csx?$/,
    example: [`echo 'Directory.Delete("x", true);' > a.csx; dotnet-script a.csx`, "rm -rf x"],
  }),
};

interface Compiled {
  /** How the files are named that it runs. */
  readonly ending: RegExp;
  /** The option whose value is code. */
  readonly code?: string;
  readonly example: readonly [line: string, runs: string];
}

function runs({ ending, code = "-nothing-", example }: Compiled): Wrapper {
  return {
    examples: [example],
    unwrap: (call) => {
      const { args, name, stdin } = call;
      const options = optionsOf(args, [code], true);
      const texts = options.values(code);
      if (texts.length > 0)
        return texts.map((text): Inner => ({ runs: "code", language: "compiled", text, via: `${name} ${code}` }));
      const file = options.operands.find(({ text }) => ending.test(text));
      const isInput = file === undefined ? options.operands.length === 0 : file.text === "/dev/stdin";
      if (isInput && stdin.text !== "") return [{ runs: "input", language: "compiled", via: name }];
      return file === undefined ? [] : fromFile(call, file);
    },
  };
}

/** A file that cannot be read is a program like any other. */
function fromFile({ name, file }: Call, path: Parameters<Call["file"]>[0]): readonly Inner[] {
  return file(path) === undefined ? [] : [{ runs: "file", path, language: "compiled", via: `${name} run` }];
}
