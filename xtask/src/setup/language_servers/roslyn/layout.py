"""Lays a self-contained .NET application out as a .NET root that a host can start from.

Arguments: the application's folder, the folder to make. The application is the npm package
@dprint/roslyn-linux-x64-glibc, which brings the runtime and Roslyn side by side; a host wants
`host/fxr`, `shared/Microsoft.NETCore.App` and a runtime configuration.
"""

import json
import pathlib
import shutil
import sys

FRAMEWORK = "Microsoft.NETCore.App"
ENGINE = ("Microsoft.CodeAnalysis", "System.Composition", "Humanizer")


def runtime_pack(application):
    """The name of the platform, the version of the runtime, and which files belong to it."""
    description = json.loads(next(application.glob("*.deps.json")).read_text())
    platform = description["runtimeTarget"]["name"]
    for name, files in description["targets"][platform].items():
        if name.startswith("runtimepack."):
            return platform, name.split("/")[1], files
    sys.exit("no runtime in " + str(application))


def copy(files, folder):
    folder.mkdir(parents=True)
    for file in files:
        if file.is_file():
            shutil.copy(file, folder / file.name)


def write(path, value):
    path.write_text(json.dumps(value))


def main():
    application, root = map(pathlib.Path, sys.argv[1:])
    platform, version, files = runtime_pack(application)
    shared = root / "shared" / FRAMEWORK / version
    copy([application / name for kind in ("runtime", "native") for name in files[kind]], shared)
    copy([application / "libhostfxr.so"], root / "host" / "fxr" / version)
    engine = [file for file in application.glob("*.dll") if file.name.startswith(ENGINE)]
    copy(engine, root / "roslyn")
    library = f"{FRAMEWORK}.Runtime.linux-x64/{version}"
    write(shared / f"{FRAMEWORK}.deps.json", {
        "runtimeTarget": {"name": platform, "signature": ""},
        "targets": {platform.split("/")[0]: {}, platform: {library: files}},
        "libraries": {library: {"type": "package", "serviceable": True, "sha512": ""}},
    })
    write(root / "runtimeconfig.json", {"runtimeOptions": {
        "tfm": f"net{version.split('.')[0]}.0",
        "framework": {"name": FRAMEWORK, "version": version},
        "configProperties": {"System.Globalization.Invariant": True},
    }})


main()
