/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-plugin.c - the file of a plugin: as headers of a shared
 * object, and as the struct that it exports (integers from the input, each
 * pointer NULL or good by a bit of it).
 */
#include "tests/fuzz/fuzz.h"
#include <cairn/exec.h>

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "exec/exec-private.h"

typedef struct memory {
  const uint8_t *data;
  size_t size;
} memory;

static int read_memory(void *from, void *data, size_t length, uint64_t offset) {
  const memory *const m = from;
  if (offset > m->size || length > m->size - offset)
    return 0;
  if (length > 0)
    memcpy(data, m->data + offset, length);
  return 1;
}

/* All that the program headers promise is there, counted another way. */
static int is_whole(const uint8_t *data, size_t size) {
  ElfW(Ehdr) h;
  ElfW(Phdr) s;
  memcpy(&h, data, sizeof h);
  for (unsigned i = 0; i < h.e_phnum; i++) {
    const __int128 at = (__int128)h.e_phoff + (__int128)i * sizeof s;
    if (at + (__int128)sizeof s > (__int128)size)
      return 0;
    memcpy(&s, data + (size_t)at, sizeof s);
    if (s.p_type == PT_LOAD &&
        (__int128)s.p_offset + s.p_filesz > (__int128)size)
      return 0;
  }
  return 1;
}

static void try_image(const uint8_t *data, size_t size) {
  memory m = {data, size};
  const cairn_exec_image image = {read_memory, &m, size};
  const char *const problem = cairn_exec__plugin_image_problem(&image, NULL);
  if (problem == NULL)
    fuzz_promise(is_whole(data, size), "what is not whole is taken");
  else
    fuzz_promise(problem[0] != '\0', "refused without a reason");
  fuzz_promise(size > 0 || problem != NULL, "nothing is a plugin");
}

static int setup(const cairn_op_params *params, const void *comm, int gpu_aware,
                 void **state_p, char *message, size_t size) {
  (void)params, (void)comm, (void)gpu_aware, (void)state_p, (void)message;
  return (int)size;
}
static void poison(void *state) { (void)state; }
static int verify(void *state, char *message, size_t size) {
  (void)state, (void)message;
  return (int)size;
}

/* In a block as large as the struct says that it is, so that a look beyond
 * shows. */
static void try_struct(const uint8_t *data, size_t size) {
  static const cairn_op_function ops[] = {{"a", CAIRN_OP_CPU, NULL}};
  cairn_op_plugin p = {0};
  memcpy(&p, data, size < 16 ? size : 16);
  const unsigned bits = size > 16 ? data[16] : 0;
  p.mpi = bits & 1 ? "mpich" : bits & 2 ? "openmpi" : NULL;
  p.setup = bits & 4 ? setup : NULL;
  p.ops = bits & 8 ? ops : NULL;
  p.ops_count = bits >> 4 & 1;
  p.poison = bits & 32 ? poison : NULL;
  p.verify = bits & 64 ? verify : NULL;
  const size_t room = p.size < 16 ? 16 : p.size < sizeof p ? p.size : sizeof p;
  cairn_op_plugin *const exact = malloc(room);
  cairn_base_diag *diag = NULL;
  if (!exact || cairn_base_diag_create(0, &diag) != CAIRN_OK)
    abort();
  memcpy(exact, &p, room);
  const cairn_status status =
      cairn_exec__plugin_check(exact, "mpich", "x", diag);
  const int good = p.magic == CAIRN_OP_MAGIC && p.abi_major == 1 &&
                   p.abi_minor == 0 && p.size >= sizeof p &&
                   p.op_size >= sizeof *ops && p.op_size % 8 == 0 &&
                   (bits & 3) != 2 && (bits & 28) == 28 &&
                   (bits >> 5 & 1) == (bits >> 6 & 1);
  fuzz_promise((status == CAIRN_OK) == good, "the wrong answer");
  fuzz_promise((status == CAIRN_OK) == (cairn_base_diag_errors(diag) == 0),
               "refused without a message, or taken with one");
  cairn_base_diag_free(diag);
  free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try_image(data, size);
  try_struct(data, size);
  return 0;
}
