# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a bench, as Markdown."""
import datetime
import os
import platform
import subprocess

from common import table

IDLE = 1.0

HEAD = """# What measuring costs

Written by `make bench`; do not edit. Repeat it with `sudo make bench` on a machine that does
nothing else (at most 15 minutes). Ratios carry over to other machines better than times do.
A cell is the median, with the least and the greatest value behind it. Every ratio is of values
from the same interleaved run.
"""

SLOWDOWN = """## Slowdown of the measured program

What the program took from its own start to its own end, so a tool's start is not in it. 1.00 is as
much as without. Each run with a tool stands between two runs without one and is divided by their
mean. "nothing" is a run without a tool divided by the one before: what this machine does by itself.
perf stat and bpftrace count the tracepoints that numatrace uses, on all CPUs. The targets are held
against CPU time, which has all that programs in the kernel add to the measured one, and bears that
others use the machine; elapsed time does not. What a tool does in a process of its own (perf sched
record writes a file) is in elapsed time alone, as far as it held the program up.
"""

PROGRAMS = """## One call of each program

From the kernel's own statistics (BPF_ENABLE_STATS), while stress-ng makes every kind of event;
beside it an empty program on the same hook, in the same interval. The kernel's own timing is
in both; "its own" is the difference. The task iterator is given per task. Programs that never ran
here are not listed: those on function hooks need a kernel that permits them, and the ones that
read domains and adopt the workload run before the statistics are on; they are part of the time
from start to exec.
"""

START = """## From start to the command

CPU time is that of the tool's own process until the command was executed.
"""

SAMPLES = """## One sample of the kernel's counters

On trees made by tests/fixtures/make-machine, record writing included; without what the kernel
itself needs to write the files, and without programs in the kernel.
"""

COMPARE = """## Comparing runs

Two sets of runs, half of them each, in one record that is tests/golden/fstat-2x4.jsonl over and
over: 2 nodes, 3 samples a run, 170 metrics.
"""


def first(path, key):
    try:
        with open(path, encoding="ascii", errors="replace") as f:
            for line in f:
                if line.startswith(key):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return "unknown"


def version(argv):
    try:
        out = subprocess.run(argv, capture_output=True, text=True, check=False).stdout
    except OSError:
        return "not here"
    return (out.splitlines() or ["not here"])[0]


def machine(load, seconds):
    rows = [["date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")],
            ["kernel", platform.release()],
            ["CPUs", f"{os.cpu_count()} × {first('/proc/cpuinfo', 'model name')}"],
            ["memory", first("/proc/meminfo", "MemTotal")],
            ["load before it began", f"{load:.2f}"],
            ["load when it ended", f"{os.getloadavg()[0]:.2f}"],
            ["perf", version(["perf", "--version"])],
            ["bpftrace", version(["bpftrace", "--version"])],
            ["stress-ng", version(["stress-ng", "--version"])],
            ["took", f"{seconds:.0f} s"]]
    return "## Machine\n" + table(["", ""], rows)


def targets(verdicts):
    rows = [[v.what, v.target, v.got, ("met" if v.met else "**missed**") +
             (f"; {v.reason}" if v.reason else "")] for v in verdicts]
    return "## Targets\n" + table(["what", "target", "measured", ""], rows)


def write_report(done, absences, load, seconds, quick):
    text = [HEAD]
    if quick:
        text.append("**Made with --quick: these figures say nothing.**\n")
    text.append(machine(load, seconds))
    if load > IDLE:
        text.append(f"**Others used the machine as well (load {load:.1f} before it began): times are "
                    "longer than on an idle one, and the spread is theirs.**\n")
    text.append(targets([v for part in done.values() for v in part.verdicts]))
    if "slowdown" in done:
        text.append(SLOWDOWN + "\n" + done["slowdown"].text())
    if "start" in done:
        text.append(START + "\n" + done["start"].text())
    if "programs" in done:
        text.append(PROGRAMS + "\n" + done["programs"].text())
    if "samples" in done:
        text.append(SAMPLES + "\n" + done["samples"].text())
    if "compare" in done:
        text.append(COMPARE + "\n" + done["compare"].text())
    if "start" in done:
        text.append("## Memory\n" + done["start"].memory_text())
    if absences:
        text.append("## Absent here\n" + "".join(f"- {k}: {v}\n" for k, v in absences.items()))
    return "\n".join(text)
