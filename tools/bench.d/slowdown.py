# SPDX-License-Identifier: GPL-2.0-or-later
"""What does a program take more while it is measured? Its own start to its own end, so that the
tool's start does not count. Every run with a tool stands between two runs without one."""
import os
import re
import shlex

from common import Absent, NT, Clock, Spread, Verdict, need, run, table

# The tracepoints that numatrace uses everywhere.
TRACEPOINTS = ["sched:sched_migrate_task", "sched:sched_process_fork", "sched:sched_process_free",
               "sched:sched_wakeup_new", "sched:sched_move_numa", "sched:sched_swap_numa",
               "irq:softirq_entry", "irq:softirq_exit", "cpuhp:cpuhp_enter"]
AIM_SECONDS = 0.5
LEAST = 7		# pairs, however long they take
TARGETS = {"pipe": 1.01, "fstat": 1.02, "pthread": 1.02}


def tracepoints():
    here = [t for t in TRACEPOINTS
            if os.path.isdir("/sys/kernel/tracing/events/" + t.replace(":", "/"))]
    if not here:
        raise Absent("no tracepoints in /sys/kernel/tracing")
    return here


class Work:
    """A program that does as much as it is told (N), as a script that says what it took."""

    def __init__(self, argv, first):
        self.argv, self.size, self.script = argv, first, None

    def prepare(self, tmp):
        self.script = os.path.join(tmp, "work")
        for _ in range(3):
            argv = [str(self.size) if word == "N" else word for word in self.argv]
            with open(self.script, "w", encoding="ascii") as f:
                f.write("#!/bin/bash\nTIMEFORMAT='@%R %U %S'\ntime " +
                        " ".join(map(shlex.quote, argv)) + " > /dev/null 2>&1\n")
            os.chmod(self.script, 0o755)
            elapsed, _ = self.took(run([self.script]))
            self.size = max(1, int(self.size * AIM_SECONDS / max(elapsed, 0.01)))

    def took(self, output):
        """Elapsed and CPU seconds."""
        found = re.search(r"^@([\d.]+) ([\d.]+) ([\d.]+)$", output, re.M)
        if not found or not float(found[2]) + float(found[3]):
            raise Absent(f"{self.argv[0]} did not run")
        return float(found[1]), float(found[2]) + float(found[3])


def perf_bench(args, first):
    return Work([need("perf", "linux-perf"), "bench", "-f", "simple", "sched"] + args +
                ["-l", "N"], first)


def bound(work):
    """To one CPU: two tasks share one, or not, as it happens, which makes a factor of five."""
    work.argv = [need("taskset", "util-linux"), "-c",
                 str(max(os.sched_getaffinity(0)))] + work.argv
    return work


def stress_ng(stressor, workers, first):
    return Work([need("stress-ng", "stress-ng"), f"--{stressor}", str(workers),
                 f"--{stressor}-ops", "N", "-t", "60"], first)


WORKLOADS = {
    "perf bench sched pipe, on one CPU": ("pipe", lambda: bound(perf_bench(["pipe"], 50000))),
    "perf bench sched messaging -g 4": (
        "messaging", lambda: perf_bench(["messaging", "-g", "4"], 100)),
    "stress-ng --fstat 4": ("fstat", lambda: stress_ng("fstat", 4, 1000)),
    "stress-ng --pthread 2": ("pthread", lambda: stress_ng("pthread", 2, 2000)),
    "stress-ng --switch 2": ("switch", lambda: stress_ng("switch", 2, 50000)),
    "stress-ng --affinity 1": ("affinity", lambda: stress_ng("affinity", 1, 20000)),
}


def numatrace(script, _):
    return [NT, "--", script]


def perf_stat(script, _):
    return [need("perf", "linux-perf"), "stat", "-a", "-e", ",".join(tracepoints()), "--", script]


def bpftrace(script, tmp):
    program = os.path.join(tmp, "count.bt")
    with open(program, "w", encoding="ascii") as f:
        for i, t in enumerate(tracepoints()):
            f.write(f"tracepoint:{t} {{ @c{i} = count(); }}\n")
    # It starts nothing but ELF files.
    return [need("bpftrace", "bpftrace"), program, "-c", f"{need('bash', 'bash')} {script}"]


def perf_sched(script, tmp):
    return [need("perf", "linux-perf"), "sched", "record", "-o", os.path.join(tmp, "perf.data"),
            "--", script]


# numatrace twice in each round: its ratios are small, and the targets are for them.
TOOLS = {"numatrace": numatrace, "perf stat": perf_stat, "numatrace again": numatrace,
         "bpftrace": bpftrace, "perf sched record": perf_sched}
COLUMNS = ["without", "numatrace", "perf stat", "bpftrace", "perf sched record"]


class Ratios:
    """Elapsed and CPU time of one program, each with a tool to without."""

    def __init__(self):
        self.elapsed = {c: [] for c in COLUMNS}
        self.cpu = {c: [] for c in COLUMNS}
        self.absent = {}

    def one_round(self, work, tmp):
        before = work.took(run([work.script]))
        for name, tool in TOOLS.items():
            column = name.removesuffix(" again")
            if column in self.absent:
                continue
            try:
                measured = work.took(run(tool(work.script, tmp)))
            except Absent as e:
                self.absent[column] = str(e)
                continue
            after = work.took(run([work.script]))
            for i, kind in enumerate([self.elapsed, self.cpu]):
                kind[column].append(2 * measured[i] / (before[i] + after[i]))
                kind["without"].append(after[i] / before[i])
            before = after

    def row(self, kind):
        return [Spread(kind[c]).show() if kind[c] else "absent" for c in COLUMNS] + [
            len(kind["numatrace"]), max(len(kind[c]) for c in COLUMNS[2:])]


def verdict(name, target, spread):
    low, high = spread.interval()
    got = f"{spread.median:.3f} (95 %: {low:.3f} .. {high:.3f}, {spread.n} pairs)"
    reason = ""
    if low <= target < high:
        reason = "the interval holds the target: this machine's noise decides no finer"
    return Verdict(f"CPU time of {name}", f"≤ {target} ×", got, spread.median <= target, reason)


class Slowdown:
    def __init__(self, tmp, seconds, rounds):
        self.elapsed, self.cpu, self.verdicts, self.absences = [], [], [], {}
        for name, (short, make) in WORKLOADS.items():
            print(f"  {name}", flush=True)
            ratios = Ratios()
            clock = Clock(seconds / len(WORKLOADS), min(rounds, LEAST), rounds)
            try:
                work = make()
                work.prepare(tmp)
                for _ in clock.rounds():
                    ratios.one_round(work, tmp)
            except Absent as e:
                self.absences[name] = str(e)
                continue
            self.add(name, short, ratios)

    def add(self, name, short, ratios):
        for tool, why in ratios.absent.items():
            self.absences[f"{tool} on {name}"] = why
        self.elapsed.append([name] + ratios.row(ratios.elapsed))
        self.cpu.append([name] + ratios.row(ratios.cpu))
        if short in TARGETS and ratios.cpu["numatrace"]:
            self.verdicts.append(verdict(name, TARGETS[short], Spread(ratios.cpu["numatrace"])))

    def text(self):
        head = ["program", "nothing (noise)"] + COLUMNS[1:] + ["pairs", "of others"]
        return ("CPU time:\n\n" + table(head, self.cpu) + "\nElapsed time:\n\n" +
                table(head, self.elapsed))
