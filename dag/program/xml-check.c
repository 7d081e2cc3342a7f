/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/xml-check.c - what the elements of a program file mean, and what
 * is wrong with them.
 *
 * One pass: each element goes into the program as it comes; `after` waits until
 * all ops are known, because it may name ops that stand later.  The grammar is
 * also written as a schema, dag/program.rng: change both.
 */
#include "base/text-private.h"
#include "dag/program/program-private.h"
#include "dag/program/xml-private.h"
#include <cairn/dag.h>

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ENOUGH = 20 }; /* errors, after which nobody reads hints */

typedef enum kind { PLUGIN, PARAM, GPU, CPU, KINDS } kind;

static const char *const kind_names[KINDS] = {"plugin", "param", "gpu", "cpu"};

/* Attributes of each kind of element, the required ones first. */
typedef struct shape {
  const char *const *known;
  size_t count, required;
} shape;

enum { NAME, AFTER, CALL, ARG, POSTS, FROM, WAITS, READS, WRITES, OP_COUNT };

static const char *const op_known[OP_COUNT] = {"name",  "after", "call",
                                               "arg",   "posts", "from",
                                               "waits", "reads", "writes"};
static const char *const plugin_known[] = {"library"};
static const char *const param_known[] = {"name", "value"};
static const char *const program_known[] = {"name", "streams"};
static const shape shapes[KINDS] = {{plugin_known, 1, 1},
                                    {param_known, 2, 2},
                                    {op_known, OP_COUNT, 1},
                                    {op_known, OP_COUNT, 1}};
static const shape program_shape = {program_known, 2, 1};

#define NAME_HEAD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define NAME_TAIL NAME_HEAD "0123456789."
#define NAME_RULE                                                              \
  "a letter or _, then letters, digits, _ and ., at most 255 bytes"

/* ---- messages ---- */

void cairn_dag__xml_complain(cairn_dag__xml *x, size_t line, const char *format,
                             ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  cairn_base_diag_add(x->diag, CAIRN_BASE_ERROR, x->path, line, "%s", text);
  if (x->status == CAIRN_OK)
    x->status = CAIRN_INPUT;
  if (++x->errors >= CAIRN_DAG__XML_MAX_ERRORS)
    x->stop = 1;
}

void cairn_dag__xml_no_memory(cairn_dag__xml *x) {
  x->status = CAIRN_NOMEM;
  x->stop = 1;
}

const char *cairn_dag__xml_hint(const cairn_dag__xml *x, const char *word,
                                const char *const *known, size_t count,
                                char buffer[320]) {
  const char *const near = cairn_base_diag_errors(x->diag) < ENOUGH
                               ? cairn_base_text_nearest(word, known, count)
                               : NULL;
  buffer[0] = '\0';
  if (near)
    snprintf(buffer, 320, "; did you mean \"%.280s\"?", near);
  return buffer;
}

/* What is found, short enough to be read. */
static const char *brief(const char *value, char buffer[64]) {
  snprintf(buffer, 64, strlen(value) > 50 ? "%.47s..." : "%s", value);
  return buffer;
}

/* "name, after, call or arg" */
static void list_known(const shape *s, char *buffer, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < s->count && used < size; i++)
    used += (size_t)snprintf(buffer + used, size - used, "%s%s",
                             i == 0              ? ""
                             : i + 1 == s->count ? " or "
                                                 : ", ",
                             s->known[i]);
}

/* ---- attributes ---- */

static size_t find_known(const shape *s, const char *name) {
  size_t i = 0;
  while (i < s->count && strcmp(s->known[i], name) != 0)
    i++;
  return i;
}

/* Sorts the attributes of an element into found[0..count), NULL where absent.
 * Says what is unknown or missing; 1 when the element can be used. */
static int sort_attributes(cairn_dag__xml *x,
                           const cairn_dag__xml_element *element,
                           const shape *s,
                           const cairn_dag__xml_attribute **found) {
  char hint[320], all[128], shown[64];
  int good = 1;
  for (size_t i = 0; i < s->count; i++)
    found[i] = NULL;
  for (size_t i = 0; i < element->attributes; i++) {
    const cairn_dag__xml_attribute *const a = &element->attribute[i];
    const size_t which = find_known(s, a->name);
    if (which < s->count) {
      found[which] = a;
      continue;
    }
    list_known(s, all, sizeof all);
    cairn_dag__xml_complain(
        x, a->line, "<%s> has no attribute \"%s\" (expected %s)%s",
        element->name, brief(a->name, shown), all,
        cairn_dag__xml_hint(x, a->name, s->known, s->count, hint));
  }
  for (size_t i = 0; i < s->required; i++)
    if (!found[i]) {
      cairn_dag__xml_complain(x, element->line,
                              "<%s> needs the attribute \"%s\"", element->name,
                              s->known[i]);
      good = 0;
    }
  return good;
}

static int is_name(const char *text) {
  const size_t length = strlen(text);
  return length > 0 && length <= CAIRN_DAG_MAX_NAME &&
         strchr(NAME_HEAD, text[0]) && strspn(text, NAME_TAIL) == length;
}

/* Complains unless the value is a name. */
static int check_name(cairn_dag__xml *x, const cairn_dag__xml_attribute *a) {
  char shown[64];
  const size_t length = strlen(a->value);
  if (is_name(a->value))
    return 1;
  if (length > CAIRN_DAG_MAX_NAME)
    cairn_dag__xml_complain(
        x, a->line,
        "%s: expected a name of at most %d bytes, found one of "
        "%zu",
        a->name, CAIRN_DAG_MAX_NAME, length);
  else
    cairn_dag__xml_complain(x, a->line, "%s=\"%s\": expected a name (%s)",
                            a->name, brief(a->value, shown), NAME_RULE);
  return 0;
}

/* ---- lists of names ---- */

/* The next name of a list of names, cut off in place; NULL at the end. */
static char *next_name(char **cursor) {
  static const char spaces[] = " \t\r\n";
  char *const name = *cursor + strspn(*cursor, spaces);
  const size_t length = strcspn(name, spaces);
  if (length == 0)
    return NULL;
  *cursor = name + length;
  if (name[length])
    *(*cursor)++ = '\0';
  return name;
}

static size_t count_names(const char *list) {
  size_t count = 0;
  int inside = 0;
  for (; *list; list++) {
    const int space = strchr(" \t\r\n", *list) != NULL;
    count += !space && !inside;
    inside = !space;
  }
  return count;
}

/* Splits a list of names in place, each checked; names->name is freed by the
 * caller. */
static void read_list(cairn_dag__xml *x, const cairn_dag__xml_attribute *a,
                      cairn_dag_names *names) {
  char shown[64];
  if (!a)
    return;
  const size_t count = count_names(a->value);
  if (count == 0) {
    cairn_dag__xml_complain(x, a->line, "%s is empty: expected names, or no %s",
                            a->name, a->name);
    return;
  }
  const char **const array = cairn_base_alloc(count, sizeof *array);
  if (!array) {
    cairn_dag__xml_no_memory(x);
    return;
  }
  char *cursor = a->value;
  names->name = array;
  for (char *name; (name = next_name(&cursor)) != NULL;) {
    array[names->count++] = name;
    if (!is_name(name))
      cairn_dag__xml_complain(x, a->line, "%s: \"%s\" is no name (%s)", a->name,
                              brief(name, shown), NAME_RULE);
  }
}

/* ---- program ---- */

static void read_streams(cairn_dag__xml *x, const cairn_dag__xml_attribute *a) {
  char shown[64];
  unsigned streams = 0;
  const size_t length = strlen(a->value);
  if (length >= 1 && length <= 2 && a->value[0] != '0' &&
      strspn(a->value, "0123456789") == length)
    for (size_t i = 0; i < length; i++)
      streams = streams * 10 + (unsigned)(a->value[i] - '0');
  if (streams >= 1 && streams <= CAIRN_DAG_MAX_STREAMS)
    (void)cairn_dag_program_set_streams(x->program, streams);
  else
    cairn_dag__xml_complain(
        x, a->line, "streams=\"%s\": expected a whole number from 1 to %d",
        brief(a->value, shown), CAIRN_DAG_MAX_STREAMS);
}

void cairn_dag__xml_root(cairn_dag__xml *x,
                         const cairn_dag__xml_element *element) {
  const cairn_dag__xml_attribute *found[2];
  const char *name = "unnamed";
  char shown[64];
  x->root_line = element->line;
  if (strcmp(element->name, "program") != 0) {
    cairn_dag__xml_complain(
        x, element->line,
        "expected <program> as the outermost element, found <%s>",
        brief(element->name, shown));
    x->stop = 1;
    return;
  }
  if (sort_attributes(x, element, &program_shape, found) &&
      check_name(x, found[0]))
    name = found[0]->value;
  if (cairn_dag_program_create(name, &x->program) != CAIRN_OK) {
    cairn_dag__xml_no_memory(x);
    return;
  }
  if (found[1])
    read_streams(x, found[1]);
}

/* ---- plugin and param ---- */

static void read_plugin(cairn_dag__xml *x,
                        const cairn_dag__xml_element *element,
                        const cairn_dag__xml_attribute *library) {
  char shown[64];
  const size_t length = strlen(library->value);
  if (x->plugin_line)
    cairn_dag__xml_complain(
        x, element->line,
        "expected one <plugin>, found a second (the first is on "
        "line %zu)",
        x->plugin_line);
  else
    x->plugin_line = element->line;
  if (length < 1 || length > 1023 ||
      strspn(library->value, NAME_TAIL "+-/") != length)
    cairn_dag__xml_complain(
        x, library->line,
        "library=\"%s\": expected the name of a shared library "
        "(letters, digits and _.+-/, at most 1023 bytes)",
        brief(library->value, shown));
  else if (cairn_dag__program_set_plugin(x->program, library->value) !=
           CAIRN_OK)
    cairn_dag__xml_no_memory(x);
}

static void read_param(cairn_dag__xml *x, const cairn_dag__xml_attribute *name,
                       const cairn_dag__xml_attribute *value) {
  size_t count;
  if (!check_name(x, name))
    return;
  const cairn_dag_param *const params =
      cairn_dag__program_params(x->program, &count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(params[i].name, name->value) == 0) {
      cairn_dag__xml_complain(
          x, name->line,
          "parameter \"%s\" is declared twice: expected each "
          "name once",
          name->value);
      return;
    }
  if (count >= CAIRN_DAG__XML_MAX_PARAMS) {
    cairn_dag__xml_complain(x, name->line, "more than %d parameters",
                            CAIRN_DAG__XML_MAX_PARAMS);
    x->stop = 1;
    return;
  }
  if (cairn_dag__program_add_param(x->program, name->value, value->value,
                                   NULL) != CAIRN_OK)
    cairn_dag__xml_no_memory(x);
}

/* ---- ops ---- */

/* A name that other ops may use, although its op was not accepted. */
static void remember_refused(cairn_dag__xml *x, const char *name) {
  if (x->refused_count >= 100)
    return; /* enough was said already */
  if (cairn_base_reserve(&x->refused, &x->refused_capacity,
                         x->refused_count + 1, sizeof *x->refused) != CAIRN_OK)
    cairn_dag__xml_no_memory(x);
  else if ((x->refused[x->refused_count] = cairn_base_strdup(name)) == NULL)
    cairn_dag__xml_no_memory(x);
  else
    x->refused_count++;
}

static int was_refused(const cairn_dag__xml *x, const char *name) {
  for (size_t i = 0; i < x->refused_count; i++)
    if (strcmp(x->refused[i], name) == 0)
      return 1;
  return 0;
}

static void remember_after(cairn_dag__xml *x, unsigned op,
                           const cairn_dag__xml_attribute *a) {
  if (count_names(a->value) == 0) {
    cairn_dag__xml_complain(
        x, a->line,
        "after is empty: expected names of operations, or no "
        "after");
    return;
  }
  char *const names = cairn_base_strdup(a->value);
  if (!names ||
      cairn_base_reserve(&x->after, &x->after_capacity, x->after_count + 1,
                         sizeof *x->after) != CAIRN_OK) {
    cairn_base_free(names);
    cairn_dag__xml_no_memory(x);
    return;
  }
  x->after[x->after_count++] = (cairn_dag__xml_after){op, a->line, names};
}

static void add_op(cairn_dag__xml *x, cairn_dag_op *op,
                   const cairn_dag__xml_attribute *after) {
  unsigned id = 0;
  const cairn_status status =
      cairn_dag_program_add_op(x->program, op, x->diag, &id);
  if (status == CAIRN_INPUT) {
    if (x->status == CAIRN_OK)
      x->status = CAIRN_INPUT;
    if (x->ops > CAIRN_DAG_MAX_OPS)
      x->stop = 1;
    remember_refused(x, op->name);
  } else if (status != CAIRN_OK) {
    cairn_dag__xml_no_memory(x);
  } else if (after) {
    remember_after(x, id, after);
  }
}

static void read_op(cairn_dag__xml *x, const cairn_dag__xml_element *element,
                    cairn_dag_op_kind op_kind,
                    const cairn_dag__xml_attribute **found) {
  cairn_dag_op op = {.name = found[NAME]->value,
                     .kind = op_kind,
                     .arg = found[ARG] ? found[ARG]->value : NULL,
                     .file = x->path,
                     .line = element->line};
  if (found[CALL] && check_name(x, found[CALL]))
    op.call = found[CALL]->value;
  read_list(x, found[POSTS], &op.posts);
  read_list(x, found[FROM], &op.from);
  read_list(x, found[WAITS], &op.waits);
  read_list(x, found[READS], &op.reads);
  read_list(x, found[WRITES], &op.writes);
  if (strlen(op.name) > CAIRN_DAG_MAX_NAME)
    (void)check_name(x, found[NAME]);
  else if (x->status != CAIRN_NOMEM)
    add_op(x, &op, found[AFTER]);
  cairn_base_free((void *)op.posts.name);
  cairn_base_free((void *)op.from.name);
  cairn_base_free((void *)op.waits.name);
  cairn_base_free((void *)op.reads.name);
  cairn_base_free((void *)op.writes.name);
}

int cairn_dag__xml_child(cairn_dag__xml *x,
                         const cairn_dag__xml_element *element) {
  const cairn_dag__xml_attribute *found[OP_COUNT];
  char hint[320], shown[64];
  size_t which = 0;
  while (which < KINDS && strcmp(element->name, kind_names[which]) != 0)
    which++;
  if (which == KINDS) {
    cairn_dag__xml_complain(
        x, element->line,
        "unknown element <%s> in <program> (expected <plugin>, <param>, <gpu> "
        "or <cpu>)%s",
        brief(element->name, shown),
        cairn_dag__xml_hint(x, element->name, kind_names, KINDS, hint));
    return 0;
  }
  x->ops += which >= GPU;
  if (!sort_attributes(x, element, &shapes[which], found))
    return 1;
  if (which == PLUGIN)
    read_plugin(x, element, found[0]);
  else if (which == PARAM)
    read_param(x, found[0], found[1]);
  else
    read_op(x, element, which == GPU ? CAIRN_DAG_GPU : CAIRN_DAG_CPU, found);
  return 1;
}

/* ---- the whole ---- */

/* The op whose name is likely meant, as a hint. */
static const char *op_hint(const cairn_dag__xml *x, const char *name,
                           char buffer[320]) {
  const char *best = NULL;
  size_t best_distance = 3;
  buffer[0] = '\0';
  if (cairn_base_diag_errors(x->diag) >= ENOUGH)
    return buffer;
  const cairn_dag_op *op;
  for (unsigned id = 1; (op = cairn_dag_program_op(x->program, id)); id++) {
    const size_t distance = cairn_base__text_distance(name, op->name);
    if (distance < best_distance && 2 * distance < strlen(name)) {
      best = op->name;
      best_distance = distance;
    }
  }
  if (best)
    snprintf(buffer, 320, "; did you mean \"%s\"?", best);
  return buffer;
}

static void unknown_op(cairn_dag__xml *x, const cairn_dag__xml_after *after,
                       const char *name) {
  char hint[320], shown[64];
  const char *const op = cairn_dag_program_op(x->program, after->op)->name;
  if (strcmp(name, "start") == 0 || strcmp(name, "end") == 0)
    cairn_dag__xml_complain(
        x, after->line,
        "\"%s\" comes after \"%s\": expected an operation of "
        "this program (start and end are added by cairn)",
        op, name);
  else
    cairn_dag__xml_complain(
        x, after->line,
        "\"%s\" comes after \"%s\": expected an operation of "
        "this program%s",
        op, brief(name, shown), op_hint(x, name, hint));
}

static void resolve(cairn_dag__xml *x, const cairn_dag__xml_after *after) {
  char *cursor = after->names;
  for (char *name; !x->stop && (name = next_name(&cursor)) != NULL;) {
    const unsigned before = cairn_dag__program_find(x->program, name);
    if (before == 0 || before == UINT_MAX) {
      if (!was_refused(x, name))
        unknown_op(x, after, name);
      continue;
    }
    const cairn_status status =
        cairn_dag_program_add_edge(x->program, before, after->op, x->diag);
    if (status == CAIRN_NOMEM)
      cairn_dag__xml_no_memory(x);
    if (status == CAIRN_INPUT && x->status == CAIRN_OK)
      x->status = CAIRN_INPUT;
    if (status != CAIRN_OK)
      return;
  }
}

void cairn_dag__xml_finish(cairn_dag__xml *x) {
  const cairn_status before = x->status;
  if (!x->program || x->stop)
    return;
  if (x->ops == 0)
    cairn_dag__xml_complain(x, x->root_line,
                            "expected at least one <gpu> or <cpu>, found none");
  for (size_t i = 0; i < x->after_count && !x->stop; i++)
    resolve(x, &x->after[i]);
  /* sealing checks cycles and messages: it makes sense when all ops are in */
  if (before != CAIRN_OK || x->ops == 0 || x->stop)
    return;
  const cairn_status sealed = cairn_dag_program_seal(x->program, x->diag);
  if (sealed != CAIRN_OK)
    x->status = sealed;
}
