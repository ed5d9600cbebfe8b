#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold what numatrace counted of the migrations that tests/lab/guest-causes.sh made against
the account of tools/causes, which asks the kernel and never numatrace. Prints TAP.

usage: check_causes.py DIR
"""
import json
import os
import re
import sys

from labrecord import Tap

CAUSE, FROM, TO, MOVES = 0, 1, 2, 3
CAUSES = ("wakeup", "exec", "periodic", "newidle", "nohz", "active", "numa_move", "numa_swap",
          "affinity", "hotplug", "rt", "unknown")
EXACT = ("affinity", "wakeup", "exec", "hotplug", "rt")
BALANCERS = ("periodic", "newidle", "nohz", "active", "numa_move", "numa_swap")

# What a mode is for: the cause as the account names it, and the least that it makes. Of
# balancers it depends on the kernel whether they find anything to do; see check_kind.
MODES = {"affinity": ("affinity", 200), "queued": ("affinity", 200), "wakeup": ("wakeup", 50),
         "fork": (None, 0), "exec": ("exec", 1), "rtpush": ("rt", 5), "rtpull": ("rt", 5),
         "periodic": ("balancers", 1), "idle": ("balancers", 1), "newidle": ("balancers", 0),
         "nohz": ("balancers", 1), "active": ("balancers", 0), "hotplug": ("hotplug", 3),
         "numamove": ("balancers", 0), "numaswap": ("balancers", 0)}


def text(d, name):
    with open(os.path.join(d, name), encoding="utf-8") as f:
        return f.read().strip()


class Run:
    """A record of numatrace."""
    def __init__(self, d, name):
        lines = [json.loads(line) for line in text(d, name + ".jsonl").splitlines()]
        self.name = name
        self.head, self.end = lines[0], lines[-1]
        self.samples = [x for x in lines if x["type"] == "sample"]
        self.total = self.end["counters"]
        self.metrics = json.loads(text(d, name + ".json"))["metrics"]

    def counts(self, scope):
        out = dict.fromkeys(CAUSES, 0)
        for row in self.total["migrations"][scope]:
            out[row[CAUSE]] += row[MOVES]
        return out


def check_identities(tap, what, run):
    """The causes add up to the total and to the matrix, samples to the run."""
    for scope, prefix in (("workload", ""), ("system", "system.")):
        causes = sum(v for k, v in run.metrics.items() if re.fullmatch(
            re.escape(prefix) + r"migrations\.(?!total|cross_node)\w+", k))
        matrix = sum(run.counts(scope).values())
        summed = sum(row[MOVES] for s in run.samples for row in s["counters"]["migrations"][scope])
        tap.ok(causes == matrix == summed == run.metrics[prefix + "migrations.total"],
               "%s: %s causes = matrix = samples = total (%d)" % (what, scope, matrix))
    tap.ok(not any(run.end["lost"].values()), "%s: nothing lost" % what)


def check_account(tap, what, made):
    """The account must be sound in itself before anything is held against it."""
    tap.ok(made["before"] == 0 and made["blurred"] == 0 and
           made["made"]["balancers"] >= 0 and sum(made["made"].values()) == made["migrations"],
           "%s: %d tasks account for their nr_migrations, %d" %
           (what, made["tasks"], made["migrations"]))
    kind, least = MODES[made["mode"]]
    if kind:
        tap.ok(made["made"][kind] >= least, "%s: %s made at least %d times (%d)" %
               (what, kind, least, made["made"][kind]))


def expected(made, kernel):
    """What is to be counted. On 5.10 tracepoints are silent on a CPU that is marked off line."""
    want = dict(made["made"])
    if kernel.startswith("5.10."):
        want["hotplug"] = 0
    return want


def pulled_first(made, want, run):
    """A task that has a new mask and waits for the stopper, or that is about to exec beside a
    spinner, may be pulled to its new CPU by that CPU's balancer. To the account it is a move by
    affinity or exec; to the kernel, whose schedstat must have it, it is balancing. Returns how
    many there were of each cause."""
    got, stat = run.counts("workload"), made.get("schedstat")
    early = {c: want[c] - got[c] for c in ("affinity", "exec") if want[c] > got[c]}
    balanced = sum(got[c] for c in ("periodic", "newidle", "nohz", "active"))
    if stat and stat["busy"] + stat["idle"] + stat["newidle"] >= balanced:
        return early
    return {}


def check_counts(tap, what, made, want, run):
    got = run.counts("workload")
    for cause, early in pulled_first(made, want, run).items():
        print("# %s: %d of the %s moves made were balancing, by schedstat" % (what, early, cause))
        want = dict(want, balancers=want["balancers"] + early, **{cause: want[cause] - early})
    for cause in EXACT:
        if want[cause] or got[cause]:
            tap.ok(got[cause] == want[cause], "%s: %s made %d times, counted %d" %
                   (what, cause, want[cause], got[cause]))
    balancers = sum(got[c] for c in BALANCERS)
    tap.ok(balancers == want["balancers"], "%s: balancers made %d moves, counted %d" %
           (what, want["balancers"], balancers))
    tap.ok(got["unknown"] == 0, "%s: none is unknown (%d)" % (what, got["unknown"]))
    silent = made["made"]["hotplug"] - want["hotplug"]
    tap.ok(sum(got.values()) == made["migrations"] - silent,
           "%s: nr_migrations of all tasks is %d, counted %d%s" %
           (what, made["migrations"], sum(got.values()),
            ", %d silent in this kernel" % silent if silent else ""))


def check_schedstat(tap, what, made, run):
    """The kernel's own count of the whole machine lies between the workload's moves and all
    moves of the run, which began before that count and ended after it."""
    stat = made.get("schedstat")
    if not stat:
        tap.skip("%s: /proc/schedstat" % what, "the kernel started its count anew, or has none")
        return
    few, many = run.counts("workload"), run.counts("system")
    for name, theirs, causes in (
            ("newidle", stat["newidle"], ("newidle",)), ("active", stat["active"], ("active",)),
            ("other", stat["busy"] + stat["idle"] - stat["active"], ("periodic", "nohz"))):
        low, high = (sum(x[c] for c in causes) for x in (few, many))
        tap.ok(low <= theirs <= high, "%s: %s balancing by schedstat moved %d, workload %d, "
               "system %d" % (what, name, theirs, low, high))


def check_kind(tap, what, made, run):
    """Where the mode leaves one balancer alone to do it, it must be that one."""
    got, balancers = run.counts("workload"), made["made"]["balancers"]
    mode = made["mode"]
    if mode == "periodic":
        early = sum(pulled_first(made, made["made"], run).values())
        tap.ok(got["newidle"] + got["nohz"] <= early,
               "%s: no CPU was idle, so none is newidle or nohz (%d, %d)" %
               (what, got["newidle"], got["nohz"]))
    elif mode == "nohz":
        tap.ok(got["nohz"] > 0, "%s: CPUs balanced for a sleeping one (%d of %d moves)" %
               (what, got["nohz"], balancers))
    elif mode in ("newidle", "active"):
        if made.get("schedstat", {}).get(mode) == 0:
            tap.skip("%s: %s" % (what, mode), "this kernel made none here, by its schedstat")
        else:
            tap.ok(got[mode] > 0, "%s: counted %d" % (what, got[mode]))


def numa_moves(trace):
    """Of the kernel's trace: the moves of a stopper thread to where NUMA balancing had said."""
    said, count = {}, {"numa_move": 0, "numa_swap": 0}
    for line in trace.splitlines():
        found = re.search(r"^\s*(.+)-\d+\s+\[\d+\].*: (sched_\w+): (.*)$", line)
        if not found:
            continue
        who, event, rest = found.groups()
        field = {k: int(v) for k, v in re.findall(r"(\w+)=(-?\d+)", rest)}
        if event == "sched_move_numa":
            said[field["pid"]] = ("numa_move", field["dst_cpu"])
        elif event == "sched_swap_numa":
            said[field["src_pid"]] = ("numa_swap", field["dst_cpu"])
            said[field["dst_pid"]] = ("numa_swap", field["src_cpu"])
        elif event == "sched_migrate_task" and who.startswith("migration/"):
            kind, cpu = said.pop(field["pid"], (None, None))
            if kind and cpu == field["dest_cpu"]:
                count[kind] += 1
    return count


def check_numa(tap, what, d, run):
    theirs, got = numa_moves(text(d, run.name + ".trace")), run.counts("system")
    for cause in ("numa_move", "numa_swap"):
        tap.ok(got[cause] == theirs[cause], "%s: the kernel's trace has %d %s, counted %d" %
               (what, theirs[cause], cause, got[cause]))
    cause = "numa_move" if run.name == "numamove" else "numa_swap"
    if not theirs[cause]:
        tap.skip("%s: %s" % (what, cause), "this kernel made none here, by its trace")


def check_forks(tap, what, made, run):
    """New tasks by node of the parent and of the first CPU; they fire no migration event."""
    node, want = run.head["topology"]["cpu_node"], {}
    for a, b, n in made["forks"]:
        want[node[a], node[b]] = want.get((node[a], node[b]), 0) + n
    got = {(a, b): n for a, b, n in run.total["forks"]["workload"]}
    tap.ok(got == want, "%s: new tasks by node %s, counted %s" %
           (what, sorted(want.items()), sorted(got.items())))


def check_plug(tap, what, d):
    """The system view while a CPU goes and comes back."""
    run = Run(d, "plug")
    check_identities(tap, what, run)
    seen, states = {s["online"] for s in run.samples}, set(text(d, "plug.online").splitlines())
    tap.ok(len(states) == 2 and seen == states, "%s: the CPU went and came back (%s)" %
           (what, sorted(seen)))
    for n in run.total["nodes"]:
        cpus = run.head["topology"]["cpu_node"].count(n["id"])
        ticks = sum(v for k, v in n.get("ticks", {}).items() if k not in ("guest", "gnice"))
        limit = cpus * 100 * run.end["rusage"]["elapsed"] * 1.1 + 8
        tap.ok(ticks <= limit, "%s: %d ticks on node %d, at most %d" %
               (what, ticks, n["id"], limit))


def table(rows):
    """Rows: what was made, by mode. Columns: as what it was counted."""
    print("# %-9s %-38s %s" % ("mode", "made", " ".join("%9s" % c for c in CAUSES)))
    for made, got in rows:
        what = " ".join("%s %d" % (k, v) for k, v in made["made"].items() if v)
        print("# %-9s %-38s %s" % (made["mode"], what, " ".join("%9d" % got[c] for c in CAUSES)))


def check_mode(tap, d, kernel, mode):
    """Returns the row of the table, None if the mode did not run."""
    what = "%s: %s" % (kernel, mode)
    good = text(d, mode + ".status") == "0" and not text(d, mode + ".err")
    tap.ok(good, "%s: ran %s" % (what, text(d, mode + ".err")))
    if not good:
        return None
    made, run = json.loads(text(d, mode + ".made")), Run(d, mode)
    check_identities(tap, what, run)
    check_account(tap, what, made)
    check_counts(tap, what, made, expected(made, kernel), run)
    check_forks(tap, what, made, run)
    check_schedstat(tap, what, made, run)
    check_kind(tap, what, made, run)
    if mode.startswith("numa"):
        check_numa(tap, what, d, run)
    return made, run.counts("workload")


def main():
    d, tap = sys.argv[1], Tap()
    kernel = text(d, "kernel")
    rows = []
    for mode in MODES:
        if not os.path.exists(os.path.join(d, mode + ".status")):
            tap.ok(mode.startswith("numa") and not os.path.exists(os.path.join(d, "numa")),
                   "%s: %s: left out, this kernel has no NUMA balancing" % (kernel, mode))
            continue
        row = check_mode(tap, d, kernel, mode)
        rows += [row] if row else []
    check_plug(tap, "%s: plug" % kernel, d)
    table(rows)
    print("1..%d" % tap.n)
    sys.exit(tap.failed > 0)


if __name__ == "__main__":
    main()
