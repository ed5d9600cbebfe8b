#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold what guest-domains.sh left against the kernel's own files. Prints TAP.

usage: check_domains.py [--partitions root,isolated] [--isolated CPUS] [--values CPU=W:V,...] DIR

--partitions  the cpuset partitions of CPUs 2-3 that this kernel must have made
--isolated    CPUs that must be in no domain as booted
--values      imb_numa_nr of that CPU by weight of the level, as known from elsewhere
"""
import argparse
import json
import os
import re
import sys

number = 0
failed = 0


def ok(good, what, why=""):
    global number, failed
    number += 1
    failed += not good
    print(f"{'' if good else 'not '}ok {number} - {what}")
    if not good and why:
        print(f"# {why}")


def text(*path):
    with open(os.path.join(*path)) as f:
        return f.read()


def cpus(listing):
    out = set()
    for part in filter(None, listing.strip().split(",")):
        first, _, last = part.partition("-")
        out.update(range(int(first), int(last or first) + 1))
    return out


def mask(words):
    value = int(words.replace(",", ""), 16)
    return {cpu for cpu in range(value.bit_length()) if value >> cpu & 1}


def ours(doc):
    """{cpu: [domain]}; CPUs in no domain have an empty list."""
    out = {}
    for chain in doc["chains"]:
        for cpu in cpus(chain["cpus"]):
            assert cpu not in out, f"CPU {cpu} is in two chains"
            out[cpu] = chain["domains"]
    return out


def theirs(listing):
    """{cpu: [{name, flags, level}]} of the kernel's domain directory."""
    out = {}
    for line in listing.splitlines():
        m = re.match(r"\./cpu(\d+)/domain(\d+)/(\w+):(.*)", line)
        if m:
            cpu, depth, key, value = int(m[1]), int(m[2]), m[3], m[4].strip()
            out.setdefault(cpu, {}).setdefault(depth, {})[key] = value
    return {cpu: [d[i] for i in sorted(d)] for cpu, d in out.items()}


def masks(listing):
    """{cpu: [span]} of /proc/schedstat, whose version 17 puts a name before the mask."""
    out, cpu = {}, None
    for line in listing.splitlines():
        word = line.split()
        if word[0].startswith("cpu"):
            cpu = int(word[0][3:])
            out[cpu] = []
        else:
            named = re.fullmatch(r"[A-Z]+", word[1])
            out[cpu].append(mask(word[2] if named else word[1]))
    return out


def values(chains):
    return {c: [(d["name"], d["span_weight"], d.get("imb_numa_nr"), d.get("expected")) for d in l]
            for c, l in chains.items()}


def compare_files(name, chains, kernel):
    ok(set(kernel) == {c for c, l in chains.items() if l}, f"{name}: CPUs with domains",
       f"{sorted(kernel)}")
    same = {c: [d["name"] for d in chains[c]] == [d["name"] for d in l]
            for c, l in kernel.items()}
    ok(kernel and all(same.values()), f"{name}: number of levels and their names", str(same))
    same = {c: [d.get("flag_names") for d in chains[c]] == [d["flags"].split() for d in l]
            for c, l in kernel.items()}
    ok(kernel and all(same.values()), f"{name}: flags by name", str(same))
    if all("level" in d for l in kernel.values() for d in l):
        same = {c: [d["level"] for d in chains[c]] == [int(d["level"]) for d in l]
                for c, l in kernel.items()}
        ok(kernel and all(same.values()), f"{name}: sd->level", str(same))


def compare_masks(name, chains, spans):
    ok({c: [d["span_weight"] for d in l] for c, l in chains.items()} ==
       {c: [len(s) for s in l] for c, l in spans.items()}, f"{name}: weights of /proc/schedstat",
       str(spans))
    wrong = [(c, i) for c, l in chains.items() for i, d in enumerate(l)
             if d["span"] is not None and cpus(d["span"]) != spans[c][i]]
    known = sum(d["span"] is not None for l in chains.values() for d in l)
    ok(not wrong and (known or not any(spans.values())),
       f"{name}: {known} spans of /proc/schedstat", str(wrong))
    roots = {frozenset(l[-1]) for l in spans.values() if l}
    return roots


def compare_expected(name, doc, chains, release):
    has = [d for l in chains.values() for d in l if "imb_numa_nr" in d]
    levels = sum(len(l) for l in chains.values())
    if release < (5, 18):
        ok(not has and doc["formula"]["why_not"] == "imb_numa_nr is not in this kernel",
           f"{name}: no imb_numa_nr in this kernel")
        return
    ok(len(has) == levels and all(d["imb_numa_nr"] == d.get("expected") for d in has) and
       doc["formula"]["finding"] is None,
       f"{name}: imb_numa_nr of {levels} domains is the expected one", str(values(chains)))


def look(folder, name, release):
    """Everything about one moment; the chains by CPU."""
    ok(text(folder, name, "status") == "0\n", f"{name}: status 0", text(folder, name, "err"))
    doc = json.loads(text(folder, name, "domains.json"))
    chains = ours(doc)
    ok(set(chains) == cpus(text(folder, name, "online")), f"{name}: every CPU on line")
    compare_files(name, chains, theirs(text(folder, name, "kernel")))
    spans = masks(text(folder, name, "schedstat"))
    roots = compare_masks(name, chains, spans)
    ok({frozenset(cpus(d["cpus"])) for d in doc["root_domains"]} == roots,
       f"{name}: {len(roots)} root domains", str(doc["root_domains"]))
    ok(cpus(doc["no_domain"]) == {c for c, l in spans.items() if not l},
       f"{name}: CPUs in no domain: '{doc['no_domain']}'")
    compare_expected(name, doc, chains, release)
    return doc, chains


def check_partition(folder, kind, release):
    doc, chains = look(folder, f"partition-{kind}", release)
    table = text(folder, f"partition-{kind}", "table")
    if kind == "isolated":
        ok(cpus(doc["no_domain"]) == {2, 3} and "2-3: none" in table,
           "partition isolated: CPUs 2-3 are in no domain")
    else:
        ok({"cpus": "2-3", "numa": False} in doc["root_domains"] and
           len(doc["root_domains"]) == 2 and all(len(chains[c]) == 1 for c in (2, 3)) and
           "root domain 2-3 has no level between nodes" in table,
           "partition root: CPUs 2-3 are a root domain of their own, without a NUMA level")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--partitions", default="")
    p.add_argument("--isolated", default="")
    p.add_argument("--values", action="append", default=[])
    p.add_argument("folder")
    a = p.parse_args()
    release = tuple(map(int, re.match(r"(\d+)\.(\d+)", text(a.folder, "release")).groups()))

    boot, chains = look(a.folder, "boot", release)
    ok(cpus(boot["no_domain"]) == cpus(a.isolated), f"isolated at boot: '{a.isolated}'")
    for known in a.values:
        cpu, _, pairs = known.partition("=")
        want = {int(w): int(v) for w, v in (pair.split(":") for pair in pairs.split(","))}
        have = {d["span_weight"]: d["imb_numa_nr"] for d in chains[int(cpu)]}
        ok(have == want, f"CPU {cpu}: the known values {pairs}", str(have))
    ok(json.loads(text(a.folder, "record.json")) == boot, "a record prints the same")
    err = text(a.folder, "user.err")
    ok(text(a.folder, "user.status") == "125\n" and err.count("\n") == 1 and "root" in err and
       not text(a.folder, "user.out"), "a user without privileges gets one line, status 125", err)
    for kind in filter(None, a.partitions.split(",")):
        check_partition(a.folder, kind, release)
    if a.partitions:
        _, again = look(a.folder, "member", release)
        ok(values(again) == values(chains), "without a partition all is as it was")
    print(f"1..{number}")
    return failed > 0


sys.exit(main())
