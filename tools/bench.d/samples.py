# SPDX-License-Identifier: GPL-2.0-or-later
"""What does one sample of the kernel's counters cost on machines of 8 to 8192 CPUs? On made-up
trees of /sys and /proc, so without what the kernel itself needs to write those files, and
without programs in the kernel."""
import os
import subprocess
import sys

from common import Absent, Spread, Verdict, measured, table

# Nodes, CPUs of a node, CPUs of a last-level cache, nodes of a socket.
MACHINES = {8: (2, 4, 4, 1), 128: (2, 64, 8, 1), 1024: (8, 128, 8, 4), 8192: (64, 128, 8, 8)}
TARGET_CPUS, TARGET_MS = 1024, 5
LEAST_SAMPLES = 10
MEMORY_CPUS, MEMORY_MIB = 128, 20


def make_tree(cpus, tmp):
    tree = os.path.join(tmp, f"tree{cpus}")
    subprocess.run([sys.executable, "tests/fixtures/make-machine"] +
                   [str(n) for n in MACHINES[cpus]] + ["6.18.0", tree], check=True)
    return tree


def cost_of_run(tree, tmp, seconds):
    """CPU seconds, samples and peak MiB of a run that takes a sample each 10 ms, if it can."""
    record = os.path.join(tmp, "samples.jsonl")
    cpu, _, peak = measured(["-i", "10ms", "--force", "-o", record], seconds,
                            {"NUMATRACE_ROOT": tree})
    with open(record, encoding="utf-8") as f:
        samples = sum('"type":"sample"' in line[:40] for line in f)
    return cpu, samples, peak


class Samples:
    def __init__(self, tmp, rounds):
        self.ms, self.mib, self.verdicts, self.absences = {}, {}, [], {}
        trees = {cpus: make_tree(cpus, tmp) for cpus in MACHINES}
        for _ in range(rounds):
            for cpus, tree in trees.items():
                self.one(cpus, tree, tmp)
        self.judge()

    def one(self, cpus, tree, tmp):
        many = few = (0, 0, 0)
        for _ in range(5):	# a machine that is busy takes few samples in the time
            few = cost_of_run(tree, tmp, 0.02)
            many = cost_of_run(tree, tmp, 1)
            if many[1] >= few[1] + LEAST_SAMPLES:
                break
        else:
            raise Absent(f"{many[1]} samples in 1 s at {cpus} CPUs")
        self.ms.setdefault(cpus, []).append(1000 * (many[0] - few[0]) / (many[1] - few[1]))
        self.mib.setdefault(cpus, []).append(many[2])

    def judge(self):
        ms = Spread(self.ms[TARGET_CPUS])
        self.verdicts.append(Verdict(f"one sample at {TARGET_CPUS} CPUs", f"≤ {TARGET_MS} ms",
                                     f"{ms.show('{:.2f}')} ms", ms.median <= TARGET_MS))
        mib = Spread(self.mib[MEMORY_CPUS])
        self.verdicts.append(Verdict(f"peak memory at {MEMORY_CPUS} CPUs, without programs",
                                     f"≤ {MEMORY_MIB} MiB", f"{mib.show('{:.1f}')} MiB",
                                     mib.median <= MEMORY_MIB))
        growth = Spread(self.ms[8192]).median / ms.median
        self.verdicts.append(Verdict("sample cost from 1024 to 8192 CPUs (8 times as many)",
                                     "≤ 8 ×", f"{growth:.1f} ×", growth <= 8))

    def text(self):
        rows = [[cpus, MACHINES[cpus][0], Spread(v).show("{:.2f}"),
                 f"{1000 * Spread(v).median / cpus:.1f}", Spread(self.mib[cpus]).show("{:.1f}"),
                 len(v)] for cpus, v in self.ms.items()]
        return table(["CPUs", "nodes", "ms of CPU a sample", "µs a CPU", "peak MiB", "runs"], rows)
