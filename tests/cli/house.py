#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""house.py SOURCE BUILD: does the tree keep to its plan?

Each check prints what breaks it, one line a place; exit 1 if any does.
"""
import glob
import os
import re
import subprocess
import sys

SOURCE, BUILD = sys.argv[1], sys.argv[2]

# Folder -> folders whose headers it may include.
LAYERS = {
    "base": [],
    "dag": ["base"],
    "timing": ["base"],
    "journal": ["base", "dag"],
    "lint": ["base", "dag"],
    "mcts": ["base", "dag"],
    "exec": ["base", "dag", "journal", "timing"],
    "classify": ["base", "dag", "journal"],
    "explore": ["base", "dag", "journal", "lint", "timing", "mcts", "exec",
                "classify"],
    "study": ["base", "dag", "journal", "mcts", "exec", "classify"],
}
# Rooms of a folder, from the ground up: a room includes itself, those before
# it, and no file of the folder itself but its door.
ROOMS = {
    "dag": ["program", "schedule", "prove", "space"],
    "mcts": ["tree", "model", "strategies"],
    "classify": ["data", "label", "tree", "rules", "judge", "report"],
}
EXPORTED_MOST, INSTALLED_MOST = 141, 10  # on the way to 130
FUNCTION_MOST, FILE_MOST = 100, 640  # "about 600"

bad = []


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def sources(*folders):
    for folder in folders:
        for ending in ("c", "h", "cu"):
            yield from sorted(glob.glob(f"{SOURCE}/{folder}/**/*.{ending}",
                                        recursive=True))


def name(path):
    return os.path.relpath(path, SOURCE)


def includes(path):
    """(line number, text between the brackets or quotes, quoted?)"""
    for number, line in enumerate(read(path).split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match[2], match[1] == '"'


def place(path):
    """Folder and room of a source or of the text of an include."""
    parts = path.split("/")
    return parts[0], parts[1] if len(parts) > 2 else None


def check_include(file, number, target, quoted):
    folder, room = place(file)
    if target.startswith("cairn/"):
        other, other_room = re.sub(r"\.h$", "", target[6:]), None
        other = "exec" if other == "op" else other
    elif quoted:
        other, other_room = place(target) if "/" in target else (folder, room)
    else:
        return
    if other != folder and other not in LAYERS[folder]:
        bad.append(f"{file}:{number}: {folder} may not include {target}")
    rooms = ROOMS.get(folder, [])
    if other == folder and room in rooms and other_room in rooms and \
            rooms.index(other_room) > rooms.index(room):
        bad.append(f"{file}:{number}: {room} is below {other_room}: {target}")


def check_layers():
    for path in sources(*LAYERS):
        if "/exec/capture/" in path:
            continue
        for number, target, quoted in includes(path):
            check_include(name(path), number, target, quoted)
    for path in sources("cli"):
        for number, target, quoted in includes(path):
            own = quoted and ("/" not in target or target.startswith("cli/"))
            if not own and (quoted or target.startswith("cairn/") and
                            target[6:-2] not in LAYERS):
                bad.append(f"{name(path)}:{number}: cli may include front "
                           f"doors only, not {target}")
    for path in sources("examples"):
        for number, target, quoted in includes(path):
            if target.startswith("cairn/") and target != "cairn/op.h" or \
                    quoted and "/" in target:
                bad.append(f"{name(path)}:{number}: examples may include "
                           f"<cairn/op.h> only, not {target}")


# Header of a library -> the files that may see it.
LIBRARIES = {
    r"mpi\.h": r"exec/(comm-mpi|capture/mpi)\.c",
    r"(cuda|nccl).*": r"exec/(platform-cuda|capture/cuda)\.c",
    r"libxml/.*": r"dag/program/xml[a-z-]*\.[ch]",
}


def check_libraries():
    for path in sources(*LAYERS, "cli"):
        for number, target, _ in includes(path):
            for header, allowed in LIBRARIES.items():
                if re.fullmatch(header, target) and \
                        not re.fullmatch(allowed, name(path)):
                    bad.append(f"{name(path)}:{number}: {target} is seen "
                               f"elsewhere only ({allowed})")


def check_manners():
    """The library never ends the process and never prints results; cli holds
    no statistics and keeps no journal."""
    ends = re.compile(r"(?<![\w.>])(exit|abort|printf|puts|putchar) *\(")
    sums = re.compile(r"(?<!\w)(sqrt|log|exp|erfc?) *\(|"
                      r"(median|percentile|quantile)\w* *\(|"
                      r"cairn_journal__|(?<!\w)MPI_")
    for folder, pattern in [(f, ends) for f in LAYERS if f != "exec"] + \
            [("cli", sums)]:
        for path in sources(folder):
            if not path.endswith(".c"):
                continue
            code = re.sub(r'/\*.*?\*/|"(\\.|[^"\\\n])*"',
                          lambda m: "\n" * m[0].count("\n"), read(path),
                          flags=re.S)
            for number, line in enumerate(code.split("\n"), 1):
                if pattern.search(line):
                    bad.append(f"{name(path)}:{number}: not in {folder}: "
                               f"{line.strip()}")


# Numbers look the same in every locale: base prints and reads doubles and
# tells letters.
NUMBERS = [
    re.compile(r"(?<!\w)(v?s?n?printf|v?fprintf|v?asprintf) *\([^;]*"
               r"%[-+ #0]*[0-9*]*(\.[0-9*]*)?[aAeEfFgG]"),
    re.compile(r"(?<!\w)(strto(d|f|ld)|atof|to(upper|lower)|setlocale|"
               r"is(alpha|alnum|digit|space|upper|lower|punct|print)|"
               r"localeconv) *\("),
]
PRINTS = re.compile(r"(?<!\w)(vfprintf|vsnprintf|vprintf) *\(")


def check_numbers():
    for path in sources(*LAYERS, "cli"):
        file = name(path)
        if file.startswith(("base/", "exec/capture/")) or \
                file == "exec/emit-c.c" or not path.endswith(".c"):
            continue
        patterns = NUMBERS + ([PRINTS] if file.startswith("cli/") else [])
        for number, line in enumerate(read(path).split("\n"), 1):
            if any(pattern.search(line) for pattern in patterns):
                bad.append(f"{file}:{number}: not locale's own: "
                           f"{line.strip()}")


def symbols():
    """File of the library -> (symbols it defines, symbols it needs)."""
    result = {}
    for folder, _, names in sorted(os.walk(BUILD)):
        for found in names:
            match = re.fullmatch(r"libcairn_core_la-(.*)\.o", found)
            if not match:
                continue
            path = os.path.join(folder, found)
            file = os.path.relpath(os.path.join(
                os.path.dirname(path) if not folder.endswith("/.libs")
                else os.path.dirname(folder), match[1]), BUILD)
            result.setdefault(file, symbols_of(path))
    return result


def symbols_of(path):
    out = subprocess.run(["nm", path], capture_output=True, text=True,
                         check=True).stdout
    fields = [line.split() for line in out.split("\n")]
    return ({f[2] for f in fields if len(f) == 3 and f[1] in "TDRBV"},
            {f[1] for f in fields if len(f) == 2 and f[0] == "U"})


def circles(graph):
    """Strongly connected components of more than one vertex (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(vertex):
        index[vertex] = low[vertex] = len(index)
        stack.append(vertex)
        for other in graph[vertex]:
            if other not in index:
                visit(other)
                low[vertex] = min(low[vertex], low[other])
            elif other in stack:
                low[vertex] = min(low[vertex], index[other])
        if low[vertex] == index[vertex]:
            at = stack.index(vertex)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for vertex in sorted(graph):
        if vertex not in index:
            visit(vertex)
    return found


def check_circles():
    files = symbols()
    if not files:
        bad.append("no objects of the library are there: build it first")
    home = {symbol: file for file, (own, _) in files.items() for symbol in own}
    graph = {file: sorted({home[s] for s in needs if s in home} - {file})
             for file, (_, needs) in files.items()}
    for circle in circles(graph):
        bad.append("files call each other in a circle: " + ", ".join(circle))
    ours = re.compile(r"cairn_[a-z]+(__|_|$)")
    for file, (own, _) in sorted(files.items()):
        for symbol in sorted(own):
            if not symbol.startswith("cairn_") or not ours.match(symbol):
                if not symbol.startswith("__"):
                    bad.append(f"{file}: {symbol} has no prefix of ours")


def check_exports():
    library = f"{BUILD}/.libs/libcairn.so"
    if not os.path.exists(library):
        return
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                         capture_output=True, text=True).stdout
    names = [line.split()[2] for line in out.split("\n")
             if len(line.split()) == 3 and line.split()[1] in "TDRB"]
    if len(names) > EXPORTED_MOST:
        bad.append(f"{len(names)} symbols are exported, at most "
                   f"{EXPORTED_MOST}")
    bad.extend(f"exported: {n}" for n in names
               if "__" in n or not n.startswith("cairn_"))
    doors = glob.glob(f"{BUILD}/include/cairn/*.h")
    if len(doors) > INSTALLED_MOST:
        bad.append(f"{len(doors)} headers are installed, at most "
                   f"{INSTALLED_MOST}")


def check_lengths():
    for path in sources(*LAYERS, "cli", "examples", "tests", "bench"):
        lines = read(path).split("\n")
        if len(lines) - 1 > FILE_MOST:
            bad.append(f"{name(path)}: {len(lines) - 1} lines, at most "
                       f"{FILE_MOST}")
        start = None
        for number, line in enumerate(lines, 1):
            if not line and start and not any(
                    at.endswith("{") for at in lines[start - 1:number - 1]):
                start = None  # a macro's call, or a declaration
            if re.match(r"[A-Za-z_].*\($|[A-Za-z_].*\) \{$|[A-Za-z_].*[,(]$",
                        line) and start is None:
                start = number
            if line in ("}", "};") or line.endswith(";") and \
                    re.match(r"\S", line):
                if line == "}" and start and \
                        number - start + 1 > FUNCTION_MOST:
                    bad.append(f"{name(path)}:{start}: a function of "
                               f"{number - start + 1} lines, at most "
                               f"{FUNCTION_MOST}")
                start = None


def check_format():
    """Only with the version that the tree is formatted with."""
    try:
        version = subprocess.run(["clang-format", "--version"],
                                 capture_output=True, text=True).stdout
    except FileNotFoundError:
        version = ""
    if "version 14." not in version:
        print("note: no clang-format 14: the format is not checked")
        return
    files = [f for f in sources(*LAYERS, "cli", "examples", "tests", "bench")
             if "/tests/data/" not in f]
    out = subprocess.run(["clang-format", "--dry-run", "-Werror"] + files,
                         capture_output=True, text=True).stderr
    bad.extend(sorted({line.split(":")[0] + ": not in clang-format's format"
                       for line in out.split("\n") if "error:" in line}))


for check in (check_layers, check_libraries, check_manners, check_numbers,
              check_circles, check_exports, check_lengths, check_format):
    check()
if bad:
    print("These break the plan of the house:", *bad, sep="\n")
    sys.exit(1)
