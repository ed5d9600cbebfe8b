# SPDX-License-Identifier: GPL-2.0-or-later
"""/proc/schedstat, versions 15 (to 6.9), 16 (6.10: busy before idle) and 17 (6.14: a name before
the mask, lb_imbalance in four)."""

KEYS = {8: ("count", "balanced", "failed", "imbalance", "gained", "hot_gained", "nobusyq",
            "nobusyg"),
        11: ("count", "balanced", "failed", "load", "util", "task", "misfit", "gained",
             "hot_gained", "nobusyq", "nobusyg")}


def parse(text):
    """{(cpu, depth, idle type): {key: count}}"""
    out, version, cpu = {}, 0, None
    for line in text.splitlines():
        word = line.split()
        if word[0] == "version":
            version = int(word[1])
        elif word[0].startswith("cpu"):
            cpu = int(word[0][3:])
        elif word[0].startswith("domain"):
            values = list(map(int, word[3 if version >= 17 else 2:]))
            n = 11 if version >= 17 else 8
            order = ("busy", "idle", "newidle") if version >= 16 else ("idle", "busy", "newidle")
            for i, idle in enumerate(order):
                out[cpu, int(word[0][6:]), idle] = dict(zip(KEYS[n], values[i * n:]))
    return out


def passed(before, after, level_of):
    """What was counted between two readings: {(level, idle type): {key: count}}."""
    out = {}
    for (cpu, depth, idle), counts in after.items():
        row = out.setdefault((level_of(cpu, depth), idle), {})
        was = before.get((cpu, depth, idle), {})
        for key, value in counts.items():
            row[key] = row.get(key, 0) + value - was.get(key, 0)
    return out
