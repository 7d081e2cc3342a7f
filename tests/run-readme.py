#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run-readme.py README.md: runs every shell block of a README, in order, in
the current folder and one shell, and compares output with what is printed.

A block opens with ```sh.  Lines that start with "$ " are commands (going on
after a final backslash), the others the output of the command before.  Numbers
are masked; a line "..." stands for any lines.  Prints one line a command and
"N passed, N failed"; exit code 1 when some failed."""
import re
import subprocess
import sys

MARK = "\x01done"
# Variables that a user's shell does not have.
SETUP = "exec 2>&1; unset MAKEFLAGS MAKELEVEL MFLAGS\n"


def blocks(text):
    for match in re.finditer(r"^```sh\n(.*?)^```$", text, re.M | re.S):
        yield text[: match.start()].count("\n") + 2, match.group(1)


def commands(first_line, block):
    """(line, command, expected lines) of a block."""
    found, lines = [], block.splitlines()
    i = 0
    while i < len(lines):
        if lines[i].startswith("$ "):
            start, command = i, lines[i][2:]
            while command.endswith("\\"):
                i += 1
                command += "\n" + lines[i]
            found.append((first_line + start, command, []))
        elif found:
            found[-1][2].append(lines[i])
        elif lines[i].strip():
            sys.exit(f"line {first_line + i}: a block must start with a command")
        i += 1
    return found


def mask(line):
    line = re.sub(r"\d+(\.\d+)?(e[-+]?\d+)?", "N", line.rstrip())
    return re.sub(r"\s+", " ", line)


def fits(expected, got):
    """Do the lines fit the expected ones?  "..." is any number of lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(mask(line)) + r"\n"
        for line in expected
    )
    return re.fullmatch(pattern, "".join(mask(x) + "\n" for x in got)) is not None


def main():
    shell = subprocess.Popen(
        ["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace")
    shell.stdin.write(SETUP)
    passed = failed = 0
    for first, block in blocks(open(sys.argv[1], encoding="utf-8").read()):
        for line, command, expected in commands(first, block):
            shell.stdin.write(f"{{ {command}\n}} </dev/null; printf '\\n{MARK} %s\\n' $?\n")
            shell.stdin.flush()
            got = []
            while True:
                out = shell.stdout.readline()
                if out == "":
                    sys.exit(f"the shell ended at line {line}: {command}")
                if out.startswith(MARK):
                    code = out.split()[1]
                    break
                got.append(out.rstrip("\n"))
            if got and got[-1] == "":
                got.pop()  # the line end before the mark
            good = code == "0" and fits(expected, got)
            passed, failed = passed + good, failed + (not good)
            print(f"{'ok' if good else 'FAIL'}: line {line}: {command}", flush=True)
            if not good:
                print(f"  exit code {code}; expected:")
                print("".join(f"    {x}\n" for x in expected) + "  got:")
                print("".join(f"    {x}\n" for x in got[-60:]), end="")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
