/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/import-row.c - one row of a foreign table becomes a schedule's text.
 *
 * Between '|' an op is a JSON object.  Between ',' it may also be plain text:
 * NAME, or NAME(STREAM) for a GPU op, StreamSync(STREAM) and
 * StreamWait(WAITER/WAITED-FOR), where a stream is any number.  StreamSync and
 * StreamWait (as a JSON "kind" too) stand for a record and a wait each: they
 * get an event of their own, and names as cairn's own syncs have.
 */
#include <string.h>

#include "base/text-private.h"
#include "journal/import-private.h"
#include "journal/sound-private.h"

enum { MOST_EVENTS = 65535, TIMES = 6 };

typedef cairn_journal__import importing;
typedef cairn_journal__foreign foreign;

static int no_memory(importing *x) {
  x->no_memory = 1;
  return cairn_journal__json_fail(&x->json, "out of memory");
}

/* ---- names ---- */

int cairn_journal__import_is_name(const char *name) {
  if (!cairn_base_is_alpha(*name) && *name != '_')
    return 0;
  for (; *name; name++)
    if (!cairn_base_is_alnum(*name) && *name != '_' && *name != '.')
      return 0;
  return 1;
}

int cairn_journal__import_is_sync_name(const char *name) {
  return strncmp(name, "CER", 3) == 0 || strncmp(name, "CES", 3) == 0 ||
         strncmp(name, "CSW", 3) == 0;
}

static void add_renamed(importing *x, const char *name, size_t length) {
  for (size_t i = 0; i < x->rename_count; i++) {
    cairn_journal__rename *const p = &x->renames[i];
    if (p->old_length == length && memcmp(p->old, name, length) == 0) {
      p->used = 1;
      cairn_base_text_add(&x->schedule, p->to);
      return;
    }
  }
  cairn_base__text_add_bytes(&x->schedule, name, length);
}

/* In CER-after-A, CSW-after-A-b4-B, ... the third and the fifth part are names
 * of ops. */
static void add_sync_renamed(importing *x, const char *name) {
  for (size_t part = 0; *name; part++) {
    const size_t length = strcspn(name, "-");
    if (part >= 2 && part % 2 == 0)
      add_renamed(x, name, length);
    else
      cairn_base__text_add_bytes(&x->schedule, name, length);
    name += length;
    if (*name)
      cairn_base__text_add_bytes(&x->schedule, name++, 1);
  }
}

/* ---- ops as JSON ---- */

static int read_stream(importing *x, unsigned *stream_p, int *has_p) {
  uint64_t value;
  if (!cairn_journal__json_whole(&x->json, CAIRN_DAG_MAX_STREAMS - 1, &value))
    return 0;
  *stream_p = (unsigned)value;
  *has_p = 1;
  return 1;
}

static int read_member(importing *x, const char *member, foreign *f) {
  char *string;
  size_t length;
  uint64_t event;
  if (strcmp(member, "stream") == 0 || strcmp(member, "waiter") == 0)
    return read_stream(x, &f->stream, &f->has_stream);
  if (strcmp(member, "waitee") == 0)
    return read_stream(x, &f->other, &f->has_other);
  if (strcmp(member, "event") == 0) {
    f->has_event = 1;
    if (!cairn_journal__json_whole(&x->json, MOST_EVENTS, &event))
      return 0;
    f->event = (unsigned)event;
    return 1;
  }
  if (strcmp(member, "name") != 0 && strcmp(member, "kind") != 0)
    return cairn_journal__json_skip(&x->json);
  if (!cairn_journal__json_string(&x->json, &string, &length))
    return 0;
  *(*member == 'n' ? &f->name : &f->kind) = string;
  return 1;
}

static int read_json(importing *x, foreign *f) {
  char *member;
  int first = 1, more;
  if (!cairn_journal__json_take(&x->json, '{'))
    return cairn_journal__json_expected(&x->json, "an op as a JSON object");
  while ((more = cairn_journal__json_member(&x->json, &first, &member)) > 0)
    if (!read_member(x, member, f))
      return 0;
  if (more == 0 && !f->name)
    return cairn_journal__json_fail(&x->json, "an op without \"name\"");
  return more == 0;
}

/* The three letters that stand for a recorded kind; NULL: of a whole stream. */
static const char *kind_letters(const char *kind) {
  return strcmp(kind, "CudaEventRecord") == 0       ? "CER"
         : strcmp(kind, "CudaEventSync") == 0       ? "CES"
         : strcmp(kind, "CudaStreamWaitEvent") == 0 ? "CSW"
                                                    : NULL;
}

static int is_stream_wait(const foreign *f) {
  return f->kind && strcmp(f->kind, "StreamWait") == 0;
}

static int is_stream_sync(const foreign *f) {
  return f->kind && strcmp(f->kind, "StreamSync") == 0;
}

static int check_sync(importing *x, const foreign *f) {
  const char *const letters = kind_letters(f->kind);
  if (!letters && !is_stream_wait(f) && !is_stream_sync(f))
    return cairn_journal__json_fail(
        &x->json,
        "unknown kind \"%.24s\" (CudaEventRecord, -Sync or "
        "CudaStreamWaitEvent)",
        f->kind);
  if (letters &&
      (strncmp(f->name, letters, 3) != 0 || f->name[strcspn(f->name, " @#|")]))
    return cairn_journal__json_fail(
        &x->json, "expected a name that starts with %s, found \"%.30s\"",
        letters, f->name);
  if (letters && !f->has_event)
    return cairn_journal__json_fail(&x->json, "%.40s has no \"event\"",
                                    f->name);
  if ((!letters || strcmp(letters, "CES") != 0) && !f->has_stream)
    return cairn_journal__json_fail(&x->json, "%.40s has no \"%s\"", f->name,
                                    is_stream_wait(f) ? "waiter" : "stream");
  return !is_stream_wait(f) || f->has_other ||
         cairn_journal__json_fail(&x->json, "%.40s has no \"waitee\"", f->name);
}

static int check_op(importing *x, const foreign *f) {
  if (!cairn_journal__import_is_name(f->name))
    return cairn_journal__json_fail(&x->json, "\"%.40s\" is no name of an op",
                                    f->name);
  if (cairn_journal__import_is_sync_name(f->name))
    return cairn_journal__json_fail(&x->json, "%.40s has no \"kind\"", f->name);
  return !f->has_event ||
         cairn_journal__json_fail(
             &x->json, "%.40s is no sync, but has \"event\"", f->name);
}

/* ---- ops as plain text ---- */

/* The number of a stream that text names, in the order of appearance. */
static int stream_number(importing *x, const char *digits, size_t length,
                         unsigned *stream_p) {
  uint64_t value = 0;
  size_t i;
  if (length == 0 || length > 19 || strspn(digits, "0123456789") != length)
    return cairn_journal__json_fail(&x->json,
                                    "expected the number of a stream");
  for (i = 0; i < length; i++)
    value = value * 10 + (uint64_t)(digits[i] - '0');
  for (i = 0; i < x->streams_named && x->stream[i] != value; i++)
    ;
  if (i == CAIRN_DAG_MAX_STREAMS)
    return cairn_journal__json_fail(&x->json, "more than %d streams",
                                    CAIRN_DAG_MAX_STREAMS);
  if (i == x->streams_named) {
    if (cairn_base_reserve(&x->stream, &x->stream_capacity, i + 1,
                           sizeof *x->stream) != CAIRN_OK)
      return no_memory(x);
    x->stream[x->streams_named++] = value;
  }
  *stream_p = (unsigned)i;
  return 1;
}

/* What stands in the parentheses. */
static int read_streams(importing *x, char *inside, size_t length, foreign *f) {
  const char *const slash = memchr(inside, '/', length);
  const size_t first = slash ? (size_t)(slash - inside) : length;
  if (!stream_number(x, inside, first, &f->stream))
    return 0;
  f->has_stream = 1;
  if (slash && !is_stream_wait(f))
    return cairn_journal__json_fail(&x->json, "%.40s has two streams", f->name);
  if (!slash && is_stream_wait(f))
    return cairn_journal__json_fail(&x->json,
                                    "expected StreamWait(WAITER/WAITED-FOR)");
  if (!slash)
    return 1;
  f->has_other = 1;
  return stream_number(x, slash + 1, length - first - 1, &f->other);
}

/* Tables that say which syncs there were, but not on which streams. */
static int without_streams(importing *x, const char *name) {
  x->hopeless = 1;
  return cairn_journal__json_fail(
      &x->json, "%.30s: tables that do not tell streams cannot be read", name);
}

/* NAME or NAME(...), already cut off at its end. */
static int take_plain(importing *x, char *name, size_t length, foreign *f) {
  char *const open = memchr(name, '(', length);
  const size_t end = open ? (size_t)(open - name) : length;
  if (open && name[length - 1] != ')')
    return cairn_journal__json_fail(&x->json,
                                    "expected ')' at the end of an op");
  name[end] = '\0';
  f->name = strcmp(name, "Start") == 0 ? "start"
            : strcmp(name, "End") == 0 ? "end"
                                       : name;
  if (strncmp(name, "StreamWait-", 11) == 0 ||
      strncmp(name, "StreamSync-", 11) == 0 ||
      strncmp(name, "CudaEvent", 9) == 0)
    return without_streams(x, name);
  if (strcmp(name, "StreamWait") == 0 || strcmp(name, "StreamSync") == 0)
    f->kind = name;
  if (f->kind && !open)
    return without_streams(x, name);
  return !open || read_streams(x, open + 1, length - end - 2, f);
}

static int check(importing *x, const foreign *f) {
  return f->kind ? check_sync(x, f) : check_op(x, f);
}

/* Reads the separator after it too, for the name's NUL takes its place. */
static int read_plain(importing *x, foreign *f, int *more_p) {
  char *const name = x->json.at;
  char *const stop = memchr(name, x->comma, (size_t)(x->json.end - name));
  size_t length = (size_t)((stop ? stop : x->json.end) - name);
  while (length > 0 && strchr(" \t\r", name[length - 1]))
    length--;
  if (length == 0 || memchr(name, '\0', length))
    return cairn_journal__json_expected(&x->json, "an op");
  if (!take_plain(x, name, length, f) || !check(x, f))
    return 0;
  x->json.at = stop ? stop + 1 : x->json.end;
  *more_p = stop != NULL;
  return 1;
}

/* ---- the ops of a row ---- */

static int at_end(importing *x) {
  return cairn_journal__json_peek(&x->json) == '\0' &&
         x->json.at >= x->json.end;
}

/* Is nothing left but empty fields? */
static int at_padding(const importing *x) {
  const char *at = x->json.at;
  while (at < x->json.end && (*at == ',' || *at == ' ' || *at == '\r'))
    at++;
  return at >= x->json.end;
}

static int read_op(importing *x, foreign *f, int *more_p) {
  if (x->comma == ',' && cairn_journal__json_peek(&x->json) != '{')
    return read_plain(x, f, more_p);
  if (!read_json(x, f) || !check(x, f))
    return 0;
  *more_p = !at_end(x);
  return !*more_p || cairn_journal__json_take(&x->json, x->comma) ||
         cairn_journal__json_expected(
             &x->json, x->comma == '|' ? "'|' or the end of the row"
                                       : "',' or the end of the row");
}

static int read_ops(importing *x) {
  int more = 1;
  x->ops = 0;
  for (; more; x->field++) {
    foreign f = {0};
    if (x->comma == ',' && x->ops > 0 && at_padding(x))
      return 1;
    if (!read_op(x, &f, &more))
      return 0;
    if (cairn_base_reserve(&x->op, &x->op_capacity, x->ops + 1,
                           sizeof *x->op) != CAIRN_OK)
      return no_memory(x);
    x->op[x->ops++] = f;
  }
  return 1;
}

/* ---- as text ---- */

static void add_item(importing *x, unsigned stream, int has_stream,
                     unsigned event, int has_event) {
  if (has_stream) {
    cairn_base_text_addf(&x->schedule, "@%u", stream);
    if (stream >= x->streams)
      x->streams = stream + 1;
  }
  if (has_event)
    cairn_base_text_addf(&x->schedule, "#%u", event);
}

/* The last op before op i that was issued to this stream; its name. */
static const char *issued_before(const importing *x, size_t i,
                                 unsigned stream) {
  while (i-- > 0)
    if (!x->op[i].kind && x->op[i].has_stream && x->op[i].stream == stream)
      return x->op[i].name;
  return "start";
}

/* A record on `on` and a wait for it. */
static void add_pair(importing *x, size_t i, unsigned on, unsigned event) {
  const foreign *const f = &x->op[i];
  const char *const after = issued_before(x, i, on);
  cairn_base_text_add(&x->schedule, "CER-after-");
  add_renamed(x, after, strlen(after));
  add_item(x, on, 1, event, 1);
  cairn_base_text_add(&x->schedule,
                      is_stream_wait(f) ? " CSW-after-" : " CES-after-");
  add_renamed(x, after, strlen(after));
  add_item(x, f->stream, is_stream_wait(f), event, 1);
}

static void add_op(importing *x, size_t i, unsigned *free_event) {
  const foreign *const f = &x->op[i];
  if (i > 0)
    cairn_base_text_add(&x->schedule, " ");
  if (is_stream_wait(f)) {
    add_pair(x, i, f->other, (*free_event)++);
  } else if (is_stream_sync(f)) {
    add_pair(x, i, f->stream, (*free_event)++);
  } else if (f->kind) {
    add_sync_renamed(x, f->name);
    add_item(x, f->stream, strncmp(f->name, "CES", 3) != 0, f->event, 1);
  } else {
    add_renamed(x, f->name, strlen(f->name));
    add_item(x, f->stream, f->has_stream, 0, 0);
  }
}

/* Names of ops before renaming are noted, so that no rename falls on one. */
static int add_ops(importing *x) {
  unsigned free_event = 0;
  uint32_t id;
  cairn_base__text_clear(&x->schedule);
  for (size_t i = 0; i < x->ops; i++)
    if (x->op[i].has_event && x->op[i].event >= free_event)
      free_event = x->op[i].event + 1;
  for (size_t i = 0; i < x->ops; i++) {
    const foreign *const f = &x->op[i];
    add_op(x, i, &free_event);
    if (!f->kind && cairn_dag__intern_add(x->names, f->name, strlen(f->name),
                                          &id) != CAIRN_OK)
      return no_memory(x);
  }
  return 1;
}

/* ---- the numbers ---- */

static int read_separator(importing *x) {
  return cairn_journal__json_take(&x->json, x->comma) ||
         cairn_journal__json_expected(&x->json,
                                      x->comma == '|' ? "'|'" : "','");
}

static int read_index(importing *x) {
  uint64_t index;
  x->field++;
  return cairn_journal__json_whole(&x->json, UINT64_C(1) << 53, &index) &&
         read_separator(x);
}

static int read_times(importing *x, double seconds[TIMES]) {
  for (int i = 0; i < TIMES; i++) {
    x->field++;
    if (!cairn_journal__json_number(&x->json, &seconds[i]))
      return 0;
    if (seconds[i] < 0)
      return cairn_journal__json_fail(&x->json, "a negative time");
    if (!cairn_journal__time_check(&x->json, seconds[i]) || !read_separator(x))
      return 0;
  }
  return 1;
}

int cairn_journal__import_row(importing *x, double seconds[TIMES]) {
  x->field = 0;
  if (!x->times_first && !read_index(x))
    return 0;
  if (!read_times(x, seconds))
    return 0;
  const char next = cairn_journal__json_peek(&x->json);
  if (x->times_first && next >= '0' && next <= '9' && !read_index(x))
    return 0;
  if (!cairn_journal__percentiles_check(&x->json, seconds))
    return 0;
  x->field++;
  return read_ops(x) && add_ops(x);
}
