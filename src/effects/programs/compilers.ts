import type { Word } from "../parse/command.ts";
import { fieldOf } from "../parse/value.ts";
import { joinPath } from "../paths.ts";
import { allValues, hasOperands, operands, operandsAre, option, verbIs } from "./act.ts";
import { type Call, has, known, pieceOf, plays, reads, value, values, writes } from "./call.ts";
import { roleOfVariable } from "./code-variables.ts";
import { isUsualOwner } from "./package-sources.ts";
import type { Inner, Invocation, Programs } from "./program.ts";
import { asProgram, lines } from "./runs.ts";
import { opensDebuggerPort } from "./servers.ts";

/** Compilers, programs that compile code and run it, and others that write their output into a file. */
export const COMPILERS = (): Programs => ({
  "gcc cc g++ c++ clang clang++ rustc ld": {
    is: { "writes-unnamed": true },
    readOnly: (run) => (has(run, "E") && !has(run, "o")) || undefined,
    options: "o= c S E I= L= l= D= x= O? g? W? f? m? std= out-dir= crate-type= wrapper=",
    style: "whole",
    runs: (run) => [
      ...values(run, "wrapper").flatMap(({ text }) => asProgram(`${run.name} -wrapper`, text.split(",").map(fieldOf))),
      ...writtenCode(run),
    ],
    reads: operands,
    writes: allValues("o out-dir"),
    does: [
      {
        when: hasOperands,
        unless: "o out-dir c S E",
        writes: ({ report, operands }) => [report.program === "rustc" ? withEnding(operands[0], "") : known("a.out")],
      },
    ],
    examples: [
      ["gcc -o a a.c", "reads a.c", "writes a"],
      ["cc a.c", "reads a.c", "writes a.out"],
      ["rustc a.rs", "reads a.rs", "writes a"],
      [`echo 'int main() { system("rm x"); }' > a.c; gcc a.c`, "runs rm x"],
      ["gcc -wrapper rm,x a.c", "runs rm x"],
    ],
  },
  go: {
    readOnly: "env|list|doc|mod graph|mod why|mod verify|version|help",
    is: { "takes-code": true, "loads-unnamed": true },
    verbs: {
      "get|install|mod download": {
        options: GO_BUILD,
        style: "whole first",
        roles: ["package-install", "network-in"],
        does: takesModules,
      },
      env: {
        options: "w u json changed",
        does: (call) => {
          if (!has(call, "w", "u")) return;
          plays(call, "settings");
          writes(call, known("~/.config/go/env"));
          for (const { text } of call.operands) {
            const [name = "", value = ""] = text.split(/=(.*)/s, 2);
            const role = roleOfVariable(name, value, false);
            if (role !== undefined) plays(call, role);
          }
        },
      },
      run: {
        does: (call) => {
          for (const path of call.operands) if (path.text.endsWith(".go")) call.report.scripts.push(path);
          // Without a version, a package belongs to this module or to those that it requires.
          if (!/@|^https?:\/\//.test(call.operands[0]?.text ?? "")) return;
          plays(call, "package-install", "network-in");
          takesModules({ ...call, operands: call.operands.slice(0, 1) });
        },
        options: GO_BUILD,
        style: "whole first",
        runs: (run) => [
          ...lines(run, "exec", "toolexec"),
          ...run.operands.flatMap((path): readonly Inner[] => {
            if (path.text === "/dev/stdin" || path.text === "-")
              return [{ runs: "input", language: "compiled", via: "go run" }];
            return path.text.endsWith(".go") ? scriptOf(run, path) : [];
          }),
        ],
      },
      "test|build|vet|generate|clean|list": {
        options:
          "exec= toolexec= tags= ldflags= gcflags= mod= modfile= C= o= p= run= bench= count= timeout= coverprofile= race v x n modcache cache json short",
        style: "whole",
        when: verbIs(/^build$/),
        does: (call) => {
          const source = call.operands.find(({ text }) => text.endsWith(".go"));
          if (source === undefined) return;
          reads(call, source);
          writes(call, value(call, "o") ?? withEnding(source, ""));
        },
        runs: (run) => [...lines(run, "exec", "toolexec"), ...writtenCode(run)],
      },
    },
    examples: [
      ["go test ./..."],
      ["go env GOPATH"],
      ["go env -w GOFLAGS=-mod=mod", "settings", "writes ~/.config/go/env"],
      ["go install github.com/a/x@latest", "package-install network-in"],
      ["go install example.com/x@latest", "package-install network-in foreign-source"],
      ["go run https://example.com/x", "package-install network-in foreign-source"],
      ["go run example.com/x@v1", "package-install network-in foreign-source"],
      ["go install ./cmd/x", "package-install network-in"],
      [`echo 'func main() { os.RemoveAll("x") }' > a.go; go run a.go`, "runs rm -rf x"],
      [`echo 'func main() { exec.Command("rm", "x").Run() }' > a.go; go run a.go`, "runs rm x"],
      ["go test -exec 'rm x' ./...", "runs rm x"],
    ],
  },
  javac: {
    options: "d= cp|classpath|class-path= sourcepath= source= target= release= encoding= g nowarn",
    style: "whole",
    runs: (run) => writtenCode(run),
    does: (call) => {
      for (const path of call.operands) {
        reads(call, path);
        writes(call, withEnding(path, ".class"));
      }
    },
    examples: [["javac A.java", "reads A.java", "writes A.class"]],
  },
  java: {
    does: [
      {
        unless: "jar m module",
        scripts: ({ operands: [file] }) => [
          file && (file.text.endsWith(".java") ? file : pieceOf(file, `${file.text}.class`)),
        ],
      },
      { scripts: allValues("jar") },
      { when: opensDebuggerPort, roles: ["expose"] },
    ],
    options: "cp= classpath|class-path= p= module-path= jar= m= module= add-modules= D? X?",
    style: "whole",
    interpreter: { language: "compiled", script: /\.java$/ },
    examples: [
      [`echo 'new File("x").delete();' > a.java; java a.java`, "runs rm -f x"],
      ["java -agentlib:jdwp=transport=dt_socket,server=y,address=*:5005 -jar a.jar", "expose"],
      ["java -agentlib:jdwp=transport=dt_socket,server=y,address=localhost:5005 -jar a.jar"],
    ],
  },
  jshell: {
    options: "class-path= module-path= startup= feedback= R= C=",
    interpreter: { language: "compiled", script: /\.jsh$/ },
    examples: [[`jshell <<< 'new File("x").delete();'`, "runs rm -f x"]],
  },
  "kotlin kotlinc": {
    options: "cp= classpath= d= J? script include-runtime howtorun=",
    style: "whole",
    interpreter: { language: "compiled", script: /\.kts$|^\/dev\/stdin$/ },
    examples: [
      [`echo 'File("x").deleteRecursively()' > a.kts; kotlin a.kts`, "runs rm -rf x"],
      [`kotlinc -script /dev/stdin <<< 'File("x").deleteRecursively()'`, "runs rm -rf x"],
    ],
  },
  "scala scala-cli": {
    options: "e= cp= classpath= S= J? D? dep= jar= script-snippet|execute-script=",
    interpreter: { language: "compiled", code: ["e", "script-snippet"], script: /\.(?:sc|scala)$/ },
    examples: [
      [`scala -e 'File("x").delete()'`, "runs rm -f x"],
      [`scala -e 'java.nio.file.Files.delete(java.nio.file.Paths.get("x"))'`, "runs rm -f x"],
      [`scala -e 'Files.deleteIfExists(Path.of("x"))'`, "runs rm -f x"],
      [`scala -e 'os.remove.all(os.pwd / "x")'`, "runs rm -rf ./x"],
      [`scala -e 'new java.io.File("x").delete'`, "runs rm -f x"],
      [`scala -e 'import sys.process._; "rm x".!'`, "runs rm x"],
      [`scala -e 'Files.writeString(Path.of("x"), "")'`, "runs > x"],
    ],
  },
  swift: {
    options: "e= I= L= sdk= target=",
    interpreter: { language: "compiled", code: ["e"], script: /\.swift$/ },
    when: operandsAre(/^package (?:resolve|update)(?: |$)/),
    roles: ["package-install", "network-in"],
    examples: [
      ["swift package resolve", "package-install network-in"],
      [`swift -e 'try FileManager.default.removeItem(atPath: "x")'`, "runs rm -rf x"],
    ],
  },
  "rust-script": {
    options: "e|expr= dep|d= extern|x= toolchain= base-path=",
    interpreter: { language: "compiled", code: ["e"], script: /\.(?:rs|ers)$/ },
    examples: [[`rust-script -e 'std::fs::remove_dir_all("x")'`, "runs rm -rf x"]],
  },
  "csharp dotnet-script": {
    options: "e= c= r= isolated-load-context",
    interpreter: { language: "compiled", code: ["e"], script: /\.csx?$/ },
    examples: [
      [`csharp -e 'File.Delete("x")'`, "runs rm -f x"],
      [`echo 'Directory.Delete("x", true);' > a.csx; dotnet-script a.csx`, "runs rm -rf x"],
    ],
  },
  tsc: {
    readOnly: (run) => has(run, "noEmit") || undefined,
    options: "noEmit outDir= outFile= project|p= build|b watch|w version|v help|h init showConfig listFilesOnly",
    does: (call) => {
      if (has(call, "noEmit", "version", "help", "showConfig", "listFilesOnly")) return;
      const to = value(call, "outDir") ?? value(call, "outFile");
      for (const path of call.operands) {
        reads(call, path);
        if (to === undefined) writes(call, withEnding(path, ".js"));
      }
      if (to === undefined && call.operands.length > 0) return;
      writes(call, to ?? known("."), { isTree: value(call, "outFile") === undefined });
    },
    examples: [
      ["tsc", "writes . tree"],
      ["tsc --noEmit"],
      ["tsc --outDir lib", "writes lib tree"],
      ["tsc a.ts", "reads a.ts", "writes a.js"],
    ],
  },
  "qemu-img ddrescue dcfldd dc3dd": {
    readOnly: "info|map|compare|measure",
    options: "f= O= o= s= b= n r= d force",
    does: (call) => {
      const of = call.operands.find(({ text }) => text.startsWith("of="));
      if (of !== undefined) return writes(call, pieceOf(of, of.text.slice(3)), { isForced: true });
      const plain = call.command.args.filter(({ text }) => !text.startsWith("-"));
      if (call.report.program !== "qemu-img") return writes(call, plain[1], { isForced: true });
      const [verb, ...rest] = call.operands;
      if (/^(?:convert|create|resize|dd)$/.test(verb?.text ?? ""))
        writes(call, rest[verb?.text === "convert" ? rest.length - 1 : 0]);
    },
    examples: [
      ["qemu-img convert -O raw a.qcow2 /dev/sda", "disk overwrite", "writes /dev/sda"],
      ["qemu-img info a.qcow2"],
      ["ddrescue -f a.img /dev/sda", "disk overwrite", "writes /dev/sda forced"],
    ],
  },
  tree: {
    readOnly: true,
    is: { "file-finder": true },
    options: "o= L= I= P= a d f",
    reads: operands,
    tree: true,
    does: [{ writes: option("o") }],
    examples: [["tree -o a src", "reads src tree", "writes a"]],
  },
  iconv: {
    options: "from-code|f= to-code|t= output|o= c s list|l",
    reads: operands,
    writes: option("output"),
    examples: [["iconv -f latin1 -t utf8 -o b a", "reads a", "writes b"]],
  },
});

/** The output of a compiler for a file, which has another ending. */
function withEnding(path: Word | undefined, ending: string): Word | undefined {
  return path && pieceOf(path, path.text.replace(/\.\w+$/, "") + ending);
}

/** Code that the line itself has written before it is compiled is analysed in place of the program that is made of it. */
function writtenCode({ name, operands, shell }: Invocation): readonly Inner[] {
  if (shell.files.size === 0) return [];
  return operands
    .filter(({ text }) => shell.files.has(joinPath(shell.folder, text)))
    .map((path) => ({ runs: "file", path, language: "compiled", via: name }));
}

/** A file that cannot be read is treated like any other program. */
function scriptOf({ name, file }: Invocation, path: Word): readonly Inner[] {
  return file(path) === undefined ? [] : [{ runs: "file", path, language: "compiled", via: `${name} run` }];
}

/** Reports modules from an unusual host; the name of a module begins with its host. */
function takesModules(call: Call): void {
  const hosts = call.operands.map(({ text }) => /^(?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?\/./.exec(text)?.[1]);
  if (hosts.some((host) => host !== undefined && !KNOWN_MODULES().test(host))) plays(call, "foreign-source");
  // A repository of anybody, run or installed without a line about it in the project.
  const owned = call.operands.flatMap(
    ({ text }) => /^(?:https?:\/\/)?(?:github|gitlab)\.com\/([^/]+\/)[^@]*@/.exec(text)?.[1] ?? [],
  );
  if (call.report.verb === "run" && owned.some((owner) => !isUsualOwner(owner))) plays(call, "foreign-source");
}

const GO_BUILD = "exec= toolexec= tags= ldflags= gcflags= mod= modfile= C= o= p= race v x n u t d";

/** The hosts of most modules of Go. */
const KNOWN_MODULES = () =>
  /^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|gitea\.com|git\.sr\.ht|golang\.org|(?:[\w-]+\.)?google\.(?:golang\.org|com)|gopkg\.in|go\.(?:uber|etcd|opentelemetry|temporal|mongodb|starlark|yaml|dev|opencensus)(?:\.(?:org|io|net|in))?|(?:[\w-]+\.)?k8s\.io|knative\.dev|istio\.io|helm\.sh|oras\.land|honnef\.co|mvdan\.cc|gotest\.tools|cuelang\.org|entgo\.io|ariga\.io|gorm\.io|gonum\.org|modernc\.org|buf\.build|connectrpc\.com|filippo\.io|rsc\.io|tailscale\.com|dagger\.io|gocloud\.dev|goa\.design|fyne\.io|gioui\.org|gvisor\.dev|golang\.zx2c4\.com|nhooyr\.io|dario\.cat|charm\.land|encore\.dev|cel\.dev)$/;
