/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/capture-map.c - which op of the program a captured call means.
 *
 * Invariant: requests[r] is the op that posted request r, with the message, as
 * long as the log's numbers of requests go up.
 */
#include "dag/program/program-private.h"
#include "lint/calls-private.h"
#include <cairn/lint.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct rule {
  const char *name; /* up to its '=' or '#' */
  size_t length;
  unsigned long which; /* 0: all */
  unsigned op;
  unsigned long seen; /* calls of this name in this iteration */
} rule;

typedef struct posted {
  unsigned op;    /* CAIRN_DAG_NO_OP: not mapped */
  size_t message; /* index in its posts; SIZE_MAX: all */
  unsigned long request;
} posted;

typedef struct mapper {
  const cairn_dag_program *program;
  const char *path;
  cairn_base_diag *diag;
  rule *rules;
  size_t rules_count;
  cairn_lint_mapped *mapped; /* by rule */
  posted *request;
  size_t requests, requests_room;
  unsigned only_send, only_recv;
  const char **ignored; /* names already noted */
  size_t ignored_count, ignored_room;
  cairn_dag_takens *out;
  uint64_t *in_iteration; /* ops seen since it began, to restart `seen` */
  unsigned last_op;       /* of the last item, or CAIRN_DAG_NO_OP */
} mapper;

/* The identifier in a C++ symbol: the last component of _ZN..E or of _Z<n>. */
static void plain_name(const char *symbol, const char **name, size_t *length) {
  *name = symbol;
  *length = strlen(symbol);
  if (strncmp(symbol, "_Z", 2) != 0)
    return;
  const char *at = symbol + 2;
  const int nested = *at == 'N';
  at += nested;
  at += strspn(at, "LKV"); /* static, const */
  while (cairn_base_is_digit(*at)) {
    char *end;
    const unsigned long n = strtoul(at, &end, 10);
    if (n == 0 || n > strlen(end))
      return;
    *name = end;
    *length = n;
    at = end + n;
    if (!nested)
      return;
  }
}

static int same(const char *call, const char *name, size_t length) {
  const char *plain;
  size_t plain_length;
  if (strlen(call) == length && strncmp(call, name, length) == 0)
    return 1;
  plain_name(call, &plain, &plain_length);
  return plain_length == length && strncmp(plain, name, length) == 0;
}

static cairn_status add_rule(mapper *m, const char *text) {
  rule r = {.name = text};
  const char *const equals = strchr(text, '=');
  if (!equals || equals == text) {
    cairn_base_diag_error(m->diag, "--map \"%s\": expected NAME=OP", text);
    return CAIRN_USAGE;
  }
  const char *const mark = memchr(text, '#', (size_t)(equals - text));
  r.length = (size_t)((mark ? mark : equals) - text);
  r.which = mark ? strtoul(mark + 1, NULL, 10) : 0;
  r.op = cairn_dag__program_find(m->program, equals + 1);
  if (r.op == UINT_MAX || r.op == 0 ||
      r.op == cairn_dag_program_ops(m->program) - 1) {
    cairn_base_diag_error(m->diag, "--map \"%s\": the program has no op \"%s\"",
                          text, equals + 1);
    return CAIRN_USAGE;
  }
  m->rules[m->rules_count++] = r;
  return CAIRN_OK;
}

/* The only op that posts sends (receive: that posts receives), if there is
 * just one. */
static unsigned only_poster(const cairn_dag_program *program, int receive) {
  unsigned found = CAIRN_DAG_NO_OP;
  for (unsigned i = 0; i < cairn_dag_program_ops(program); i++) {
    const cairn_dag_op *const op = cairn_dag_program_op(program, i);
    if (op->posts.count == 0 || (op->from.count > 0) != receive)
      continue;
    if (found != CAIRN_DAG_NO_OP)
      return CAIRN_DAG_NO_OP;
    found = i;
  }
  return found;
}

/* The op that this call means, or CAIRN_DAG_NO_OP. */
static unsigned op_of(mapper *m, const char *name) {
  unsigned op = CAIRN_DAG_NO_OP;
  for (size_t i = 0; i < m->rules_count; i++) {
    rule *const r = &m->rules[i];
    if (!same(name, r->name, r->length))
      continue;
    r->seen++;
    if (r->seen > m->mapped[i].calls)
      m->mapped[i].calls = r->seen;
    if (r->which != 0 && r->which != r->seen)
      continue;
    m->mapped[i].used = 1;
    if (op == CAIRN_DAG_NO_OP)
      op = r->op;
  }
  if (op != CAIRN_DAG_NO_OP)
    return op;
  char plain[CAIRN_DAG_MAX_NAME + 1];
  const char *at;
  size_t length;
  plain_name(name, &at, &length);
  if (length > CAIRN_DAG_MAX_NAME)
    return op;
  memcpy(plain, at, length);
  plain[length] = '\0';
  const unsigned found = cairn_dag__program_find(m->program, plain);
  return found == UINT_MAX ? CAIRN_DAG_NO_OP : found;
}

static cairn_status take(mapper *m, cairn_dag_taken taken) {
  const int is_op = taken.kind <= CAIRN_DAG_ITEM_GPU;
  if (is_op && m->last_op == taken.id && m->out->count &&
      m->out->taken[m->out->count - 1].stream == taken.stream)
    return CAIRN_OK; /* the same op goes on */
  m->last_op = is_op ? (unsigned)taken.id : CAIRN_DAG_NO_OP;
  const cairn_status status =
      cairn_base_reserve(&m->out->taken, &m->out->capacity, m->out->count + 1,
                         sizeof *m->out->taken);
  if (status == CAIRN_OK)
    m->out->taken[m->out->count++] = taken;
  return status;
}

/* Takes an op; one that was there since the iteration began starts another
 * (for counting calls of one name). */
static cairn_status take_op(mapper *m, const cairn_dag_call *call,
                            unsigned op) {
  const int gpu = cairn_dag_program_op(m->program, op)->kind == CAIRN_DAG_GPU;
  const int call_gpu = call->kind == CAIRN_DAG_CALL_GPU;
  if (gpu != call_gpu) {
    cairn_base_diag_add(
        m->diag, CAIRN_BASE_ERROR, m->path, call->line,
        "%s is %s, but %s is a %s op of the program", call->name,
        call_gpu ? "put into a stream" : "a call of the host",
        cairn_dag_program_op(m->program, op)->name, gpu ? "GPU" : "CPU");
    return CAIRN_INPUT;
  }
  uint64_t *const seen = m->in_iteration;
  if (op != m->last_op && (seen[op / 64] >> (op % 64) & 1)) {
    memset(seen, 0, (cairn_dag_program_ops(m->program) + 63) / 64 * 8);
    for (size_t i = 0; i < m->rules_count; i++)
      m->rules[i].seen =
          (unsigned long)same(call->name, m->rules[i].name, m->rules[i].length);
  }
  seen[op / 64] |= UINT64_C(1) << (op % 64);
  return take(m,
              (cairn_dag_taken){gpu ? CAIRN_DAG_ITEM_GPU : CAIRN_DAG_ITEM_CPU,
                                op, gpu ? call->stream : 0, call->line});
}

static cairn_status ignore(mapper *m, const cairn_dag_call *call) {
  for (size_t i = 0; i < m->ignored_count; i++)
    if (strcmp(m->ignored[i], call->name) == 0)
      return CAIRN_OK;
  const cairn_status status = cairn_base_reserve(
      &m->ignored, &m->ignored_room, m->ignored_count + 1, sizeof *m->ignored);
  if (status != CAIRN_OK)
    return status;
  m->ignored[m->ignored_count++] = call->name;
  cairn_base_diag_add(m->diag, CAIRN_BASE_NOTE, m->path, call->line,
                      "%s means no op of the program and is ignored (--map "
                      "%s=OP)",
                      call->name, call->name);
  return CAIRN_OK;
}

static cairn_status take_post(mapper *m, const cairn_dag_call *call) {
  unsigned op = op_of(m, call->name);
  if (op == CAIRN_DAG_NO_OP && strstr(call->name, "send"))
    op = m->only_send;
  else if (op == CAIRN_DAG_NO_OP && strstr(call->name, "recv"))
    op = m->only_recv;
  posted p = {op, SIZE_MAX, call->value};
  if (op != CAIRN_DAG_NO_OP) {
    /* the k-th request in a row of this op is its k-th message */
    size_t k = 0;
    while (k < m->requests && m->last_op == op &&
           m->request[m->requests - 1 - k].op == op)
      k++;
    if (k < cairn_dag_program_op(m->program, op)->posts.count)
      p.message = k;
  }
  cairn_status status = cairn_base_reserve(&m->request, &m->requests_room,
                                           m->requests + 1, sizeof *m->request);
  if (status != CAIRN_OK)
    return status;
  m->request[m->requests++] = p;
  return op == CAIRN_DAG_NO_OP ? ignore(m, call) : take_op(m, call, op);
}

/* Does op `wait` wait for the message posted with this request? */
static int waits_for(const mapper *m, unsigned wait, const posted *p) {
  const cairn_dag_names waits = cairn_dag_program_op(m->program, wait)->waits;
  const cairn_dag_names posts = cairn_dag_program_op(m->program, p->op)->posts;
  for (size_t k = 0; k < posts.count; k++)
    for (size_t w = 0; w < waits.count; w++)
      if ((p->message == k || p->message == SIZE_MAX) &&
          strcmp(posts.name[k], waits.name[w]) == 0)
        return 1;
  return 0;
}

static const posted *find_request(const mapper *m, unsigned long request) {
  for (size_t i = m->requests; i-- > 0;)
    if (m->request[i].request == request)
      return m->request[i].op == CAIRN_DAG_NO_OP ? NULL : &m->request[i];
  return NULL;
}

/* A wait means all ops that wait for a message of its requests. */
static cairn_status take_wait(mapper *m, const cairn_dag_call *call) {
  const unsigned mapped = op_of(m, call->name);
  if (mapped != CAIRN_DAG_NO_OP)
    return take_op(m, call, mapped);
  cairn_status status = CAIRN_OK;
  int found = 0;
  for (unsigned w = 0; w < cairn_dag_program_ops(m->program); w++) {
    int mine = 0;
    char *end;
    if (cairn_dag_program_op(m->program, w)->waits.count == 0)
      continue;
    for (char *at = call->requests; *at && !mine; at = end) {
      const posted *const p = find_request(m, strtoul(at, &end, 10));
      if (end == at)
        break;
      mine = p && waits_for(m, w, p);
    }
    found |= mine;
    if (mine && status == CAIRN_OK)
      status = take_op(m, call, w);
  }
  return found || status != CAIRN_OK ? status : ignore(m, call);
}

static cairn_status take_call(mapper *m, const cairn_dag_call *c) {
  switch (c->kind) {
  case CAIRN_DAG_CALL_RECORD:
    return take(
        m, (cairn_dag_taken){CAIRN_DAG_ITEM_CER, c->event, c->stream, c->line});
  case CAIRN_DAG_CALL_HOST_WAIT:
    return take(m, (cairn_dag_taken){CAIRN_DAG_ITEM_CES, c->event, 0, c->line});
  case CAIRN_DAG_CALL_STREAM_WAIT:
    return take(
        m, (cairn_dag_taken){CAIRN_DAG_ITEM_CSW, c->event, c->stream, c->line});
  case CAIRN_DAG_CALL_STREAM_SYNC:
    return take(m, (cairn_dag_taken){CAIRN_DAG_STEP_STREAM_SYNC, 0, c->stream,
                                     c->line});
  case CAIRN_DAG_CALL_DEVICE_SYNC:
    return take(m,
                (cairn_dag_taken){CAIRN_DAG_STEP_DEVICE_SYNC, 0, 0, c->line});
  case CAIRN_DAG_CALL_MARK:
    for (size_t i = 0; i < m->rules_count; i++)
      m->rules[i].seen = 0;
    return take(m, (cairn_dag_taken){CAIRN_DAG_STEP_NONE, 0, 0, c->line});
  case CAIRN_DAG_CALL_SEND:
  case CAIRN_DAG_CALL_RECV:
    return take_post(m, c);
  case CAIRN_DAG_CALL_WAIT:
    return take_wait(m, c);
  case CAIRN_DAG_CALL_GPU:
  case CAIRN_DAG_CALL_MPI: {
    const unsigned op = op_of(m, c->name);
    return op == CAIRN_DAG_NO_OP ? ignore(m, c) : take_op(m, c, op);
  }
  default:
    return CAIRN_OK;
  }
}

/* ---- rules that no call took ---- */

static int has_name(char *const *names, size_t count, const char *name,
                    size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
      return 1;
  return 0;
}

/* The plain names of the calls that a rule can mean, each once. */
static cairn_status call_names(const cairn_dag_calls *calls, char ***names_p,
                               size_t *count_p) {
  size_t room = 0;
  for (size_t i = 0; i < calls->count; i++) {
    const char *name;
    size_t length;
    if (!calls->call[i].name)
      continue;
    plain_name(calls->call[i].name, &name, &length);
    if (has_name(*names_p, *count_p, name, length))
      continue;
    if (cairn_base_reserve(names_p, &room, *count_p + 1, sizeof **names_p) !=
            CAIRN_OK ||
        !((*names_p)[*count_p] = cairn_base_strndup(name, length)))
      return CAIRN_NOMEM;
    ++*count_p;
  }
  return CAIRN_OK;
}

static cairn_status find_nearest(mapper *m, size_t i, char *const *names,
                                 size_t count) {
  char *const wanted = cairn_base_strndup(m->rules[i].name, m->rules[i].length);
  if (!wanted)
    return CAIRN_NOMEM;
  const char *const near =
      cairn_base_text_nearest(wanted, (const char *const *)names, count);
  if (near)
    m->mapped[i].nearest = cairn_base_strdup(near);
  cairn_base_free(wanted);
  return near && !m->mapped[i].nearest ? CAIRN_NOMEM : CAIRN_OK;
}

static cairn_status suggest(mapper *m, const cairn_dag_calls *calls) {
  size_t unknown = 0, count = 0;
  char **names = NULL;
  for (size_t i = 0; i < m->rules_count; i++)
    unknown += m->mapped[i].calls == 0;
  cairn_status status = unknown ? call_names(calls, &names, &count) : CAIRN_OK;
  for (size_t i = 0; status == CAIRN_OK && i < m->rules_count; i++)
    if (m->mapped[i].calls == 0)
      status = find_nearest(m, i, names, count);
  for (size_t i = 0; i < count; i++)
    cairn_base_free(names[i]);
  cairn_base_free(names);
  return status;
}

cairn_status
cairn_lint__calls_map(const cairn_dag_program *program, const char *path,
                      const cairn_dag_calls *calls, const char *const *map,
                      size_t maps, cairn_lint_mapped *mapped,
                      cairn_base_diag *diag, cairn_dag_takens *takens) {
  mapper m = {.program = program,
              .path = path,
              .diag = diag,
              .mapped = mapped,
              .only_send = only_poster(program, 0),
              .only_recv = only_poster(program, 1),
              .out = takens,
              .last_op = CAIRN_DAG_NO_OP};
  cairn_status status = CAIRN_OK;
  m.rules = cairn_base_alloc(maps, sizeof *m.rules);
  m.in_iteration = cairn_base_zalloc((cairn_dag_program_ops(program) + 63) / 64,
                                     sizeof *m.in_iteration);
  if (!m.rules || !m.in_iteration)
    status = CAIRN_NOMEM;
  for (size_t i = 0; status == CAIRN_OK && i < maps; i++)
    status = add_rule(&m, map[i]);
  for (size_t i = 0; status == CAIRN_OK && i < calls->count; i++)
    status = take_call(&m, &calls->call[i]);
  if (status == CAIRN_OK)
    status = suggest(&m, calls);
  cairn_base_free(m.rules);
  cairn_base_free(m.in_iteration);
  cairn_base_free(m.request);
  cairn_base_free(m.ignored);
  return status;
}
