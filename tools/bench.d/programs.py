# SPDX-License-Identifier: GPL-2.0-or-later
"""What does one call of each program cost, beside an empty one on the same hook?"""
import json
import os
import subprocess

from common import Absent, NT, Spread, Verdict, need, table

BPFCOST = os.path.abspath("build/bench/bpfcost")
NAME_LEN = 15


def load(seconds):
    """What makes every kind of event; moves by affinity, by balancers and at wakeup."""
    stress = need("stress-ng", "stress-ng")
    return [stress, "-q", "--fstat", "1", "--pthread", "1", "--switch", "1", "--fork", "1",
            "--affinity", "1", "-t", str(seconds)]


def figures(argv):
    done = subprocess.run([NT, "-q", "-i", "100ms", "--", BPFCOST] + argv, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=120)
    if done.returncode:
        raise Absent("bpfcost: " + (done.stderr.strip().splitlines() or ["no output"])[-1])
    progs = {}
    for p in json.loads(done.stdout):
        if p["calls"]:
            progs[p["name"]] = p["ns"] / p["calls"]
    return progs


def pairs(progs):
    """ns of each program and of the empty one on its hook."""
    for name, ns in progs.items():
        empty = progs.get(("e_" + name)[:NAME_LEN])
        if empty is None and name.startswith("select_rq_"):
            empty = progs.get("e_select_rq")
        if empty is not None:
            yield name, ns, empty


class Programs:
    def __init__(self, rounds, seconds=2):
        self.ours, self.empty, self.verdicts, self.absences = {}, {}, [], {}
        argv = load(seconds)
        for _ in range(rounds):
            for name, ns, empty in pairs(figures(argv)):
                self.ours.setdefault(name, []).append(ns)
                self.empty.setdefault(name, []).append(empty)
        self.judge()

    def judge(self):
        if "on_migrate" not in self.ours:
            self.absences["cost of a migration"] = "none happened"
            return
        ours, empty = Spread(self.ours["on_migrate"]), Spread(self.empty["on_migrate"])
        target = 2 * empty.median + 100
        self.verdicts.append(Verdict(
            "a migration (on_migrate)", "≤ 2 × empty + 100 ns",
            f"{ours.median:.0f} ns, target {target:.0f} ns", ours.median <= target))

    def text(self):
        rows = []
        for name, values in self.ours.items():
            ours, empty = Spread(values), Spread(self.empty[name])
            rows.append([name, ours.show("{:.0f}"), empty.show("{:.0f}"),
                         f"{ours.median - empty.median:.0f}",
                         f"{ours.median / empty.median:.1f}", ours.n])
        return table(["program", "ns a call", "empty, same hook", "its own", "ratio", "runs"],
                     rows)
