# SPDX-License-Identifier: GPL-2.0-or-later
"""How long until the command runs, and how much memory does that take?"""
import os
import re
import time

import slowdown
from common import Absent, NT, Spread, Verdict, measured, run, table

TARGET_SECONDS = 0.06


def until_exec(argv):
    """Elapsed seconds, and CPU seconds of the tool."""
    begin = time.time()
    found = re.search(r"@(\d+\.\d+) (\d+)", run(argv))
    if not found:
        raise Absent(f"{os.path.basename(argv[0])}: the command printed no time")
    return float(found[1]) - begin, int(found[2]) / 1e9


def clock(tmp):
    """A command that says when it was executed, and what its parent had used by then."""
    path = os.path.join(tmp, "clock")
    with open(path, "w", encoding="ascii") as f:
        f.write("#!/bin/bash\nread -r used _ < /proc/$PPID/schedstat\n"
                'echo "@${EPOCHREALTIME} $used"\n')
    os.chmod(path, 0o755)
    return path


def tools(tmp):
    date = clock(tmp)
    return {
        "nothing": lambda: [date],
        "numatrace": lambda: slowdown.numatrace(date, tmp),
        "numatrace --no-bpf": lambda: [NT, "--no-bpf", "--", date],
        "perf stat": lambda: slowdown.perf_stat(date, tmp),
        "perf sched record": lambda: slowdown.perf_sched(date, tmp),
        "bpftrace": lambda: slowdown.bpftrace(date, tmp),
    }


class Start:
    def __init__(self, tmp, rounds):
        self.absences, self.verdicts = {}, []
        values = {name: [] for name in tools(tmp)}
        for _ in range(rounds):
            for name, argv in tools(tmp).items():
                if name in self.absences:
                    continue
                try:
                    values[name].append(until_exec(argv()))
                except Absent as e:
                    self.absences[name + ", time to exec"] = str(e)
        self.spread = {name: Spread([x[0] for x in v]) for name, v in values.items() if v}
        self.cpu = {name: Spread([x[1] for x in v]) for name, v in values.items() if v}
        self.memory()
        s, cpu = self.spread["numatrace"], self.cpu["numatrace"]
        reason = ""
        if s.median > TARGET_SECONDS:
            reason = (f"{cpu.show()} s of CPU of its own; the rest it waited, for the kernel or for "
                      "a CPU")
        self.verdicts.append(Verdict("start until the command's exec", f"≤ {TARGET_SECONDS} s",
                                     f"{s.show()} s", s.median <= TARGET_SECONDS, reason))

    def memory(self):
        full = [measured([], 0.1) for _ in range(7)]
        self.rss, self.peak = (Spread([m[i] for m in full]) for i in (1, 2))
        self.verdicts.append(Verdict("resident memory while the command runs", "≤ 20 MiB",
                                     f"{self.rss.show('{:.1f}')} MiB", self.rss.median <= 20))
        self.no_bpf = Spread([measured(["--no-bpf"], 0.1)[2] for _ in range(7)])

    def text(self):
        base = self.spread["nothing"].median
        rows = [[name, s.show()] + (["", ""] if name == "nothing" else
                                    [f"{s.median - base:.3f}", self.cpu[name].show()]) + [s.n]
                for name, s in self.spread.items()]
        return table(["tool", "s from start to exec", "of these the tool's", "its CPU time, s",
                      "runs"], rows)

    def memory_text(self):
        rows = [["while the command runs", self.rss.show("{:.1f}")],
                ["peak, while programs are loaded", self.peak.show("{:.1f}")],
                ["peak with --no-bpf", self.no_bpf.show("{:.1f}")]]
        return table(["resident memory, this machine", "MiB"], rows)
