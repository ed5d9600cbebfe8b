/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loading reads the kernel's BTF twice (libbpf reads its own copy and takes none from us): 5 MB
 * of text that becomes 12 MB of tables each time, most of whose cost is page faults. In between
 * these two calls the heap has that room in one piece, of huge pages where the kernel has them.
 */
#ifndef NT_COLLECT_HEAP_H
#define NT_COLLECT_HEAP_H

void nt_heap_reserve(void);
void nt_heap_release(void);	/* what is free goes back to the kernel */

#endif
