# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL at random moments, and resuming after every record.

  kill.py kills N [SEED]    N kills of searches on replayed times, under the
                            launcher, of rank 0, another rank and the launcher
                            by turns; the search goes on from its journal,
                            until the next kill.
  kill.py records [STEP]    a journal of 200 results is cut after (and inside)
                            each STEP-th record and resumed.
  kill.py ranks N [SEED]    N kills of searches that run on two ranks.

What is held: nothing that was recorded is lost or changed; resuming works; and
the end (journal, best, classes, rules) equals that of an undisturbed search.
On two ranks times differ from run to run: there the end must be that of an
undisturbed search that gets the times from the journal of the killed one.

A replay runs on rank 0 alone; `sleep` stands in for the other rank, and the
launcher tears the job down when it dies.
"""
import ctypes
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CAIRN = os.environ["CAIRN"]
TOP = os.environ["top_srcdir"]
LAUNCHER = [os.environ.get("MPIEXEC", "mpiexec")] + os.environ.get(
    "MPIEXEC_FLAGS", "").split()
SPMV = os.path.join(TOP, "examples/spmv/spmv.xml")
RING = os.path.join(TOP, "tests/exec/ring.xml")
BUILT = os.path.join(os.path.dirname(CAIRN), ".libs")
if os.access(os.path.join(BUILT, "cairn"), os.X_OK):
    # not yet installed: CAIRN is a script that only sets a path
    os.environ["LD_LIBRARY_PATH"] = BUILT
    CAIRN = os.path.join(BUILT, "cairn")
BUDGET = 200       # results of a replayed search
RANKS_BUDGET = 30  # and of one that runs

failures = 0


def complain(text):
    global failures
    failures += 1
    print("FAIL: " + text, flush=True)


# ---- processes ----

def become_subreaper():
    """What a job leaves behind becomes our child."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def children():
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name) as file:
                    parent = file.read().rsplit(")", 1)[1].split()[1]
            except (OSError, IndexError):
                continue
            if int(parent) == os.getpid():
                found.append(int(name))
    return found


def bury(patience_s=5.0):
    """Waits until all of the job is gone, kills what stays; how much stayed."""
    until = time.monotonic() + patience_s
    stayed = 0
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return stayed
        if pid == 0:
            if time.monotonic() > until:
                for child in children():
                    stayed += 1
                    os.kill(child, signal.SIGKILL)
                until = time.monotonic() + 1
            time.sleep(0.005)


def command_of(name, words):
    """Started as a rank: writes down its pid first."""
    return ["sh", "-c", 'echo $$ >"$0"; exec "$@"', name] + words


def start(command, folder):
    for name in ("rank0", "rank1"):
        if os.path.exists(os.path.join(folder, name)):
            os.unlink(os.path.join(folder, name))
    with open(os.path.join(folder, "out"), "wb") as out, open(
            os.path.join(folder, "err"), "ab") as err:
        return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                                stdout=out, stderr=err, start_new_session=True)


def pid_of(folder, name, limit_s=60.0):
    until = time.monotonic() + limit_s
    while time.monotonic() < until:
        try:
            with open(os.path.join(folder, name)) as file:
                return int(file.read())
        except (OSError, ValueError):
            time.sleep(0.001)
    return None


def strike(job, folder, victim):
    """Kills one; the others go by themselves or are swept by bury."""
    pid = job.pid if victim == "launcher" else pid_of(folder, victim)
    if pid is None:
        complain("no process of %s" % victim)
        pid = job.pid
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        # it was done already: also a moment; nobody ends the stand-in
        os.kill(pid_of(folder, "rank1"), signal.SIGKILL)


def run(words, folder, expected=0):
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    if done.returncode != expected:
        complain("%s: exit %d: %s" % (" ".join(words), done.returncode,
                                      done.stderr.decode()[-400:]))
    return done.stdout


def read_lines(path):
    if not os.path.exists(path):
        return []
    with open(path, "rb") as file:
        return [line for line in file.read().splitlines(True)
                if line.endswith(b"\n")]


def wait_for_size(path, size, limit_s):
    until = time.monotonic() + limit_s
    while time.monotonic() < until:
        if os.path.exists(path) and os.stat(path).st_size >= size:
            return
        time.sleep(0.002)


# ---- recorded times ----

def time_of(line, items):
    """Seconds of a schedule, from its structure: three classes and a little
    noise."""
    place = {item.split("@")[0]: i for i, item in enumerate(items)}
    stream = {item.split("@")[0]: item.split("@")[1] for item in items
              if "@" in item}
    seconds = 1e-4
    if place["yl"] > place["WaitRecv"]:
        seconds += 5e-5
    if stream["Pack"] == stream["yl"] and place["yl"] < place["Pack"]:
        seconds += 8e-5
    noise = int(hashlib.md5(line.encode()).hexdigest()[:4], 16) / 65536
    return seconds * (1 + 0.02 * noise)


def op_of(item):
    name, _, rest = item.partition("@")
    stream, _, event = rest.partition("#")
    if name.startswith("CES"):
        name, _, event = item.partition("#")
        return {"name": name, "kind": "CudaEventSync", "event": int(event)}
    op = {"name": name}
    if rest:
        op["stream"] = int(stream)
    if event:
        op["event"] = int(event)
        op["kind"] = ("CudaEventRecord" if name.startswith("CER") else
                      "CudaStreamWaitEvent")
    return op


def make_table(folder):
    """A journal with times of every schedule of spmv."""
    lines = run([CAIRN, "enumerate", SPMV], folder).decode().splitlines()
    with open(os.path.join(folder, "table"), "w") as file:
        for i, line in enumerate(lines):
            seconds = time_of(line, line.split())
            row = [str(i)]
            row += ["%.9g" % (seconds * part)
                    for part in (0.99, 1, 1.01, 1.02, 1.03)]
            row += ["1e-7"] + [json.dumps(op_of(item)) for item in line.split()]
            file.write("|".join(row) + "\n")
    path = os.path.join(folder, "table.jsonl")
    run([CAIRN, "import", "table", "-o", path], folder)
    return path


def strategies(folder):
    text = run([CAIRN, "explore", "--strategy", "help"], folder).decode()
    return [line.split()[0] for line in text.splitlines()
            if line and line[0] != " "]


# ---- a search, undisturbed and killed ----

class Search:
    def __init__(self, top, number, strategy):
        self.folder = os.path.join(top, "search")
        self.command = [CAIRN, "explore", SPMV, "--backend",
                        "replay:" + os.path.join(top, "table.jsonl"),
                        "--budget", str(BUDGET), "--seed", str(number),
                        "--strategy", strategy, "-o", "run.jsonl", "--format",
                        "json", "-q"]
        self.name = "%s, seed %d" % (strategy, number)
        os.makedirs(self.folder)
        begin = time.monotonic()
        self.out = run(self.command, self.folder)
        self.seconds = time.monotonic() - begin
        self.journal = os.path.join(self.folder, "run.jsonl")
        with open(self.journal, "rb") as file:
            self.lines = file.read().splitlines(True)
        os.unlink(self.journal)
        self.kept = 0  # lines seen in the journal
        if len(self.lines) != BUDGET + 2:
            complain("%s: %d lines" % (self.name, len(self.lines)))

    def look(self):
        """The journal must be a beginning of the undisturbed one.  Returns its
        whole lines."""
        if not os.path.exists(self.journal):
            if self.kept:
                complain("%s: the journal is gone" % self.name)
            return 0
        with open(self.journal, "rb") as file:
            lines = file.read().splitlines(True)
        if len(lines) > len(self.lines):
            complain("%s: %d lines too many" % (self.name,
                                                len(lines) - len(self.lines)))
        for line, want in zip(lines, self.lines):
            last = line is lines[-1]
            if line != want and not (last and want.startswith(line)):
                complain("%s: line %r instead of %r" % (self.name, line[:80],
                                                        want[:80]))
        whole = sum(line.endswith(b"\n") for line in lines)
        if whole < self.kept:
            complain("%s: %d lines were recorded, %d are left" %
                     (self.name, self.kept, whole))
        self.kept = whole
        return whole

    def finish(self):
        """Resumes to the end: journal, best, classes, rules as undisturbed."""
        out = run(self.command + ["--resume"], self.folder)
        self.look()
        if self.kept < len(self.lines):
            complain("%s: %d lines at the end" % (self.name, self.kept))
        if out != self.out:
            complain("%s: another result after resuming" % self.name)
        shutil.rmtree(self.folder)


def wait_moment(rng, search):
    """A moment at random: of the time, or of the journal's growth."""
    if rng.random() < 0.4:
        time.sleep(rng.random() * search.seconds)
        return
    lines = search.lines[:search.kept + rng.randrange(80)]
    wait_for_size(search.journal, sum(len(line) for line in lines), 20)
    time.sleep(rng.random() * 0.01)


def kills(top, count, seed):
    rng = random.Random(seed)
    make_table(top)
    names = strategies(top)
    victims = ["rank0", "rank1", "launcher"]
    struck = dict.fromkeys(victims, 0)
    stages = [0, 0, 0]
    searches = done = stayed = 0
    while done < count:
        search = Search(top, searches, names[searches % len(names)])
        searches += 1
        while done < count:
            victim = victims[done % 3]
            job = start(LAUNCHER + ["-n", "1"] +
                        command_of("rank0", search.command + ["--resume"]) +
                        [":", "-n", "1"] + command_of("rank1",
                                                      ["sleep", "600"]),
                        search.folder)
            before = search.kept
            pid_of(search.folder, "rank0")
            wait_moment(rng, search)
            strike(job, search.folder, victim)
            stayed += bury()
            struck[victim] += 1
            done += 1
            whole = search.look()
            stages[0 if whole == before else
                   1 if whole < len(search.lines) else 2] += 1
            if whole > len(search.lines) - 10:
                break
        search.finish()
    print("%d kills (%s) of %d searches with %d strategies: %d before a new "
          "record, %d after some, %d after the last one; %d processes had to "
          "be swept; %d failures" %
          (done, ", ".join("%s %d" % pair for pair in struck.items()), searches,
           min(searches, len(names)), *stages, stayed, failures))


def records(top, step):
    make_table(top)
    search = Search(top, 1, strategies(top)[0])
    rng = random.Random(1)
    resumed = 0
    for whole in range(0, len(search.lines) + 1, step):
        for torn in (False, True):
            beyond = search.lines[whole] if whole < len(search.lines) else b""
            if torn and (len(beyond) < 2 or whole % 4):
                continue
            part = beyond[:rng.randrange(1, len(beyond))] if torn else b""
            with open(search.journal, "wb") as file:
                file.write(b"".join(search.lines[:whole]) + part)
            search.kept = whole
            out = run(search.command + ["--resume"], search.folder)
            search.look()
            resumed += 1
            if out != search.out or search.kept < len(search.lines):
                complain("cut after %d lines and %d bytes: another result" %
                         (whole, len(part)))
    print("resumed %d times, after every %d. record of %d: %d failures" %
          (resumed, step, len(search.lines), failures))


# ---- on two ranks ----

def compare_with_replay(folder, words, out):
    """An undisturbed search on the times in this journal ends the same."""
    replayed = run([CAIRN, "explore", RING, "--backend", "replay:run.jsonl",
                    "--objective", "p50", "-o", "replay.jsonl", "--format",
                    "json", "-q"] + words, folder)
    results = []
    for name in ("run.jsonl", "replay.jsonl"):
        rows = [json.loads(line)
                for line in read_lines(os.path.join(folder, name))]
        results.append([(row["id"], row["schedule"], row["status"], row["p50"])
                        for row in rows if row["k"] == "result"])
    if results[0] != results[1]:
        complain("the replay measured other schedules")
    ends = [json.loads(text) for text in (out, replayed)]
    for key in ("best", "curve", "evaluations", "failed", "classification"):
        if ends[0].get(key) != ends[1].get(key):
            complain("%s differs: %.300s and %.300s" %
                     (key, ends[0].get(key), ends[1].get(key)))


def check_finished(folder, kills_done):
    rows = [json.loads(line)
            for line in read_lines(os.path.join(folder, "run.jsonl"))]
    results = [row for row in rows if row["k"] == "result"]
    lost = [row for row in results if row["status"] == "quarantined"]
    if rows[-1]["k"] != "end" or rows[-1]["reason"] != "budget":
        complain("the journal ends with %s" % rows[-1])
    if [row["id"] for row in results] != list(range(RANKS_BUDGET)):
        complain("ids %s" % [row["id"] for row in results])
    if len({row["schedule"] for row in results}) != RANKS_BUDGET:
        complain("a schedule was measured twice")
    if any(row["status"] not in ("ok", "quarantined") for row in results):
        complain("status %s" % {row["status"] for row in results})
    if 3 * len(lost) > kills_done:
        complain("%d schedules lost in %d kills" % (len(lost), kills_done))
    return len(lost)


def wait_in_job(rng, journal, kept):
    """Until the journal has grown, and a moment longer; or any moment."""
    size = sum(len(line) for line in kept) + rng.randrange(1, 6000)
    wait_for_size(journal, size, 60 if rng.random() < 0.8 else rng.random())
    time.sleep(rng.random() * 0.01)


def ranks(top, count, seed):
    rng = random.Random(seed)
    done = searches = crashed = stayed = 0
    victims = ["rank0", "rank1", "launcher"]
    while done < count:
        folder = os.path.join(top, "ranks")
        os.makedirs(folder)
        words = ["--budget", str(RANKS_BUDGET), "--seed", str(searches)]
        command = [CAIRN, "explore", RING, "--backend", "host", "--samples",
                   "1", "--watchdog", "120", "-o", "run.jsonl", "--resume",
                   "--format", "json", "-q"] + words
        journal = os.path.join(folder, "run.jsonl")
        job_command = LAUNCHER + ["-n", "1"] + command_of(
            "rank0", command) + [":", "-n", "1"] + command_of("rank1", command)
        kept, here = [], 0
        while done < count and here < 3:
            job = start(job_command, folder)
            wait_in_job(rng, journal, kept)
            strike(job, folder, victims[done % 3])
            stayed += bury()
            done, here = done + 1, here + 1
            now = read_lines(journal)
            if now[:len(kept)] != kept:
                complain("recorded lines are lost or changed")
            kept = now
        job = start(job_command, folder)
        if job.wait() != 0:
            with open(os.path.join(folder, "err")) as file:
                complain("resuming: exit %d: %s" % (job.returncode,
                                                    file.read()[-400:]))
        bury()
        if read_lines(journal)[:len(kept)] != kept:
            complain("recorded lines are lost or changed")
        crashed += check_finished(folder, here)
        with open(os.path.join(folder, "out")) as file:
            compare_with_replay(folder, words, file.read())
        shutil.rmtree(folder)
        searches += 1
    print("%d kills of %d searches on two ranks, %d schedules recorded as "
          "lost; %d processes had to be swept; %d failures" %
          (done, searches, crashed, stayed, failures))


def main():
    what = sys.argv[1]
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    become_subreaper()
    with tempfile.TemporaryDirectory() as top:
        if what == "kills":
            kills(top, number, seed)
        elif what == "records":
            records(top, number)
        else:
            ranks(top, number, seed)
    return failures > 0


sys.exit(main())
