/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/load.c - the ranks' processors while we measure: may each still use its
 * own, and who else does?
 *
 * Each rank looks between samples, never in one.  Somebody may move ranks at
 * any time, so what was seen at the start is not enough.  Nothing is refused
 * for it: it is told, and journals say so beside each number.
 */
#include "exec/drive-private.h"
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define EVERY_NS 200000000 /* between two looks */
#define CENSUS_NS 1000000000
#define CENSUS_SHARE 100 /* a census takes at most 1 % of the time */

/* Who is where, of all ranks. */
typedef struct place {
  uint64_t host;
  int64_t pid;
} place;

struct cairn_exec_looker {
  int64_t next_ns, census_ns;
  struct cairn_exec_census *census; /* first rank of a host, else NULL */
  place *place;                     /* by rank */
  int64_t *here;                    /* pids of the ranks of this host */
  size_t here_count;
  cpu_set_t *mask; /* rank 0: of each rank, as last heard */
  char *known;     /* rank 0: has it told? */
};

/* ---- who we are ---- */

static cairn_status make(cairn_exec *exec) {
  const size_t ranks = (size_t)exec->place.ranks;
  struct cairn_exec_looker *l = cairn_base_zalloc(1, sizeof *l);
  exec->looker = l;
  if (l == NULL)
    return CAIRN_NOMEM;
  l->place = cairn_base_zalloc(ranks, sizeof *l->place);
  l->here = cairn_base_zalloc(ranks, sizeof *l->here);
  if (exec->place.local_rank == 0)
    l->census = cairn_exec__census_create();
  if (exec->place.rank == 0) {
    l->mask = cairn_base_zalloc(ranks, sizeof *l->mask);
    l->known = cairn_base_zalloc(ranks, 1);
    if (l->mask == NULL || l->known == NULL)
      return CAIRN_NOMEM;
  }
  return l->place && l->here && (l->census || exec->place.local_rank != 0)
             ? CAIRN_OK
             : CAIRN_NOMEM;
}

cairn_status cairn_exec__load_open(cairn_exec *exec, cairn_base_diag *diag) {
  (void)diag;
  char host[256] = "";
  cairn_status status = cairn_exec_world_agree(exec->world, make(exec), NULL);
  if (status != CAIRN_OK)
    return status;
  struct cairn_exec_looker *l = exec->looker;
  const size_t ranks = (size_t)exec->place.ranks;
  gethostname(host, sizeof host - 1);
  const place mine = {XXH3_64bits(host, strlen(host)), getpid()};
  status = cairn_exec__comm_gather(exec->world, &mine, sizeof mine, l->place);
  if (status == CAIRN_OK)
    status = cairn_exec__comm_bcast(exec->world, l->place,
                                    ranks * sizeof *l->place, 0);
  for (size_t r = 0; r < ranks && status == CAIRN_OK; r++)
    if (l->place[r].host == mine.host)
      l->here[l->here_count++] = l->place[r].pid;
  return status;
}

void cairn_exec__load_close(cairn_exec *exec) {
  struct cairn_exec_looker *l = exec->looker;
  if (l == NULL)
    return;
  cairn_exec__census_free(l->census);
  cairn_base_free(l->place);
  cairn_base_free(l->here);
  cairn_base_free(l->mask);
  cairn_base_free(l->known);
  cairn_base_free(l);
  exec->looker = NULL;
}

/* ---- each rank ---- */

/* CPUs that the ranks of this host may use now. */
static void our_cpus(const struct cairn_exec_looker *l, cpu_set_t *ours) {
  CPU_ZERO(ours);
  for (size_t i = 0; i < l->here_count; i++) {
    cpu_set_t one;
    if (sched_getaffinity((pid_t)l->here[i], sizeof one, &one) == 0)
      CPU_OR(ours, ours, &one);
  }
}

static void take_census(struct cairn_exec_looker *l, cairn_exec_look *look) {
  const int64_t begin = cairn_base__now_ns();
  cpu_set_t ours;
  our_cpus(l, &ours);
  cairn_exec__census_read(l->census, l->here, l->here_count, &ours,
                          (double)l->here_count, look);
  const int64_t now = cairn_base__now_ns();
  const int64_t pause = CENSUS_SHARE * (now - begin);
  l->census_ns = now + (pause > CENSUS_NS ? pause : CENSUS_NS);
}

void cairn_exec__load_look(cairn_exec *exec, cairn_exec_reply *reply) {
  struct cairn_exec_looker *l = exec->looker;
  cairn_exec_look *look = &reply->look;
  const int64_t now = cairn_base__now_ns();
  if (l == NULL || now < l->next_ns)
    return;
  l->next_ns = now + EVERY_NS;
  if (sched_getaffinity(0, sizeof look->mask, &look->mask) != 0)
    return;
  look->looked = 1;
  if (l->census != NULL && now >= l->census_ns)
    take_census(l, look);
}

/* ---- rank 0 ---- */

/* Ranks of one host that may use no more than rank r's CPUs and are more than
 * these: who they are, in words.  0: there is room for each. */
static int crowded(const struct cairn_exec_looker *l, size_t ranks, size_t r,
                   char *text, size_t size) {
  size_t crowd = 0, first = r, second = r;
  for (size_t i = 0; i < ranks; i++) {
    cpu_set_t both;
    if (!l->known[i] || l->place[i].host != l->place[r].host)
      continue;
    CPU_AND(&both, &l->mask[i], &l->mask[r]);
    if (!CPU_EQUAL(&both, &l->mask[i])) /* it can run elsewhere */
      continue;
    if (crowd == 0)
      first = i;
    else if (crowd == 1)
      second = i;
    crowd++;
  }
  const int cpus = CPU_COUNT(&l->mask[r]);
  if (cpus == 0 || crowd <= (size_t)cpus)
    return 0;
  int cpu = 0;
  while (!CPU_ISSET(cpu, &l->mask[r]))
    cpu++;
  int n = crowd == 2
              ? snprintf(text, size, "ranks %zu and %zu on ", first, second)
              : snprintf(text, size, "ranks %zu, %zu and %zu more on ", first,
                         second, crowd - 2);
  if (cpus == 1)
    snprintf(text + n, size - (size_t)n, "CPU %d", cpu);
  else
    snprintf(text + n, size - (size_t)n, "%d CPUs (%d, ...)", cpus, cpu);
  return 1;
}

static void look_for_crowds(cairn_exec *exec) {
  const struct cairn_exec_looker *l = exec->looker;
  const size_t ranks = (size_t)exec->place.ranks;
  exec->load.looks++;
  exec->info.oversubscribed = 0;
  for (size_t r = 0; r < ranks && !exec->info.oversubscribed; r++)
    exec->info.oversubscribed =
        l->known[r] &&
        crowded(l, ranks, r, exec->load.sharing, sizeof exec->load.sharing);
  exec->load.shared += exec->info.oversubscribed != 0;
}

void cairn_exec__load_hear(cairn_exec *exec) {
  struct cairn_exec_looker *l = exec->looker;
  int news = 0;
  for (int r = 0; l != NULL && r < exec->place.ranks; r++) {
    const cairn_exec_look *look = &exec->replies[r].look;
    if (!look->looked)
      continue;
    news = 1;
    l->known[r] = 1;
    l->mask[r] = look->mask;
    exec->load.disturbed += look->strangers > 0;
    if (look->stranger > exec->load.stranger) {
      exec->load.stranger = look->stranger;
      memcpy(exec->load.strangest, look->strangest,
             sizeof exec->load.strangest);
    }
  }
  if (news)
    look_for_crowds(exec);
}

cairn_exec_load cairn_exec_load_report(cairn_exec *exec) {
  const cairn_exec_load seen = exec->load;
  exec->load = (cairn_exec_load){0};
  return seen;
}

void cairn_exec__load_add(cairn_exec_load *sum, const cairn_exec_load *more) {
  sum->samples += more->samples;
  sum->lost += more->lost;
  sum->stopped += more->stopped;
  sum->looks += more->looks;
  sum->shared += more->shared;
  sum->disturbed += more->disturbed;
  if (more->shared > 0)
    memcpy(sum->sharing, more->sharing, sizeof sum->sharing);
  if (more->stranger > sum->stranger) {
    sum->stranger = more->stranger;
    memcpy(sum->strangest, more->strangest, sizeof sum->strangest);
  }
}
