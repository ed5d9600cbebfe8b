# SPDX-License-Identifier: GPL-2.0-or-later
"""Offsets of struct members, out of a kernel's BTF."""
import struct

PLAIN = {1: 4, 3: 12, 14: 4, 17: 4}     # kinds with extra data of a fixed size
EACH = {4: 12, 5: 12, 6: 8, 13: 8, 15: 12, 19: 12}  # and of one for each of vlen


def offsets(data, wanted):
    """{struct: {member: byte offset}} of the structs named, members of nameless unions left out."""
    magic, _, _, head, type_off, type_len, str_off, _ = struct.unpack_from("<HBBIIIII", data)
    assert magic == 0xeb9f
    at, end, names = head + type_off, head + type_off + type_len, head + str_off
    out = {}

    def name(offset):
        return data[names + offset:data.index(b"\0", names + offset)].decode()
    while at < end:
        name_off, info, _ = struct.unpack_from("<III", data, at)
        kind, vlen, flag = info >> 24 & 0x1f, info & 0xffff, info >> 31
        at += 12
        if kind == 4 and name(name_off) in wanted:
            members = {}
            for i in range(vlen):
                member, _, bits = struct.unpack_from("<III", data, at + 12 * i)
                members[name(member)] = (bits & 0xffffff if flag else bits) // 8
            out.setdefault(name(name_off), members)
        at += EACH[kind] * vlen if kind in EACH else PLAIN.get(kind, 0)
    return out
