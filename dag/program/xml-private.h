/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/xml-private.h - what the files of the program reader share; only
 * dag/xml*.c see libxml2.
 *
 *   bytes -> xml-syntax.c (limits, UTF-8) -> libxml2's SAX2 events -> xml.c
 *         -> xml-check.c (elements, attributes, names) -> cairn_dag_program
 */
#ifndef CAIRN_DAG_PROGRAM_XML_PRIVATE_H
#define CAIRN_DAG_PROGRAM_XML_PRIVATE_H

#include "base/text-private.h"
#include <cairn/dag.h>

/* Limits; messages name them. */
enum {
  CAIRN_DAG__XML_MAX_FILE = 8 << 20,      /* bytes */
  CAIRN_DAG__XML_MAX_ATTRIBUTE = 1 << 20, /* bytes of a value */
  CAIRN_DAG__XML_MAX_DEPTH = 16,          /* nested elements */
  CAIRN_DAG__XML_MAX_ATTRIBUTES = 64,     /* of one element */
  CAIRN_DAG__XML_MAX_PARAMS = 1024,
  CAIRN_DAG__XML_MAX_ERRORS = 1000 /* then the rest is not looked at */
};

/* One attribute of the element at hand. */
typedef struct cairn_dag__xml_attribute {
  const char *name; /* with its prefix, if any */
  char *value;
  size_t line;
} cairn_dag__xml_attribute;

/* An element with its attributes. */
typedef struct cairn_dag__xml_element {
  const char *name;
  size_t line;
  cairn_dag__xml_attribute *attribute;
  size_t attributes;
} cairn_dag__xml_element;

/* An `after` list, resolved when all ops are known. */
typedef struct cairn_dag__xml_after {
  unsigned op;
  size_t line;
  char *names;
} cairn_dag__xml_after;

typedef struct cairn_dag__xml {
  const char *path;
  cairn_base_diag *diag;
  cairn_dag_program *program; /* NULL until <program> was accepted */
  cairn_status status;        /* CAIRN_NOMEM ends everything */
  size_t root_line, plugin_line;
  size_t ops; /* <gpu> and <cpu> seen, accepted or not */
  cairn_dag__xml_after *after;
  size_t after_count, after_capacity;
  char **refused; /* names of ops that were not accepted: no further
                     message where they are used */
  size_t refused_count, refused_capacity;
  size_t errors;
  int stop; /* a limit was passed: read no further */
} cairn_dag__xml;

/* Adds an error and makes the status CAIRN_INPUT. */
void cairn_dag__xml_complain(cairn_dag__xml *x, size_t line, const char *format,
                             ...) CAIRN_PRINTF(3, 4);
/* Remembers that memory is short. */
void cairn_dag__xml_no_memory(cairn_dag__xml *x);
/* "; did you mean "NAME"?" or "" (in *buffer); costs nothing once enough
 * errors were found. */
const char *cairn_dag__xml_hint(const cairn_dag__xml *x, const char *word,
                                const char *const *known, size_t count,
                                char buffer[320]);

/* xml-syntax.c: what no XML parser needs to see.  1 when all is well. */
int cairn_dag__xml_plain(cairn_dag__xml *x, const char *data, size_t length);

/* xml-check.c: one element of the file, as root or inside it; and, after the
 * last, references, cycles, messages. */
void cairn_dag__xml_root(cairn_dag__xml *x,
                         const cairn_dag__xml_element *element);
/* 0: an unknown element, whose content is not worth a look. */
int cairn_dag__xml_child(cairn_dag__xml *x,
                         const cairn_dag__xml_element *element);
void cairn_dag__xml_finish(cairn_dag__xml *x);

#endif
