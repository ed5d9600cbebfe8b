#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold what tests/lab/guest-ways.sh left against itself: two ways to one answer must agree,
and a way that is refused must say so and invent nothing. Prints TAP.

usage: check_ways.py DIR
"""
import json
import os
import sys

from labrecord import Tap

EDGE_S = 0.5    # by how much the instants are uncertain at which the runs began and ended
MISSED = 0.005  # of its calls a kprobe misses: those that strike inside another one's handler


def load(d, name):
    with open(os.path.join(d, name), encoding="utf-8") as f:
        return json.load(f)


def text(d, name):
    with open(os.path.join(d, name), encoding="utf-8") as f:
        return f.read().strip()


def features(d, name):
    return {f["name"]: f for f in load(d, "features-%s.json" % name)["features"]}


def record(d, name):
    """Header, samples and end."""
    with open(os.path.join(d, name + ".jsonl"), encoding="utf-8") as f:
        lines = [json.loads(line) for line in f]
    return lines[0], [x for x in lines if x["type"] == "sample"], lines[-1]


def check_features(tap, d, kernel):
    every = features(d, "all")
    tap.ok(text(d, "features-all.status") == "0", "%s: the main job can run" % kernel)
    for name in ("migrations", "cputime", "fork", "domains", "causes"):
        tap.ok(every[name]["on"], "%s: %s is on" % (kernel, name))
    for name in os.listdir(d):
        if name.startswith("features-") and name.endswith(".json"):
            rows = features(d, name[len("features-"):-len(".json")]).values()
            bad = [f["name"] for f in rows if bool(f["on"]) == bool(f["why"]) or
                   bool(f["on"]) != bool(f["way"])]
            tap.ok(not bad, "%s: %s: every row has a way or a reason %s" % (kernel, name, bad))
    # Of each feature all ways that this kernel has a function for were loaded, here or below.
    for name in ("all", "fexit", "half"):
        bad = [(f["name"], r["way"], r["why"]) for f in features(d, name).values()
               for r in f["refused"]
               if any(w in r["why"] for w in ("EINVAL", "EACCES", "E2BIG", "failed to load"))]
        tap.ok(not bad, "%s: %s: the verifier accepts every program %s" % (kernel, name, bad))
    tap.ok(every["imb_numa_nr"]["on"] != kernel.startswith("5.10."),
           "%s: imb_numa_nr exists but on 5.10" % kernel)


def check_refusals(tap, d, kernel):
    """What is refused, and with which words."""
    for name, word in (("hooks", "NUMATRACE_DENY"), ("ftrace-off", "ftrace_enabled"),
                       ("kprobes-off", "kprobes are switched off")):
        path = os.path.join(d, "features-%s.json" % name)
        if not os.path.exists(path):
            print("# %s: no features-%s.json: the kernel has no such switch" % (kernel, name))
            continue
        rows = features(d, name)
        for f in ("balance", "placement"):
            tap.ok(not rows[f]["on"] and word in rows[f]["why"] and rows[f]["hint"],
                   "%s: %s: %s is off: %s" % (kernel, name, f, rows[f]["why"]))
        tap.ok(rows["migrations"]["on"], "%s: %s: migrations stay" % (kernel, name))
    tap.ok(text(d, "features-tracepoint.status") == "1",
           "%s: without tracepoints the status is 1" % kernel)


def check_half_attached(tap, d, kernel):
    half, none = features(d, "half")["balance"], features(d, "none")["balance"]
    tap.ok(half["on"] and half["way"].startswith("kprobe") and
           any("attach" in r["why"] for r in half["refused"]),
           "%s: a way half attached is given up for the next: %s" % (kernel, half["way"]))
    tap.ok(not none["on"] and "attach" in none["why"],
           "%s: with none left balance is off: %s" % (kernel, none["why"]))
    tap.ok(features(d, "none")["placement"]["on"], "%s: and placement is on" % kernel)


def balance_rows(counters):
    out = {}
    for b in counters["balance"]:
        for key, value in b.items():
            if key not in ("level", "idle", "ns"):
                out[b["idle"], key] = out.get((b["idle"], key), 0) + value
    return out


def placement_rows(counters):
    return {(wake, place): n
            for wake, places in counters["placement"]["system"].items()
            for place, n in places.items()}


def total(samples, rows):
    out = {}
    for s in samples:
        for key, n in rows(s["counters"]).items():
            out[key] = out.get(key, 0) + n
    return out


def compare(tap, what, runs, rows):
    """Both ended together, so of the longer run only what came after the other's start counts.
    They may differ by what the longer one saw around that instant, and at the end."""
    (_, samples, end), (_, others, other) = sorted(
        runs, key=lambda r: r[2]["rusage"]["elapsed"], reverse=True)
    last = end["rusage"]["elapsed"]
    begun = last - other["rusage"]["elapsed"]
    edges = total([s for s in samples if abs(s["t"] - begun) <= EDGE_S or
                   s["t"] > last - EDGE_S], rows)
    a, b = total([s for s in samples if s["t"] > begun], rows), total(others, rows)
    bad = []
    for key in sorted(set(a) | set(b)):
        x, y, edge = a.get(key, 0), b.get(key, 0), edges.get(key, 0)
        bad += [key] if abs(x - y) > edge + 1 + MISSED * max(x, y) else []
        print("# %s %s: %d and %d, edges %d" % (what, "/".join(key), x, y, edge))
    counted, uncertain = sum(a.values()), sum(edges.values())
    tap.ok(counted > 1000 and uncertain < 0.5 * counted,
           "%s: %d events, %d of them in the edges" % (what, counted, uncertain))
    tap.ok(not bad, "%s: fexit and kprobe count the same %s" % (what, bad))


def check_side_by_side(tap, d, kernel):
    runs = record(d, "fexit"), record(d, "kprobe")
    for f in ("balance", "placement"):
        a, b = runs[0][0]["features"][f], runs[1][0]["features"][f]
        tap.ok(a["on"] and a["way"].startswith("fexit"), "%s: %s by %s" % (kernel, f, a["way"]))
        tap.ok(b["on"] and b["way"].startswith("kprobe"), "%s: %s by %s" % (kernel, f, b["way"]))
        if not a["on"] or not b["on"]:
            return
    compare(tap, "%s: balance" % kernel, runs, balance_rows)
    compare(tap, "%s: placement" % kernel, runs, placement_rows)


def check_affinity(tap, d, kernel):
    head, _, end = record(d, "affinity-read")
    made = json.loads(text(d, "affinity-read.made"))["made"]["affinity"]
    got = sum(row[3] for row in end["counters"]["migrations"]["workload"] if row[0] == "affinity")
    tap.ok(got == made, "%s: without reading memory %d affinity moves made, %d counted" %
           (kernel, made, got))
    tap.ok(not any(b.get("refused") for b in end["counters"]["balance"]) or
           head["features"]["balance"]["on"], "%s: no count without its feature" % kernel)


def main():
    d, tap = sys.argv[1], Tap()
    kernel = text(d, "kernel")
    check_features(tap, d, kernel)
    check_refusals(tap, d, kernel)
    check_half_attached(tap, d, kernel)
    check_side_by_side(tap, d, kernel)
    check_affinity(tap, d, kernel)
    print("1..%d" % tap.n)
    sys.exit(tap.failed > 0)


main()
