/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-journal.c - journals, as they come and with all checksums
 * made right (or the fuzzer would never get past them).
 */
#include "tests/fuzz/fuzz.h"

#include <inttypes.h>
#include <string.h>

#include <cairn/dag.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void use(const cairn_dag_run *run) {
  size_t bytes = 0;
  for (size_t i = 0; i < run->results; i++) {
    bytes += strlen(run->result[i].schedule);
    for (size_t k = 0; k < run->result[i].facts; k++)
      bytes += strlen(run->result[i].fact[k].name);
  }
  for (size_t i = 0; i < run->begun_count; i++)
    bytes += strlen(run->begun[i].schedule);
  for (size_t i = 0; i < run->header.params; i++)
    bytes +=
        strlen(run->header.param_name[i]) + strlen(run->header.param_value[i]);
  for (size_t i = 0; i < run->header.hosts; i++)
    bytes += strlen(run->header.host[i]);
  fuzz_promise(bytes < SIZE_MAX, "never");
}

static void read_it(const uint8_t *data, size_t size, unsigned flags) {
  cairn_dag_run *run = NULL;
  const cairn_status status =
      cairn_dag_run_read(fuzz_file(data, size), flags, NULL, &run);
  fuzz_promise(status == CAIRN_OK || status == CAIRN_INPUT, "a wrong status");
  if (status == CAIRN_OK)
    use(run);
  cairn_dag_run_free(run);
}

/* A line that ends with '}' gets its checksum. */
static void seal_line(cairn_base_text *out, const char *line, size_t length) {
  if (length > 1 && line[length - 1] == '}') {
    cairn_base_text_add_bytes(out, line, length - 1);
    cairn_base_text_addf(out, ",\"x\":\"%016" PRIx64 "\"}",
                         (uint64_t)XXH3_64bits(line, length - 1));
  } else {
    cairn_base_text_add_bytes(out, line, length);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *at = (const char *)data, *const end = at + size;
  cairn_base_text sealed = {0};
  read_it(data, size, CAIRN_DAG_RUN_SALVAGE | CAIRN_DAG_RUN_UNBORN);
  cairn_base_text_add(&sealed, "");
  while (at < end) {
    const char *const newline = memchr(at, '\n', (size_t)(end - at));
    const char *const stop = newline ? newline : end;
    seal_line(&sealed, at, (size_t)(stop - at));
    cairn_base_text_add(&sealed, newline ? "\n" : "");
    at = stop + 1;
  }
  read_it((const uint8_t *)sealed.data, sealed.length, CAIRN_DAG_RUN_STRICT);
  cairn_base_text_free(&sealed);
  return 0;
}
