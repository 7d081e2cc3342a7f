/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/inject.c - failures on purpose, so that what happens then is a test and
 * not a hope.  A rule's op gets another function in front of its own; without
 * rules nothing is in the way.
 */
#include "base/mem-private.h"
#include "dag/program/program-private.h"
#include "exec/drive-private.h"
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* X(name, text): what a rule does */
#define KIND_TABLE(X)                                                          \
  X(HANG, "hang")                                                              \
  X(SPIN, "spin")                                                              \
  X(DEADLOCK, "deadlock")                                                      \
  X(STOP, "stop")                                                              \
  X(KILL, "kill")                                                              \
  X(SEGV, "segv")                                                              \
  X(ABORT, "abort")                                                            \
  X(EXIT, "exit")                                                              \
  X(LEAVE, "leave")                                                            \
  X(FORK, "fork")                                                              \
  X(FAIL, "fail")                                                              \
  X(SLOW, "slow")                                                              \
  X(BUSY, "busy")                                                              \
  X(THROTTLE, "throttle")                                                      \
  X(WRONG, "wrong")                                                            \
  X(FAILALLOC, "failalloc")                                                    \
  X(FAILWRITE, "failwrite")                                                    \
  X(ENOSPC, "enospc")

typedef enum kind {
#define KIND_ENUM(name, text) KIND_##name,
  KIND_TABLE(KIND_ENUM) KINDS
#undef KIND_ENUM
} kind;

static const char *const kind_text[] = {
#define KIND_TEXT(name, text) text,
    KIND_TABLE(KIND_TEXT)
#undef KIND_TEXT
};

typedef struct rule {
  kind kind;
  char place[CAIRN_DAG_MAX_NAME + 1]; /* op, or %setup, ... */
  long rank;                          /* -1: all */
  long schedule;                      /* id; -1: any */
  long after;                         /* passes before it strikes */
  long passes;                        /* so far */
  double time_s;                      /* of slow */
  long code;                          /* of fail and exit */
} rule;

typedef struct wrapped {
  cairn_exec *exec;
  const char *name;
  cairn_exec_call call; /* the op's own */
  struct wrapped *next;
} wrapped;

struct cairn_exec_inject {
  rule *rules;
  size_t count, capacity;
  wrapped *wraps;
  int wrong; /* the next verify gets spoilt outputs */
};

const char *cairn_exec_inject_help(void) {
  return "KIND@PLACE[:KEY=VALUE]...[,KIND@PLACE...]\n"
         "KIND: hang (sleeps for ever), spin (computes for ever), deadlock\n"
         "  (receives a message that nobody sends), stop (SIGSTOP), kill\n"
         "  (SIGKILL), segv, abort, exit (_exit), leave (exit),\n"
         "  fork (a child, which exits), fail (the op fails), slow\n"
         "  (sleeps first), busy (computes first), throttle (the GPU's clock\n"
         "  looks low), wrong (the outputs are spoilt before verify);\n"
         "  failalloc@N: the N-th\n"
         "  allocation from opening on fails; failwrite@N, enospc@N: the N-th\n"
         "  write to the journal fails (EIO, ENOSPC) half-way.\n"
         "PLACE: an op, or %setup, %poison, %verify, %teardown; %clock for\n"
         "  throttle.\n"
         "KEY: rank=R (default: all ranks), schedule=ID (default: any),\n"
         "  after=N (not the first N times), time=SECONDS (slow, busy; "
         "default\n"
         "  0.01), code=N (fail, exit; default 1), forever=1 (failalloc: all\n"
         "  later ones too).";
}

/* ---- reading ---- */

static int read_long(const char *text, long *value_p) {
  char *end;
  errno = 0;
  *value_p = strtol(text, &end, 10);
  return errno == 0 && end != text && *end == '\0';
}

static int read_key(rule *r, const char *key, const char *value) {
  char *end;
  if (strcmp(key, "rank") == 0)
    return read_long(value, &r->rank);
  if (strcmp(key, "schedule") == 0)
    return read_long(value, &r->schedule);
  if (strcmp(key, "after") == 0)
    return read_long(value, &r->after);
  if (strcmp(key, "code") == 0)
    return read_long(value, &r->code);
  if (strcmp(key, "forever") == 0)
    return read_long(value, &r->code);
  if (strcmp(key, "time") == 0) {
    r->time_s = cairn_base_to_double(value, &end);
    return end != value && *end == '\0' && r->time_s >= 0;
  }
  return 0;
}

static int read_kind(rule *r, const char *text) {
  for (int k = 0; k < KINDS; k++)
    if (strcmp(kind_text[k], text) == 0) {
      r->kind = (kind)k;
      return 1;
    }
  return 0;
}

/* PLACE is a number, not an op. */
static int is_numbered(kind k) { return k >= KIND_FAILALLOC; }

static int place_exists(const cairn_exec *exec, const rule *r) {
  static const char *const places[] = {"%setup", "%poison", "%verify",
                                       "%teardown"};
  if (r->kind == KIND_THROTTLE)
    return strcmp(r->place, "%clock") == 0;
  if (is_numbered(r->kind)) {
    long n;
    return read_long(r->place, &n) && n > 0;
  }
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strcmp(places[i], r->place) == 0)
      return 1;
  return cairn_dag__program_find(exec->program, r->place) != UINT_MAX;
}

/* One rule, in place of `text`; returns what is wrong with it, or NULL. */
static const char *read_rule(const cairn_exec *exec, char *text, rule *r) {
  *r = (rule){.rank = -1, .schedule = -1, .time_s = 0.01, .code = 1};
  char *place = strchr(text, '@');
  if (place == NULL)
    return "expected KIND@PLACE";
  *place++ = '\0';
  if (!read_kind(r, text))
    return "unknown kind";
  if (r->kind == KIND_FAILALLOC)
    r->code = 0;
  char *rest = strchr(place, ':');
  if (rest)
    *rest++ = '\0';
  if (strlen(place) >= sizeof r->place)
    return "the place's name is too long";
  strcpy(r->place, place);
  if (!place_exists(exec, r))
    return "no such op or place";
  while (rest) {
    char *key = rest, *value = strchr(key, '=');
    rest = strchr(rest, ':');
    if (rest)
      *rest++ = '\0';
    if (value == NULL)
      return "expected KEY=VALUE";
    *value++ = '\0';
    if (!read_key(r, key, value))
      return "unknown key or bad value";
  }
  return NULL;
}

static cairn_status read_rules(cairn_exec *exec, const char *all, char *copy,
                               cairn_base_diag *diag) {
  cairn_exec_inject *inject = exec->inject;
  char *state = NULL;
  for (char *one = strtok_r(copy, ",", &state); one;
       one = strtok_r(NULL, ",", &state)) {
    rule r;
    const char *problem = read_rule(exec, one, &r);
    if (problem) {
      cairn_base_diag_error(diag, "injection '%s': %s; expected %s", all,
                            problem, cairn_exec_inject_help());
      return CAIRN_USAGE;
    }
    const cairn_status status =
        cairn_base_reserve(&inject->rules, &inject->capacity, inject->count + 1,
                           sizeof *inject->rules);
    if (status)
      return status;
    inject->rules[inject->count++] = r;
  }
  return CAIRN_OK;
}

static void start_failalloc(const cairn_exec_inject *inject, int rank) {
  for (size_t i = 0; i < inject->count; i++) {
    const rule *r = inject->rules + i;
    long n;
    if (r->kind == KIND_FAILALLOC && (r->rank < 0 || r->rank == rank) &&
        read_long(r->place, &n))
      cairn_base__mem_fail((size_t)n, r->code != 0);
  }
}

cairn_status cairn_exec__inject_create(cairn_exec *exec, const char *text,
                                       cairn_base_diag *diag) {
  if (text == NULL || *text == '\0')
    return CAIRN_OK;
  exec->inject = cairn_base_zalloc(1, sizeof *exec->inject);
  char *copy = cairn_base_strdup(text);
  cairn_status status = exec->inject && copy ? CAIRN_OK : CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = read_rules(exec, text, copy, diag);
  cairn_base_free(copy);
  if (status == CAIRN_OK)
    start_failalloc(exec->inject, exec->place.rank);
  return status;
}

void cairn_exec__inject_free(cairn_exec *exec) {
  cairn_exec_inject *inject = exec->inject;
  if (inject == NULL)
    return;
  while (inject->wraps) {
    wrapped *next = inject->wraps->next;
    cairn_base_free(inject->wraps);
    inject->wraps = next;
  }
  cairn_base_free(inject->rules);
  cairn_base_free(inject);
}

size_t cairn_exec__inject_write(const cairn_exec *exec, int *error_p) {
  for (size_t i = 0; exec->inject && i < exec->inject->count; i++) {
    const rule *r = exec->inject->rules + i;
    long n;
    if (r->kind > KIND_FAILALLOC && read_long(r->place, &n)) {
      *error_p = r->kind == KIND_ENOSPC ? ENOSPC : EIO;
      return (size_t)n;
    }
  }
  return 0;
}

/* ---- striking ---- */

static int applies(cairn_exec *exec, rule *r, const char *place) {
  if (strcmp(r->place, place) != 0 || is_numbered(r->kind))
    return 0;
  if (r->rank >= 0 && r->rank != exec->place.rank)
    return 0;
  if (r->schedule >= 0 &&
      (uint64_t)r->schedule !=
          __atomic_load_n(&exec->progress->id, __ATOMIC_RELAXED))
    return 0;
  return __atomic_fetch_add(&r->passes, 1, __ATOMIC_RELAXED) >= r->after;
}

static void hang_for_ever(int busy) {
  volatile unsigned turns = 0;
  for (;;) {
    if (busy)
      turns = turns + 1;
    else
      pause();
  }
}

static int strike(cairn_exec *exec, const rule *r) {
  switch (r->kind) {
  case KIND_HANG:
  case KIND_SPIN:
    hang_for_ever(r->kind == KIND_SPIN);
    break;
  case KIND_DEADLOCK:
    cairn_exec__comm_deadlock(exec->world);
    break;
  case KIND_STOP:
    kill(getpid(), SIGSTOP);
    break;
  case KIND_KILL:
    kill(getpid(), SIGKILL);
    break;
  case KIND_SEGV:
    raise(SIGSEGV); /* on this thread, as the fault would be */
    break;
  case KIND_ABORT:
    abort();
  case KIND_EXIT:
    _exit((int)r->code);
  case KIND_FORK: {
    const pid_t child = fork();
    if (child == 0)
      exit((int)r->code);
    waitpid(child, NULL, 0);
    break;
  }
  case KIND_LEAVE:
    exit((int)r->code);
  case KIND_SLOW: {
    const int64_t ns = (int64_t)(1e9 * r->time_s);
    nanosleep(&(struct timespec){ns / 1000000000, (long)(ns % 1000000000)},
              NULL);
    break;
  }
  case KIND_BUSY: {
    const int64_t until = cairn_base__now_ns() + (int64_t)(1e9 * r->time_s);
    while (cairn_base__now_ns() < until)
      ;
    break;
  }
  case KIND_WRONG:
    exec->inject->wrong = 1;
    break;
  case KIND_FAIL:
    return (int)r->code;
  default:
    break;
  }
  return 0;
}

int cairn_exec__inject_at(cairn_exec *exec, const char *place) {
  int code = 0;
  if (exec->inject == NULL)
    return 0;
  for (size_t i = 0; i < exec->inject->count; i++)
    if (applies(exec, exec->inject->rules + i, place)) {
      const int one = strike(exec, exec->inject->rules + i);
      code = code ? code : one;
    }
  return code;
}

int cairn_exec__inject_clock(cairn_exec *exec) {
  int low = 0;
  for (size_t i = 0; exec->inject && i < exec->inject->count; i++)
    low |= exec->inject->rules[i].kind == KIND_THROTTLE &&
           applies(exec, exec->inject->rules + i, "%clock");
  return low;
}

int cairn_exec__inject_wrong(cairn_exec *exec) {
  if (exec->inject == NULL || !exec->inject->wrong)
    return 0;
  exec->inject->wrong = 0;
  return 1;
}

static int run_wrapped(void *state, const char *arg, void *stream) {
  wrapped *w = state;
  const int code = cairn_exec__inject_at(w->exec, w->name);
  const int own = w->call.run(w->call.state, arg, stream);
  return code ? code : own;
}

cairn_status cairn_exec__inject_wrap(cairn_exec *exec, const char *name,
                                     cairn_exec_call *call) {
  int wanted = 0;
  for (size_t i = 0; exec->inject && i < exec->inject->count; i++)
    wanted |= strcmp(exec->inject->rules[i].place, name) == 0;
  if (!wanted)
    return CAIRN_OK;
  wrapped *w = cairn_base_alloc(1, sizeof *w);
  if (w == NULL)
    return CAIRN_NOMEM;
  *w = (wrapped){exec, name, *call, exec->inject->wraps};
  exec->inject->wraps = w;
  call->run = run_wrapped;
  call->state = w;
  return CAIRN_OK;
}
