# SPDX-License-Identifier: GPL-2.0-or-later
"""What does it take to compare 100, 1000 and 10,000 runs?"""
import os

from common import NT, Spread, run, table

RECORD = "tests/golden/fstat-2x4.jsonl"
RUNS = [100, 1000, 10000]


def cost(path, tmp):
    """CPU seconds and peak MiB; both sides are the same file. By way of numatrace: what wait4
    says of a child of ours holds the memory of Python, which it was before its exec."""
    record = os.path.join(tmp, "compared.jsonl")
    run([NT, "-q", "--no-bpf", "--force", "-o", record, "--",
         "sh", "-c", f"exec {NT} compare {path} -- {path} > /dev/null"])
    row = dict(line.split(",") for line in run([NT, "report", "--format", "csv", record]).split()
               if line.startswith("time."))
    return (float(row["time.user_time"]) + float(row["time.system_time"]),
            float(row["time.maximum_resident_set_size"]) / 1024)


class Compare:
    def __init__(self, tmp, rounds):
        self.verdicts, self.absences = [], {}
        self.cpu = {n: [] for n in RUNS}
        self.peak = {n: [] for n in RUNS}
        with open(RECORD, encoding="utf-8") as f:
            text = f.read()
        for n in RUNS:
            with open(self.path(tmp, n), "w", encoding="utf-8") as f:
                for _ in range(n // 2):
                    f.write(text)
        for _ in range(rounds):
            for n in RUNS:
                cpu, peak = cost(self.path(tmp, n), tmp)
                self.cpu[n].append(cpu)
                self.peak[n].append(peak)

    def path(self, tmp, n):
        return os.path.join(tmp, f"compare{n}.jsonl")

    def text(self):
        rows = [[n, Spread(self.cpu[n]).show("{:.2f}"),
                 f"{1e6 * Spread(self.cpu[n]).median / n:.0f}",
                 Spread(self.peak[n]).show("{:.1f}"), len(self.cpu[n])] for n in RUNS]
        return table(["runs compared", "s of CPU", "µs a run", "peak MiB", "rounds"], rows)
