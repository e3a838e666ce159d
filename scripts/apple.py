"""Swift's compiler for Apple's systems, on Linux: what scripts/checks.d/apple and scripts/checks.d/apple-types have in common.

A build on Linux ignores availability. So this makes the standard library's interfaces anew for Apple's targets, from those of the
toolchain, and puts stand-ins beside them: Tests/Apple has what the library takes of Darwin, Foundation, CryptoKit, Dispatch and Security, and Clibsodium
is the system's sodium.h. For a watch the interfaces are rewritten, since its Int has 32 bits.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from apple32 import narrowed
from applepackage import ROOT, library, manifest_of_a_mac

STUBS = ROOT / "Tests" / "Apple"
WORK = ROOT / ".build" / "apple"
TOOLCHAIN = Path(os.path.realpath(shutil.which("swiftc") or "swiftc")).parents[1]
LIBRARY = TOOLCHAIN / "lib" / "swift"

# In the order of their imports.
STAND_INS = ["Darwin", "Foundation", "CryptoKit", "Dispatch", "Security"]
# The library's, with their folders: Swift's, and those of C that it is linked with.
MODULES, C_MODULES = library(manifest_of_a_mac({}))
# What SwiftPM compiles in a target of C, in any of its folders.
C_SUFFIXES = {".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".s", ".S"}
# The triple's system with the package's floor, the folder of the interfaces, and how their files are called.
TARGETS = {
    "macOS 14": ("arm64-apple-macosx14.0", "macosx", "arm64-apple-macos"),
    "iOS 17": ("arm64-apple-ios17.0", "iphoneos", "arm64-apple-ios"),
    "watchOS 10": ("arm64_32-apple-watchos10.0", "watchos", "arm64_32-apple-watchos"),
}
INTERFACES = ["Swift", "_Concurrency", "_StringProcessing", "Synchronization", "SwiftOnoneSupport"]
HEADERS = """dirent errno fcntl limits poll pthread pwd stdio stdlib string time unistd os/lock sys/file sys/stat sys/types""".split()
FLAGS = """-parse-as-library -swift-version 6 -package-name closer_keys -D CLOSER_APPLE -D CLOSER_KIT -suppress-warnings -disable-objc-interop
    -strict-memory-safety -enable-experimental-feature Lifetimes -enable-upcoming-feature ExistentialAny
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility""".split()


class Compiler:
    """The compiler for one target, and the modules that it has made so far."""

    def __init__(self, triple: str, folder: str, file: str):
        self.triple, self.built = triple, WORK / triple
        c = c_modules(self.built / "c")
        self.options = [
            "-target", triple, "-resource-dir", resources(self.built / "resources", triple, folder, file),
            "-sdk", self.built / "none", "-module-cache-path", WORK / "cache" / triple, "-I", self.built, "-I", c,
            "-Xcc", "-isystem", "-Xcc", c / "headers", *FLAGS,
        ]  # fmt: skip
        for stub in STAND_INS:
            over = ["-import-underlying-module"] if stub == "Darwin" else []
            if errors := self.emit(stub, [STUBS / f"{stub}.swift"], over):
                raise SystemExit("\n".join([f"apple: the stand-in for {stub}:", *errors]))

    def check(self, module: str, is_asked: bool) -> list[str]:
        """The errors of a module. It is also made without its availability, so that those that import it can be checked."""
        files = swift_sources(module)
        errors = self.run(["-typecheck"], module, files) if is_asked else []
        made = self.emit(module, files, ["-disable-availability-checking"])
        return list(dict.fromkeys(errors + (made if is_asked else [])))

    def emit(self, module: str, files: list[Path], more: list[str]) -> list[str]:
        output = ["-emit-module", "-experimental-allow-module-with-compiler-errors", "-o", self.built / f"{module}.swiftmodule"]
        return self.run(output + more, module, files)

    def object(self, module: str, files: list[Path]) -> tuple[Path, list[str]]:
        """A Mach-O object of a module, by all passes on SIL, and the errors that these passes and the types before them have.

        It is optimised, but for a watch: there, behind the optimiser, Swift 6.3.1 writes beyond its own memory (`ClusteredBitVector` in
        `ClangRecordLowering`, seen with valgrind), and crashes or not.
        """
        path = self.object_path(module)
        over = ["-import-underlying-module"] if module == "Darwin" else []
        return path, self.run(["-c", "-Onone" if "64_32" in self.triple else "-O", "-wmo", "-o", path, *over], module, files)

    def c_object(self, source: Path) -> tuple[Path, list[str]]:
        """An optimised Mach-O object of a file of C, and the errors in it."""
        path = self.object_path("-".join(source.relative_to(ROOT).parts[1:]))
        command = [
            TOOLCHAIN / "bin" / "clang", "-c", "-Os", "-target", self.triple, "-nostdlibinc", "-isystem", self.built / "c" / "headers",
            *(f"-I{folder / 'include'}" for folder in C_MODULES.values()), "-o", path, source,
        ]  # fmt: skip
        run = subprocess.run(command, capture_output=True, text=True)
        errors = [line.removeprefix(f"{ROOT}/") for line in run.stderr.splitlines() if " error: " in line]
        return path, errors or ([f"{path.name}: clang ended with {run.returncode}"] if run.returncode else [])

    def object_path(self, name: str) -> Path:
        path = self.built / "objects" / f"{name}.o"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        return path

    def names_of(self, module: str) -> tuple[Path, Path]:
        """What a module of Swift's library exports by its interface, as a linker reads it, and the interface."""
        interface = next((self.built / "resources").glob(f"*/{module}.swiftmodule/*.swiftinterface"))
        flags = " ".join(re.findall(r"(?m)^// swift-module-flags(?:-ignorable)?: (.*)$", interface.read_text())).split()
        tbd = self.built / f"{module}.tbd"
        command = [
            "swiftc", "-frontend", "-typecheck", interface, *flags, *self.options[2:8], "-suppress-warnings",
            "-experimental-skip-all-function-bodies", "-emit-tbd-path", tbd, "-tbd-install_name", f"libswift{module}.dylib",
        ]  # fmt: skip
        subprocess.run(command, check=True)
        return tbd, interface

    def run(self, arguments: list, module: str, files: list[Path]) -> list[str]:
        command = ["swiftc", "-frontend", *arguments, *self.options, "-diagnostic-style", "llvm", "-module-name", module, *files]
        run = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=os.environ | {"SWIFT_BACKTRACE": "enable=no"})
        errors = re.findall(r"(?m)^(?:.*/)?((?:Sources|Tests|planted)/.+?: error: .*|<unknown>:0: error: .*)$", run.stderr)
        if run.returncode and not errors:
            raise SystemExit(f"apple: {module}: the compiler ended with {run.returncode}\n{run.stderr[:2000]}")
        return errors


def swift_sources(module: str) -> list[Path]:
    return sorted(MODULES[module].rglob("*.swift"))


def c_sources() -> list[Path]:
    return [path for folder in C_MODULES.values() for path in sorted(folder.rglob("*")) if path.suffix in C_SUFFIXES]


def write(path: Path, text: str) -> None:
    """Leaves a file that says so already: what the compiler has made of it stays good."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def c_modules(folder: Path) -> Path:
    """Module maps for the C that the library imports on Apple's systems, and headers of Apple's names that are all one file."""
    for name in HEADERS:
        write(folder / "headers" / f"{name}.h", f'#include "{STUBS / "SDK.h"}"\n')
    sodium = subprocess.run(["pkg-config", "--variable=includedir", "libsodium"], capture_output=True, text=True).stdout.strip()
    maps = {"Darwin": STUBS / "SDK.h", "Clibsodium": Path(sodium or "/usr/include") / "sodium.h"}
    maps |= {name: folder / "include" / f"{name}.h" for name, folder in C_MODULES.items()}
    text = "".join(f'module {name} [system] {{\n    header "{header}"\n    export *\n}}\n' for name, header in maps.items())
    write(folder / "module.modulemap", text)
    return folder


def resources(folder: Path, triple: str, system: str, file: str) -> Path:
    """What the compiler takes for its own folder: clang's headers, and the standard library's interfaces for the target."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in ["shims", "clang"]:
        (folder / part).unlink(missing_ok=True)
        (folder / part).symlink_to((LIBRARY / part).resolve())
    for module in INTERFACES:
        interfaces = LIBRARY / "linux" / f"{module}.swiftmodule"
        text = retargeted(next(interfaces.glob("*-linux-gnu.swiftinterface")).read_text(), module, triple)
        path = folder / system / f"{module}.swiftmodule" / f"{file}.swiftinterface"
        write(path, narrowed(text) if module == "Swift" and "64_32" in triple else text)
    return folder


def retargeted(text: str, module: str, triple: str) -> str:
    """An interface for another target. Its own code is not what is checked, so what only one system has is taken out of it."""
    text = re.sub(r"-target \S+", f"-target {triple}", text, count=1)
    text = text.replace("-module-link-name", "-disable-availability-checking -module-link-name", 1)
    text = re.sub(r"(?m)^import Glibc\n", "", text).replace("_swift_stdlib_gettid()", "UInt32(0)")
    # What is back-deployed has a second body, for systems that are older than the function.
    text = re.sub(r"(?m)^ *@backDeployed.*\n|@backDeployed\([^)]*\) ", "", text)
    # The mathematics of Float80, which no Apple of today has.
    return re.sub(r"self = _stdlib_(?:remainder|squareRoot)l\(.*\)", "Builtin.unreachable()", text)
