/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/prove/deadlock.c - can a schedule of the program hang?
 *
 * All ranks issue the same order.  Waiting for a message needs its own post
 * here and the matching post on the peers: for a receive the post named by
 * `from`, for a send the posts of all receives that name it (a send is never
 * taken to be buffered).  Claim: if every wait stands after all these posts,
 * nothing hangs.  Take the least position at which a rank is stuck: all ranks
 * get there, all posts before it are made, so by the progress of MPI the wait
 * completes; and GPU work never waits for a message.  Conversely a wait that
 * stands before such a post hangs on every rank.  Some schedule has it so
 * exactly when no path of the program leads from the post to the wait.
 */
#include "dag/program/reach-private.h"
#include "dag/prove/needs-private.h"
#include <cairn/dag.h>

#include <stdlib.h>
#include <string.h>

/* One name in one list of one op. */
typedef struct mention {
  const char *name;
  const char *from; /* of a post: the peers' matching post, or NULL */
  unsigned op;
} mention;

static int by_name(const void *left, const void *right) {
  const mention *const a = left, *const b = right;
  const int order = strcmp(a->name, b->name);
  return order ? order : (a->op > b->op) - (a->op < b->op);
}

static int by_from(const void *left, const void *right) {
  const mention *const a = left, *const b = right;
  const int order = strcmp(a->from ? a->from : "", b->from ? b->from : "");
  return order ? order : by_name(left, right);
}

typedef struct messages {
  mention *post, *match; /* sorted by name; the same sorted by from */
  size_t posts;
} messages;

static const char *from_of(const cairn_dag_op *op, size_t k) {
  if (op->from.count == 0)
    return NULL;
  return op->from.name[op->from.count == 1 ? 0 : k];
}

static cairn_status messages_create(const cairn_dag_program *program,
                                    messages *m) {
  const unsigned ops = cairn_dag_program_ops(program);
  size_t posts = 0;
  for (unsigned i = 0; i < ops; i++)
    posts += cairn_dag_program_op(program, i)->posts.count;
  m->post = cairn_base_alloc(posts, sizeof *m->post);
  m->match = cairn_base_alloc(posts, sizeof *m->match);
  m->posts = 0;
  if (!m->post || !m->match)
    return CAIRN_NOMEM;
  for (unsigned i = 0; i < ops; i++) {
    const cairn_dag_op *const op = cairn_dag_program_op(program, i);
    for (size_t k = 0; k < op->posts.count; k++)
      m->post[m->posts++] = (mention){op->posts.name[k], from_of(op, k), i};
  }
  if (m->posts) {
    memcpy(m->match, m->post, m->posts * sizeof *m->post);
    qsort(m->post, m->posts, sizeof *m->post, by_name);
    qsort(m->match, m->posts, sizeof *m->match, by_from);
  }
  return CAIRN_OK;
}

static void messages_free(messages *m) {
  cairn_base_free(m->post);
  cairn_base_free(m->match);
}

typedef struct need_list {
  cairn_dag_need *need;
  size_t count, capacity;
} need_list;

static cairn_status add_need(need_list *list, cairn_dag_need need) {
  const cairn_status status = cairn_base_reserve(
      &list->need, &list->capacity, list->count + 1, sizeof *list->need);
  if (status == CAIRN_OK && need.wait != need.post)
    list->need[list->count++] = need;
  return status;
}

/* First of the sorted mentions whose key (name, or from) is not below. */
static size_t lower(const mention *list, size_t count, const char *key,
                    int from) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t mid = (low + high) / 2;
    const char *const at = from ? list[mid].from : list[mid].name;
    if (strcmp(at ? at : "", key) < 0)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static cairn_status posts_of(const messages *m, need_list *list,
                             cairn_dag_need need, const char *name) {
  cairn_status status = CAIRN_OK;
  for (size_t i = lower(m->post, m->posts, name, 0);
       status == CAIRN_OK && i < m->posts && !strcmp(m->post[i].name, name);
       i++) {
    need.post = m->post[i].op;
    status = add_need(list, need);
  }
  return status;
}

/* All that the wait of one message needs. */
static cairn_status needs_of(const messages *m, need_list *list, unsigned wait,
                             const char *message) {
  cairn_dag_need need = {wait, 0, 1, message};
  cairn_status status = posts_of(m, list, need, message);
  need.own = 0;
  for (size_t i = lower(m->post, m->posts, message, 0);
       status == CAIRN_OK && i < m->posts && !strcmp(m->post[i].name, message);
       i++)
    if (m->post[i].from)
      status = posts_of(m, list, need, m->post[i].from);
  for (size_t i = lower(m->match, m->posts, message, 1);
       status == CAIRN_OK && i < m->posts && m->match[i].from &&
       !strcmp(m->match[i].from, message);
       i++) {
    need.post = m->match[i].op;
    status = add_need(list, need);
  }
  return status;
}

static int by_wait(const void *left, const void *right) {
  const cairn_dag_need *const a = left, *const b = right;
  if (a->wait != b->wait)
    return a->wait < b->wait ? -1 : 1;
  if (a->post != b->post)
    return a->post < b->post ? -1 : 1;
  return b->own - a->own;
}

cairn_status cairn_dag__needs_create(const cairn_dag_program *program,
                                     cairn_dag_need **list_p, size_t *count_p) {
  messages m = {0};
  need_list list = {0};
  cairn_status status = messages_create(program, &m);
  const unsigned ops = cairn_dag_program_ops(program);
  for (unsigned i = 0; status == CAIRN_OK && i < ops; i++) {
    const cairn_dag_names waits = cairn_dag_program_op(program, i)->waits;
    for (size_t k = 0; status == CAIRN_OK && k < waits.count; k++)
      status = needs_of(&m, &list, i, waits.name[k]);
  }
  messages_free(&m);
  if (status != CAIRN_OK) {
    cairn_base_free(list.need);
    return status;
  }
  if (list.count)
    qsort(list.need, list.count, sizeof *list.need, by_wait);
  size_t kept = 0; /* each pair once */
  for (size_t i = 0; i < list.count; i++)
    if (kept == 0 || list.need[kept - 1].wait != list.need[i].wait ||
        list.need[kept - 1].post != list.need[i].post)
      list.need[kept++] = list.need[i];
  *list_p = list.need;
  *count_p = kept;
  return CAIRN_OK;
}

cairn_status cairn_dag_program_deadlocks(const cairn_dag_program *program,
                                         cairn_dag_deadlock **list_p,
                                         size_t *count_p) {
  cairn_dag_reach reach;
  cairn_status status = cairn_dag__reach_create(program, &reach);
  if (status != CAIRN_OK)
    return status;
  cairn_dag_need *list = NULL;
  size_t count = 0, kept = 0;
  status = cairn_dag__needs_create(program, &list, &count);
  for (size_t i = 0; i < count; i++)
    if (!cairn_dag__reaches(&reach, list[i].post, list[i].wait))
      list[kept++] = list[i];
  cairn_dag__reach_free(&reach);
  if (status == CAIRN_OK) {
    *list_p = list;
    *count_p = kept;
  }
  return status;
}

cairn_status cairn_dag_program_deadlock_free(const cairn_dag_program *program,
                                             cairn_base_diag *diag) {
  cairn_dag_deadlock *list;
  size_t count;
  const cairn_status status =
      cairn_dag_program_deadlocks(program, &list, &count);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < count; i++) {
    const cairn_dag_op *const wait =
        cairn_dag_program_op(program, list[i].wait);
    const char *const post = cairn_dag_program_op(program, list[i].post)->name;
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, wait->file, wait->line,
                        "%s waits for \"%s\" and can stand before %s, which %s "
                        "post: a schedule can deadlock; add %s to the 'after' "
                        "of %s",
                        wait->name, list[i].message, post,
                        list[i].own ? "is its" : "is the peers' matching", post,
                        wait->name);
  }
  cairn_base_free(list);
  return count ? CAIRN_INPUT : CAIRN_OK;
}
