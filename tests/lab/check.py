#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold the records of tests/lab/guest-main.sh against the oracles beside them; prints TAP.

usage: check.py DIR            after guest-main.sh
       check.py --short DIR    after guest-short.sh
"""
import json
import os
import re
import sys

CAUSE, FROM, TO, MOVES = 0, 1, 2, 3


class Tap:
    def __init__(self):
        self.n = self.failed = 0

    def ok(self, good, what):
        self.n += 1
        self.failed += not good
        print("%sok %d - %s" % ("" if good else "not ", self.n, what))

    def close(self, ours, theirs, tolerance, what):
        self.ok(abs(ours - theirs) <= tolerance,
                "%s: %.4g against %.4g (within %.4g)" % (what, ours, theirs, tolerance))


class Record:
    def __init__(self, path):
        lines = [json.loads(line) for line in open(path, encoding="utf-8")]
        self.header = lines[0]
        self.samples = [x for x in lines if x["type"] == "sample"]
        self.end = lines[-1]
        self.metrics = json.load(open(path.replace(".jsonl", ".json"), encoding="utf-8"))["metrics"]
        assert self.header["type"] == "header" and self.end["type"] == "end", path
        self.total = self.end["counters"]

    def nodes(self):
        return [n["id"] for n in self.header["topology"]["nodes"]]

    def cpu_node(self):
        return self.header["topology"]["cpu_node"]

    def moves(self, scope, cause=None):
        return sum(row[MOVES] for row in self.total["migrations"][scope]
                   if cause is None or row[CAUSE] == cause)


def read(path):
    return open(path, encoding="utf-8", errors="replace").read()


def mpstat_nodes(text):
    """The average rows of mpstat -N: {node: {column: percent}}."""
    rows, columns = {}, None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("Average:") and words[1:2] == ["NODE"]:
            columns = words[2:]
        elif line.startswith("Average:") and columns:
            rows[words[1]] = dict(zip(columns, map(float, words[2:])))
    return rows


def percentages(record):
    """usr, sys and idle of each node over the run, in percent."""
    out = {}
    for node, t in ((n["id"], n["ticks"]) for n in record.total["nodes"]):
        # guest is part of user and gnice of nice already
        total = sum(v for k, v in t.items() if k not in ("guest", "gnice"))
        out[str(node)] = {"%usr": 100 * (t.get("usr", 0) - t.get("guest", 0)) / total,
                          "%sys": 100 * t.get("sys", 0) / total,
                          "%idle": 100 * t.get("idle", 0) / total}
    return out


def check_identities(tap, name, r):
    """What must hold in every run, whatever the machine did."""
    for scope in ("workload", "system"):
        rows = r.total["migrations"][scope]
        metrics = r.metrics
        prefix = "" if scope == "workload" else "system."
        causes = sum(v for k, v in metrics.items()
                     if re.fullmatch(re.escape(prefix) + r"migrations\.(?!total|cross_node)\w+", k))
        tap.ok(causes == metrics[prefix + "migrations.total"] == sum(x[MOVES] for x in rows),
               "%s: %s causes = total = matrix (%d)" % (name, scope, causes))
        summed = sum(row[MOVES] for s in r.samples for row in s["counters"]["migrations"][scope])
        tap.ok(summed == r.moves(scope), "%s: %s samples add up to the total" % (name, scope))
    workload, system = r.moves("workload"), r.moves("system")
    tap.ok(workload <= system, "%s: the workload's moves are among the system's" % name)
    unknown = r.moves("system", "unknown")
    tap.ok(unknown <= 0.01 * max(system, 1), "%s: %d of %d moves unknown" % (name, unknown, system))
    lost = r.end["lost"]
    tap.ok(not any(lost.values()), "%s: nothing lost (%s)" % (name, lost))


def check_cputime(tap, name, d):
    """Time by node against the cgroup of the same processes, exact to the ns."""
    r = Record(os.path.join(d, name + ".jsonl"))
    tap.ok(read(os.path.join(d, name + ".status")).strip() == "0", "%s: exit status 0" % name)
    check_identities(tap, name, r)
    theirs = {}
    for cpu, ns in enumerate(map(int, read(os.path.join(d, name + ".percpu")).split())):
        if cpu < len(r.cpu_node()):
            theirs[r.cpu_node()[cpu]] = theirs.get(r.cpu_node()[cpu], 0) + ns
    for n in r.total["nodes"]:
        ours = n.get("wl_exec_ns", 0) / 1e9
        want = theirs.get(n["id"], 0) / 1e9
        # What the command ran before it joined the cgroup is in our figure alone.
        before = int(read(os.path.join(d, name + ".before")).split()[0]) / 1e9
        tap.close(ours, want, 0.01 * want + before, "%s: CPU seconds on node %d" % (name, n["id"]))
    tap.ok(any(s["counters"]["nodes"][0].get("wl_exec_ns", 0) for s in r.samples[:-1]) or
           len(r.samples) < 3, "%s: samples hold the time as it passes" % name)


def check_balance(tap, name, r):
    moved = sum(b.get("moved", 0) for b in r.total["balance"])
    cross = sum(b.get("moved_cross", 0) for b in r.total["balance"])
    balanced = sum(r.moves("system", c) for c in ("periodic", "newidle", "nohz"))
    # The balancer's own count and the events it caused are counted by different hooks.
    tap.ok(moved == balanced,
           "%s: balance moved %d tasks, %d events say so" % (name, moved, balanced))
    events = sum(row[MOVES] for row in r.total["migrations"]["system"]
                 if row[CAUSE] in ("periodic", "newidle", "nohz") and row[FROM] != row[TO])
    tap.ok(cross == events, "%s: %d of them across nodes, %d by events" % (name, cross, events))
    for b in r.total["balance"]:
        outcomes = sum(b.get(k, 0) for k in ("refused", "nothing", "failed"))
        tap.ok(outcomes <= b["calls"] <= outcomes + b.get("moved", 0),
               "%s: outcomes of level %d %s add up to its %d calls" %
               (name, b["level"], b["idle"], b["calls"]))


def check_placement(tap, name, r):
    """A wakeup that select_task_rq sent elsewhere is a migration with cause wakeup."""
    wakeup = r.total["placement"]["workload"]["wakeup"]
    elsewhere = sum(v for k, v in wakeup.items() if k != "kept")
    moves = r.moves("workload", "wakeup")
    tap.close(elsewhere, moves, 0.01 * moves + 2, "%s: wakeups placed elsewhere" % name)


def check_observe(tap, d):
    """-p: spinners pinned to a node each, against /proc/PID/schedstat over the same time."""
    r = Record(os.path.join(d, "observe.jsonl"))
    tap.ok(read(os.path.join(d, "observe.status")).strip() == "0", "observe: exit status 0")
    first, last = [list(map(float, line.split()))
                   for line in read(os.path.join(d, "observe.ran")).splitlines()]
    for node, column in ((0, 1), (1, 2)):
        want = (last[column] - first[column]) / 1e9 / (last[0] - first[0])
        ours = r.total["nodes"][node].get("wl_exec_ns", 0) / 1e9 / r.end["rusage"]["elapsed"]
        tap.close(ours, want, 0.03 * want, "observe: busy CPUs of the process on node %d" % node)
    tap.ok(r.end["alive_after"] == 2, "observe: two tasks are alive at the end")


def check_main(tap, d):
    r = Record(os.path.join(d, "main.jsonl"))
    report = read(os.path.join(d, "main.report"))
    tap.ok(read(os.path.join(d, "main.status")).strip() == "0", "main: exit status 0")
    check_identities(tap, "main", r)
    levels = {dom["name"]: dom.get("imb_numa_nr")
              for chain in r.header["chains"] for dom in chain["domains"]}
    tap.ok(levels.get("NUMA") == 1, "main: imb_numa_nr of NUMA is 1 (%s)" % levels)
    tap.ok(levels.get("MC") == 0, "main: imb_numa_nr of MC is 0")
    tap.ok(all(f["on"] for f in r.header["features"].values()), "main: every feature is on")
    score = [s for s in r.end["scores"] if s["key"] == "stress-ng.fstat.ops_per_sec"]
    printed = read(os.path.join(d, "main.log")) + report
    row = re.search(r"\] fstat +(\d+) +\S+ +\S+ +\S+ +(\S+)", printed)
    tap.ok(row and score and score[0]["value"] == float(row.group(2)),
           "main: the score is what stress-ng printed")
    tap.ok("stress-ng.fstat.ops_per_sec" in report, "main: the report shows the score")
    check_balance(tap, "main", r)
    check_placement(tap, "main", r)
    replay = read(os.path.join(d, "main.replay"))
    tap.ok(len(replay) > 500 and report.endswith(replay), "main: the record gives the same report")
    widest = max(len(line) for line in replay.splitlines())
    tap.ok(widest <= 100, "main: the widest line of the report has %d columns" % widest)


def check_mpstat(tap, d):
    ours = percentages(Record(os.path.join(d, "mpstat.jsonl")))
    theirs = mpstat_nodes(read(os.path.join(d, "mpstat.txt")))
    tap.ok(set(theirs) >= {"0", "1"} and theirs["all"]["%idle"] < 90, "mpstat saw both nodes busy")
    for node in ("0", "1"):
        for column in ("%usr", "%sys", "%idle"):
            tap.close(ours[node][column], theirs[node][column], 0.5,
                      "mpstat: node %s %s" % (node, column))


def check_noftrace(tap, d):
    r = Record(os.path.join(d, "noftrace.jsonl"))
    report = read(os.path.join(d, "noftrace.report"))
    check_identities(tap, "ftrace off", r)
    for feature in ("balance", "placement"):
        f = r.header["features"][feature]
        tap.ok(not f["on"] and "ftrace_enabled" in (f.get("why") or ""),
               "ftrace off: %s is off, with that reason" % feature)
    tap.ok("ftrace_enabled" in report, "ftrace off: the report says so")
    tap.ok(r.moves("workload") > 0, "ftrace off: migrations are counted")


def check_idle(tap, d):
    r = Record(os.path.join(d, "idle.jsonl"))
    calls = {}
    for b in r.total["balance"]:
        calls[b["idle"]] = calls.get(b["idle"], 0) + b["calls"]
    tap.ok(calls.get("idle", 0) + calls.get("newidle", 0) > calls.get("busy", 0),
           "idle: an idle machine balances while idle (%s)" % calls)


def check_short(tap, d):
    """Another kernel: the same identities, and whatever it can measure is measured."""
    kernel = read(os.path.join(d, "kernel")).strip()
    r = Record(os.path.join(d, "busy.jsonl"))
    features = r.header["features"]
    tap.ok(read(os.path.join(d, "busy.status")).strip() == "0", "%s: exit status 0" % kernel)
    check_identities(tap, kernel, r)
    for name in ("migrations", "cputime", "fork", "placement", "domains"):
        tap.ok(features[name]["on"], "%s: %s is on" % (kernel, name))
    check_placement(tap, kernel, r)
    numa = [dom for chain in r.header["chains"] for dom in chain["domains"] if dom["name"] == "NUMA"]
    tap.ok(features["balance"]["on"], "%s: balance is on" % kernel)
    check_balance(tap, kernel, r)
    check_idle(tap, d)
    if kernel.startswith("5.10."):
        tap.ok(numa and not any("imb_numa_nr" in dom for dom in numa),
               "%s: imb_numa_nr is absent" % kernel)
    else:
        tap.ok(numa and all(dom["imb_numa_nr"] == 1 for dom in numa),
               "%s: imb_numa_nr of NUMA is 1" % kernel)


def main():
    if sys.argv[1] == "--short":
        tap = Tap()
        check_short(tap, sys.argv[2])
        check_observe(tap, sys.argv[2])
        print("1..%d" % tap.n)
        sys.exit(tap.failed > 0)
    d, tap = sys.argv[1], Tap()
    check_main(tap, d)
    check_mpstat(tap, d)
    for name in ("fstat", "pthread", "fork", "cpu"):
        check_cputime(tap, name, d)
    check_noftrace(tap, d)
    check_idle(tap, d)
    check_observe(tap, d)
    print("1..%d" % tap.n)
    sys.exit(tap.failed > 0)


main()
