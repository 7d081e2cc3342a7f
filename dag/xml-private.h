/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/xml-private.h - what the files of the program reader share; only
 * dag/xml*.c see libxml2.
 *
 *   bytes -> xml-syntax.c (limits, UTF-8) -> libxml2's SAX2 events -> xml.c
 *         -> xml-check.c (elements, attributes, names) -> cairn_dag_program
 */
#ifndef CAIRN_DAG_XML_PRIVATE_H
#define CAIRN_DAG_XML_PRIVATE_H

#include <cairn/dag.h>

/* Limits; messages name them. */
enum {
  DAG__XML_MAX_FILE = 8 << 20,      /* bytes */
  DAG__XML_MAX_ATTRIBUTE = 1 << 20, /* bytes of a value */
  DAG__XML_MAX_DEPTH = 16,          /* nested elements */
  DAG__XML_MAX_ATTRIBUTES = 64,     /* of one element */
  DAG__XML_MAX_PARAMS = 1024,
  DAG__XML_MAX_ERRORS = 1000 /* then the rest is not looked at */
};

/* One attribute of the element at hand. */
typedef struct dag__xml_attribute {
  const char *name; /* with its prefix, if any */
  char *value;
  size_t line;
} dag__xml_attribute;

/* An element with its attributes. */
typedef struct dag__xml_element {
  const char *name;
  size_t line;
  dag__xml_attribute *attribute;
  size_t attributes;
} dag__xml_element;

/* An `after` list, resolved when all ops are known. */
typedef struct dag__xml_after {
  unsigned op;
  size_t line;
  char *names;
} dag__xml_after;

typedef struct dag__xml {
  const char *path;
  cairn_base_diag *diag;
  cairn_dag_program *program; /* NULL until <program> was accepted */
  cairn_status status;        /* CAIRN_NOMEM ends everything */
  size_t root_line, plugin_line;
  size_t ops; /* <gpu> and <cpu> seen, accepted or not */
  dag__xml_after *after;
  size_t after_count, after_capacity;
  char **refused; /* names of ops that were not accepted: no further
                     message where they are used */
  size_t refused_count, refused_capacity;
  size_t errors;
  int stop; /* a limit was passed: read no further */
} dag__xml;

/* Adds an error and makes the status CAIRN_INPUT. */
void dag__xml_complain(dag__xml *x, size_t line, const char *format, ...)
    CAIRN_PRINTF(3, 4);
/* Remembers that memory is short. */
void dag__xml_no_memory(dag__xml *x);
/* "; did you mean "NAME"?" or "" (in *buffer); costs nothing once enough
 * errors were found. */
const char *dag__xml_hint(const dag__xml *x, const char *word,
                          const char *const *known, size_t count,
                          char buffer[320]);

/* xml-syntax.c: what no XML parser needs to see.  1 when all is well. */
int dag__xml_plain(dag__xml *x, const char *data, size_t length);

/* xml-check.c: one element of the file, as root or inside it; and, after the
 * last, references, cycles, messages. */
void dag__xml_root(dag__xml *x, const dag__xml_element *element);
/* 0: an unknown element, whose content is not worth a look. */
int dag__xml_child(dag__xml *x, const dag__xml_element *element);
void dag__xml_finish(dag__xml *x);

#endif
