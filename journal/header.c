/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/header.c - reads a journal's header.
 * Invariant: its arrays of strings stand in the list of the run, which does not
 * grow after the header.
 */
#include "journal/journal-private.h"
#include "journal/read-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

#include <inttypes.h>
#include <string.h>

/* Lists are counted while they are read; arrays are pointed at afterwards. */
typedef struct header_line {
  cairn_journal_header header;
  size_t params_at, hosts_at, devices_at;
} header_line;

static int read_program_member(cairn_dag__line *l, size_t which, void *out) {
  cairn_journal_header *const h = out;
  return cairn_journal__read_text(l, which == 0   ? &h->program_name
                                     : which == 1 ? &h->program_digest
                                                  : &h->program_graph);
}

static int read_program(cairn_dag__line *l, cairn_journal_header *header) {
  char *name;
  int first = 1, more;
  if (!cairn_journal__json_take(&l->json, '{'))
    return cairn_journal__json_expected(&l->json, "an object");
  while ((more = cairn_journal__json_member(&l->json, &first, &name)) > 0) {
    const int known = strcmp(name, "name") == 0     ? 0
                      : strcmp(name, "digest") == 0 ? 1
                      : strcmp(name, "graph") == 0  ? 2
                                                    : -1;
    if (known < 0 ? !cairn_journal__json_skip(&l->json)
                  : !read_program_member(l, (size_t)known, header))
      return 0;
  }
  return more == 0;
}

static int read_format(cairn_dag__line *l) {
  uint64_t format;
  if (!cairn_journal__json_whole(&l->json, UINT32_MAX, &format))
    return 0;
  if (format == CAIRN_JOURNAL_FORMAT)
    return 1;
  return cairn_journal__json_fail(&l->json,
                                  "expected format %d, found format %" PRIu64,
                                  CAIRN_JOURNAL_FORMAT, format);
}

static int read_gpu_aware(cairn_dag__line *l, int *aware_p) {
  *aware_p = cairn_journal__json_word(&l->json, "true")    ? 1
             : cairn_journal__json_word(&l->json, "false") ? 0
             : cairn_journal__json_word(&l->json, "null")  ? -1
                                                           : -2;
  return *aware_p > -2 ||
         cairn_journal__json_expected(&l->json, "true, false or null");
}

static int read_header_member(cairn_dag__line *l, size_t which, void *out) {
  header_line *const x = out;
  cairn_journal_header *const h = &x->header;
  switch (which) {
  case 0:
    return read_format(l);
  case 1:
    return cairn_journal__read_text(l, &h->cairn);
  case 2:
    return read_program(l, h);
  case 3:
    x->params_at = l->r->list_count;
    return cairn_journal__read_params(l, &h->params);
  case 4:
    return cairn_journal__read_count(l, &h->ranks);
  case 5:
    x->hosts_at = l->r->list_count;
    return cairn_journal__read_list(l, &h->hosts);
  case 6:
    return cairn_journal__read_text(l, &h->backend);
  case 7:
    x->devices_at = l->r->list_count;
    return cairn_journal__read_list(l, &h->devices);
  case 8:
    return cairn_journal__read_text(l, &h->driver);
  case 9:
    return cairn_journal__read_text(l, &h->mpi);
  case 10:
    return read_gpu_aware(l, &h->gpu_aware);
  case 11:
    return cairn_journal__read_count(l, &h->streams);
  case 12:
    return cairn_journal__read_text(l, &h->sync);
  case 13:
    return cairn_journal__read_text(l, &h->strategy);
  case 14:
    return cairn_journal__read_seed(l, &h->seed);
  case 15:
    return cairn_journal__read_text(l, &h->objective);
  default:
    return cairn_journal__read_facts(l, &h->facts);
  }
}

/* Turns the lists that were gathered into the arrays of the header. */
static int header_arrays(cairn_dag__line *l, header_line *x) {
  cairn_dag__reader *const r = l->r;
  cairn_journal_header *const h = &x->header;
  const size_t before = r->list_count, params = h->params;
  /* names and values of parameters apart */
  for (size_t part = 0; part < 2; part++)
    for (size_t i = 0; i < params; i++)
      if (!cairn_journal__list_add(l, r->list[x->params_at + 2 * i + part]))
        return 0;
  h->param_name = params ? r->list + before : NULL;
  h->param_value = params ? r->list + before + params : NULL;
  h->host = h->hosts ? r->list + x->hosts_at : NULL;
  h->device = h->devices ? r->list + x->devices_at : NULL;
  return 1;
}

int cairn_journal__read_header(cairn_dag__line *l) {
  static const char *const members[] = {
      "format",  "cairn",    "program", "params",    "ranks",     "hosts",
      "backend", "devices",  "driver",  "mpi",       "gpu_aware", "streams",
      "sync",    "strategy", "seed",    "objective", "facts"};
  static const cairn_dag__record header_record = {members, 17, 1,
                                                  read_header_member};
  header_line x = {.header.gpu_aware = -1};
  l->r->header_fact = l->r->fact_count;
  if (!cairn_journal__read_record(l, &header_record, &x) ||
      !header_arrays(l, &x))
    return 0;
  if (!x.header.objective)
    x.header.objective = "p10";
  if (!x.header.cairn)
    x.header.cairn = "unknown";
  l->r->run.header = x.header;
  l->r->has_header = 1;
  return 1;
}
