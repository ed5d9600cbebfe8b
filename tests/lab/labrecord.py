# SPDX-License-Identifier: GPL-2.0-or-later
"""What the checks of the lab share: TAP, and records as a guest left them."""
import json
import os
import re

CAUSE, FROM, TO, MOVES = 0, 1, 2, 3
BALANCERS = ("periodic", "newidle", "nohz")


class Tap:
    def __init__(self):
        self.n = self.failed = 0

    def ok(self, good, what, why=""):
        self.n += 1
        self.failed += not good
        print("%sok %d - %s" % ("" if good else "not ", self.n, what))
        if not good and why:
            print("# %s" % why)

    def skip(self, what, why):
        self.n += 1
        print("ok %d - %s # SKIP %s" % (self.n, what, why))

    def close(self, ours, theirs, tolerance, what):
        self.ok(abs(ours - theirs) <= tolerance,
                "%s: %.4g against %.4g (within %.4g)" % (what, ours, theirs, tolerance))

    def between(self, low, ours, high, what):
        self.ok(low <= ours <= high, "%s: %d, at least %d and at most %d" % (what, ours, low, high))

    def end(self):
        """Exit status of the check."""
        print("1..%d" % self.n)
        return self.failed > 0


class Dir:
    """A folder that a guest script left."""

    def __init__(self, path):
        self.path = path

    def has(self, name):
        return os.path.exists(os.path.join(self.path, name))

    def text(self, name):
        with open(os.path.join(self.path, name), encoding="utf-8", errors="replace") as f:
            return f.read()

    def word(self, name):
        return self.text(name).strip()

    def json(self, name):
        return json.loads(self.text(name))

    def record(self, name):
        return Record(self, name)


class Record:
    def __init__(self, d, name):
        lines = [json.loads(line) for line in d.text(name + ".jsonl").splitlines()]
        self.name = name
        self.header = lines[0]
        self.samples = [x for x in lines if x["type"] == "sample"]
        self.end = lines[-1]
        assert self.header["type"] == "header" and self.end["type"] == "end", name
        self.metrics = d.json(name + ".json")["metrics"]
        self.total = self.end["counters"]

    def nodes(self):
        return [n["id"] for n in self.header["topology"]["nodes"]]

    def cpu_node(self):
        return self.header["topology"]["cpu_node"]

    def on(self, feature):
        return self.header["features"][feature]["on"]

    def moves(self, scope, *causes, cross=False):
        return sum(row[MOVES] for row in self.total["migrations"][scope]
                   if (not causes or row[CAUSE] in causes) and
                   (not cross or row[FROM] != row[TO]))

    def chain(self, cpu):
        """The domains of a CPU, lowest first."""
        for chain in self.header["chains"]:
            if cpu in cpus(chain["cpus"]):
                return chain["domains"]
        return []


def cpus(listing):
    """The CPUs of a list such as 0-3,6."""
    out = set()
    for part in filter(None, listing.strip().split(",")):
        first, _, last = part.partition("-")
        out.update(range(int(first), int(last or first) + 1))
    return out


def ticks(node):
    """Ticks of a node; guest is part of user, and gnice of nice."""
    return sum(v for k, v in node["ticks"].items() if k not in ("guest", "gnice"))


def check_identities(tap, r):
    """What must hold in every run, whatever the machine did."""
    for scope in ("workload", "system"):
        prefix = "" if scope == "workload" else "system."
        causes = sum(v for k, v in r.metrics.items() if re.fullmatch(
            re.escape(prefix) + r"migrations\.(?!total|cross_node)\w+", k))
        tap.ok(causes == r.metrics[prefix + "migrations.total"] == r.moves(scope),
               "%s: %s causes = total = matrix (%d)" % (r.name, scope, causes))
        tap.ok(r.metrics[prefix + "migrations.cross_node"] == r.moves(scope, cross=True),
               "%s: %s moves across nodes = matrix" % (r.name, scope))
        summed = sum(row[MOVES] for s in r.samples for row in s["counters"]["migrations"][scope])
        tap.ok(summed == r.moves(scope), "%s: %s samples add up to the total" % (r.name, scope))
    known = {n for n in r.nodes()}
    named = {x for scope in ("workload", "system") for row in r.total["migrations"][scope]
             for x in row[FROM:MOVES]}
    tap.ok(named <= known, "%s: every node of the matrix exists" % r.name, str(named - known))
    workload, system = r.moves("workload"), r.moves("system")
    tap.ok(workload <= system, "%s: the workload's moves are among the system's" % r.name)
    unknown = r.moves("system", "unknown")
    tap.ok(unknown <= 0.01 * max(system, 1),
           "%s: %d of %d moves unknown" % (r.name, unknown, system))
    lost = r.end["lost"]
    tap.ok(not any(lost.values()), "%s: nothing lost (%s)" % (r.name, lost))


def check_balance(tap, r):
    """The balancer's own counts, and the moves it caused: counted by different hooks."""
    if not r.on("balance"):
        tap.ok(not r.total.get("balance"), "%s: balance is off, and so without a count" % r.name)
        return
    rows = r.total["balance"]
    for what, idles, causes in (
            ("newidle", ("newidle",), ("newidle",)),
            ("periodic and nohz", ("busy", "idle"), ("periodic", "nohz"))):
        for key, cross in (("moved", False), ("moved_cross", True)):
            ours = sum(b.get(key, 0) for b in rows if b["idle"] in idles)
            events = r.moves("system", *causes, cross=cross)
            tap.ok(ours == events, "%s: %s balance %s %d tasks, %d events say so" %
                   (r.name, what, key, ours, events))
    for b in rows:
        outcomes = sum(b.get(k, 0) for k in ("refused", "nothing", "failed"))
        tap.ok(outcomes <= b["calls"] <= outcomes + b.get("moved", 0),
               "%s: outcomes of level %d %s add up to its %d calls" %
               (r.name, b["level"], b["idle"], b["calls"]))


def check_placement(tap, r):
    """A wakeup that select_task_rq sent elsewhere is a move with cause wakeup, and one that it
    sent to another node crosses nodes."""
    if not r.on("placement"):
        tap.ok("placement" not in r.total or not any(
            v for places in r.total["placement"]["system"].values() for v in places.values()),
            "%s: placement is off, and so without a count" % r.name)
        return
    for scope in ("workload", "system"):
        wakeup = r.total["placement"][scope]["wakeup"]
        elsewhere = sum(v for k, v in wakeup.items() if k != "kept")
        moves = r.moves(scope, "wakeup")
        agree(tap, r, scope, elsewhere, moves, "elsewhere")
        agree(tap, r, scope, wakeup.get("remote", 0), r.moves(scope, "wakeup", cross=True),
              "on other nodes")


def agree(tap, r, scope, placed, moves, where):
    """Of the machine's wakeups some are of tasks that are not fair, which have no placement."""
    slack = 0.01 * moves + 2
    tap.ok(placed <= moves + slack and (scope == "system" or placed >= moves - slack),
           "%s: %s wakeups placed %s: %d, and %d moved" % (r.name, scope, where, placed, moves))


def check_cputime(tap, d, name):
    """Time by node against the cgroup of the same processes, exact to the ns."""
    r = d.record(name)
    tap.ok(d.word(name + ".status") == "0", "%s: exit status 0" % name)
    check_identities(tap, r)
    theirs = {}
    for cpu, ns in enumerate(map(int, d.text(name + ".percpu").split())):
        if cpu < len(r.cpu_node()):
            theirs[r.cpu_node()[cpu]] = theirs.get(r.cpu_node()[cpu], 0) + ns
    for n in r.total["nodes"]:
        ours = n.get("wl_exec_ns", 0) / 1e9
        want = theirs.get(n["id"], 0) / 1e9
        # What the command ran before it joined the cgroup is in our figure alone.
        before = int(d.text(name + ".before").split()[0]) / 1e9
        tap.close(ours, want, 0.01 * want + before, "%s: CPU seconds on node %d" % (name, n["id"]))
    tap.ok(any(n.get("wl_exec_ns", 0) for s in r.samples[:-1] for n in s["counters"]["nodes"]) or
           len(r.samples) < 3, "%s: samples hold the time as it passes" % name)
    return r
