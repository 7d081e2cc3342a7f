/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/binding.c - which CPUs this process may use, in words.
 */
#include <hwloc.h>
#include <stdio.h>
#include <string.h>

#include "exec/survey-private.h"
#include <cairn/exec.h>

/* Numbers of the objects of a type that the CPUs touch: "0" or "0,1". */
static void touched(hwloc_topology_t topology, hwloc_const_cpuset_t cpus,
                    hwloc_obj_type_t type, char *text, size_t size) {
  const int count = hwloc_get_nbobjs_by_type(topology, type);
  size_t n = 0;
  text[0] = '\0';
  for (int i = 0; i < count && n + 1 < size; i++) {
    hwloc_obj_t object = hwloc_get_obj_by_type(topology, type, (unsigned)i);
    if (object->cpuset == NULL ||
        !hwloc_bitmap_intersects(object->cpuset, cpus))
      continue;
    const int more = snprintf(text + n, size - n, "%s%u", n > 0 ? "," : "",
                              object->logical_index);
    n += more > 0 ? (size_t)more : 0;
  }
}

static void describe(hwloc_topology_t topology, hwloc_cpuset_t cpus, char *text,
                     size_t size) {
  char list[64], node[24], package[24];
  const int cores =
      hwloc_get_nbobjs_inside_cpuset_by_type(topology, cpus, HWLOC_OBJ_CORE);
  hwloc_bitmap_list_snprintf(list, sizeof list, cpus);
  touched(topology, cpus, HWLOC_OBJ_NUMANODE, node, sizeof node);
  touched(topology, cpus, HWLOC_OBJ_PACKAGE, package, sizeof package);
  int n = snprintf(text, size, "CPUs %s", list);
  if (cores > 0 && n > 0 && (size_t)n < size)
    n += snprintf(text + n, size - (size_t)n, ", %d whole core%s", cores,
                  cores == 1 ? "" : "s");
  if (node[0] != '\0' && n > 0 && (size_t)n < size)
    n += snprintf(text + n, size - (size_t)n, ", NUMA node %s", node);
  if (package[0] != '\0' && n > 0 && (size_t)n < size)
    snprintf(text + n, size - (size_t)n, ", package %s", package);
}

void cairn_exec__binding_text(char *text, size_t size) {
  hwloc_topology_t topology;
  hwloc_cpuset_t cpus = hwloc_bitmap_alloc();
  snprintf(text, size, "CPUs unknown");
  if (cpus != NULL && hwloc_topology_init(&topology) == 0) {
    if (hwloc_topology_load(topology) == 0 &&
        hwloc_get_cpubind(topology, cpus, HWLOC_CPUBIND_PROCESS) == 0)
      describe(topology, cpus, text, size);
    hwloc_topology_destroy(topology);
  }
  hwloc_bitmap_free(cpus);
}
