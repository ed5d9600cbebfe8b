#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Make the records of this folder: sets of runs around figures as the kernel test robot publishes.

usage: make_sets.py    (in this folder)

nodes-*   user and system time of two nodes and the scores before and after a change of the
          scheduler that balanced better and lost a fifth of stress-ng --fstat
imb-*     the kernel's value of imb_numa_nr before and after a third change, which no file of
          the system showed; other differences of the kernels are made up
odd-*     made up: other commands, zeros, signs, counts of events, metrics of one side only, names
          that want quotes
fsmark-*  files per second from 1 to 64 threads before and after another change; the rows of 1 and
          64 threads and the change at 32 are those published, what is between follows their course
Runs lie around the mean given, so that it is their mean.
"""
import json

SPREAD = 0.001


def topology(nodes, cpus):
    ids = range(nodes * cpus)
    return {
        "cpus_online": len(ids), "cpu_ids": len(ids), "llcs": nodes,
        "nodes": [{"id": n, "cpulist": f"{n * cpus}-{(n + 1) * cpus - 1}", "cpus": cpus, "llcs": 1,
                   "mem_kb": 98304000, "distance": [10 if n == m else 21 for m in range(nodes)]}
                  for n in range(nodes)],
        "cpu_node": [i // cpus for i in ids], "cpu_llc": [i // cpus for i in ids],
    }


def header(commit, kernel, argv, params, topo, chains=()):
    return {
        "type": "header", "schema": "numatrace/1", "version": "0.1",
        "started": "2026-03-02T10:15:30Z", "hostname": "bench7", "kernel": kernel,
        "machine": "x86_64", "cpu_model": "", "argv": argv, "params": [f"commit={commit}"] + params,
        "sysctl": {"kernel.numa_balancing": 1}, "tick_hz": 100, "bpf": True,
        "features": {"domains": {"on": bool(chains), "way": "iterator", "why": None}},
        "topology": topo, "chains": list(chains),
    }


def end(metrics, scores):
    return {
        "type": "end", "interrupted": False, "wait_status": 0,
        "counters": {"nodes": []}, "scores": [{"key": k, "value": v} for k, v in scores.items()],
        "metrics": {**metrics, **scores}, "alive_after": 0, "self_cpu": 0.1, "notes": [],
    }


def write(name, runs):
    with open(name, "w", encoding="utf-8") as f:
        for run in runs:
            for line in run:
                f.write(json.dumps(line, separators=(",", ":")) + "\n")


def around(values, run):
    """Of three runs the first or last is below or above the mean; a value may name its spread."""
    pairs = {k: v if isinstance(v, tuple) else (v, SPREAD) for k, v in values.items()}
    return {k: v * (1 + (run - 1) * spread) for k, (v, spread) in pairs.items()}


def nodes(name, commit, usr, system, ops, switches):
    argv = ["stress-ng", "--timeout", "60", "--metrics", "--fstat", "96"]
    metrics = {f"mpstat.node.{n}.usr%": v for n, v in enumerate(usr)}
    metrics.update({f"mpstat.node.{n}.sys%": v for n, v in enumerate(system)})
    metrics["time.involuntary_context_switches"] = switches
    scores = {"stress-ng.fstat.ops": ops, "stress-ng.fstat.ops_per_sec": ops / 60}
    head = header(commit, "5.17.0", argv, [], topology(2, 48))
    write(name, [(head, end(around(metrics, i), around(scores, i))) for i in range(3)])


def domain(name, level, weight, imb, span, flags):
    return {"name": name, "level": level, "flags": 0, "flag_names": flags, "span_weight": weight,
            "span": span, "groups": 96 if level == 0 else 2, "imb_numa_nr": imb}


def imb(name, commit, value, balancing, features, flags):
    chains = [{"cpus": f"{n * 96}-{n * 96 + 95}", "domains": [
        domain("MC", 0, 96, 0, f"{n * 96}-{n * 96 + 95}", ["SD_SHARE_LLC"]),
        domain("NUMA", 1, 192, value, "0-191", ["SD_NUMA"] + flags)]} for n in range(2)]
    head = header(commit, "5.18.0", ["a"], [], topology(2, 96), chains)
    head["sysctl"]["kernel.numa_balancing"] = balancing
    head["sched_features"] = features
    write(name, [(head, end({"domain.NUMA.imb_numa_nr": value}, {"a.score": 10})) for i in range(3)])


def odd(name, argv, values, happened):
    head = header(name[:-6], "6.6.0", argv, [], topology(2, 2))
    write(name, [(head, end({**{k: v[i] for k, v in values.items()},
                             "dmesg.WARNING:at_kernel/sched": happened[i]}, {})) for i in range(3)])


def fsmark(name, commit, files_per_sec):
    runs = []
    for threads, value in files_per_sec.items():
        argv = ["fs_mark", "-t", str(threads), "-d", "/fs"]
        head = header(commit, "4.20.0", argv, [f"nr_threads={threads}"], topology(2, 16))
        runs += [(head, end({"time.elapsed_time": 60}, around({"fsmark.files_per_sec": value}, i)))
                 for i in range(3)]
    write(name, runs)


nodes("nodes-base.jsonl", "889c5d60fb", (3.04, 2.65), (30.0, 25.8), 1910790, (824867, 0.067))
nodes("nodes-new.jsonl", "2cfb7a1b03", (2.39, 2.28), (31.2, 28.9), 1531715, 571652)
imb("imb-base.jsonl", "before", 24, 0, ["TTWU_QUEUE", "NO_HRTICK"], ["SD_OVERLAP"])
imb("imb-new.jsonl", "after", 12, 1, ["TTWU_QUEUE", "HRTICK"], [])
odd("odd-base.jsonl", ["a|b", "`c`"],
    {"from.zero": (0, 0, 0), "mixed.signs": (-1, 2, 5), "base,only\"": (1, 2, 3),
     "same.always": (7, 7, 7), "flat.but_other": (7, 7, 7)}, (0, 0, 1))
odd("odd-new.jsonl", ["a"],
    {"from.zero": (5, 6, 7), "mixed.signs": (4, 4, 4), "new.*only*": (1, 2, 3),
     "same.always": (7, 7, 7), "flat.but_other": (8, 8, 8)}, (1, 1, 1))
fsmark("fsmark-base.jsonl", "e791f8e938",
       {1: 59.74, 2: 114.06, 4: 184.53, 8: 257.05, 16: 306.08, 32: 498.34, 64: 527.29})
fsmark("fsmark-new.jsonl", "0472e47660",
       {1: 59.32, 2: 104.83, 4: 160.29, 8: 217.22, 16: 258.68, 32: 385.33, 64: 407.96})
