/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/xml.c - reads a program file with libxml2's SAX2 interface.
 *
 * No tree is built: elements are checked and go into the program as they come,
 * so memory is bounded by the size of the file.  A DOCTYPE ends the reading
 * before its content is looked at: no DTD, no entities, no network, and with
 * them no way to make a small file large.
 * Invariant: `<` stands in a start tag only as its first byte, so the start of
 * the tag at hand is found by going back from the parser's position; lines of
 * elements and attributes are exact, also in tags over several lines.
 */
#include "base/diag-private.h"
#include "base/format-private.h"
#include "dag/program/xml-private.h"
#include <cairn/dag.h>

#include <stdio.h>
#include <string.h>

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

typedef struct sax {
  cairn_dag__xml x;
  xmlParserCtxtPtr parser;
  size_t depth;
  size_t skip;   /* depth of an element whose content is left out, or 0 */
  int text_said; /* text in the element at hand was complained of */
} sax;

static void stop_reading(sax *s) {
  s->x.stop = 1;
  xmlStopParser(s->parser);
}

static size_t current_line(const sax *s) {
  return s->parser->input ? (size_t)s->parser->input->line : 0;
}

/* ---- start tags ---- */

/* The text of the start tag at hand, from its '<' to the parser's position. */
static const char *tag_start(const sax *s, const char **end_p) {
  const char *const base = (const char *)s->parser->input->base;
  const char *at = (const char *)s->parser->input->cur;
  *end_p = at;
  while (at > base && *at != '<')
    at--;
  return at;
}

static size_t newlines(const char *at, const char *end) {
  size_t count = 0;
  for (; at < end; at++)
    count += *at == '\n';
  return count;
}

/* Where an attribute begins in the tag, or the tag's end. */
static const char *attribute_start(const char *at, const char *end,
                                   const char *name) {
  const size_t length = strlen(name);
  while (at < end && !cairn_base_is_space(*at))
    at++;
  while (at < end) {
    while (at < end && cairn_base_is_space(*at))
      at++;
    const char *const start = at;
    while (at < end && *at != '=' && !cairn_base_is_space(*at))
      at++;
    if ((size_t)(at - start) == length && memcmp(start, name, length) == 0)
      return start;
    while (at < end && *at != '"' && *at != '\'')
      at++;
    const char quote = at < end ? *at++ : '\0';
    while (at < end && *at != quote)
      at++;
    at += at < end;
  }
  return end;
}

/* prefix:name, or name; NULL when memory is short.  Freed by the caller. */
static char *full_name(const xmlChar *prefix, const xmlChar *name) {
  cairn_base_text text = {0};
  if (prefix)
    cairn_base_text_addf(&text, "%s:", (const char *)prefix);
  cairn_base_text_add(&text, (const char *)name);
  if (text.failed)
    cairn_base_text_free(&text);
  return text.data;
}

static void free_element(cairn_dag__xml_element *element) {
  for (size_t i = 0; i < element->attributes; i++) {
    cairn_base_free((char *)element->attribute[i].name);
    cairn_base_free(element->attribute[i].value);
  }
  cairn_base_free(element->attribute);
  cairn_base_free((char *)element->name);
}

static int take_attribute(sax *s, const xmlChar **raw, const char *tag,
                          const char *end, cairn_dag__xml_attribute *a) {
  const size_t length = (size_t)(raw[4] - raw[3]);
  a->name = full_name(raw[1], raw[0]);
  a->value = cairn_base_strndup((const char *)raw[3], length);
  if (!a->name || !a->value)
    return 0;
  a->line = current_line(s) - newlines(attribute_start(tag, end, a->name), end);
  if (length > CAIRN_DAG__XML_MAX_ATTRIBUTE) {
    cairn_dag__xml_complain(
        &s->x, a->line,
        "%.60s: expected at most %d bytes in an attribute, found "
        "%zu",
        a->name, CAIRN_DAG__XML_MAX_ATTRIBUTE, length);
    stop_reading(s);
  }
  return 1;
}

/* Copies what libxml2 hands over; 0 when memory is short. */
static int take_element(sax *s, const xmlChar *name, const xmlChar *prefix,
                        size_t count, const xmlChar **raw,
                        cairn_dag__xml_element *element) {
  const char *end, *const tag = tag_start(s, &end);
  element->line = current_line(s) - newlines(tag, end);
  element->name = full_name(prefix, name);
  element->attribute = cairn_base_zalloc(count, sizeof *element->attribute);
  if (!element->name || !element->attribute)
    return 0;
  for (size_t i = 0; i < count; i++) {
    element->attributes = i + 1;
    if (!take_attribute(s, raw + 5 * i, tag, end, &element->attribute[i]))
      return 0;
  }
  return 1;
}

static void dispatch(sax *s, const cairn_dag__xml_element *element,
                     const xmlChar *uri) {
  if (uri) {
    cairn_dag__xml_complain(
        &s->x, element->line,
        "<%.60s> is in the namespace \"%.60s\": expected none", element->name,
        (const char *)uri);
    s->skip = s->depth;
  } else if (s->depth == 1) {
    cairn_dag__xml_root(&s->x, element);
  } else if (s->depth == 2) {
    s->skip = cairn_dag__xml_child(&s->x, element) ? 0 : s->depth;
  } else {
    cairn_dag__xml_complain(
        &s->x, element->line,
        "expected nothing inside an element of <program>, found "
        "<%.60s>",
        element->name);
    s->skip = s->depth;
  }
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix,
                     const xmlChar *uri, int namespaces, const xmlChar **spaces,
                     int count, int defaulted, const xmlChar **raw) {
  sax *const s = context;
  cairn_dag__xml_element element = {0};
  (void)namespaces, (void)spaces, (void)defaulted;
  s->depth++;
  s->text_said = 0;
  if (s->x.stop || s->skip)
    goto limit;
  if (!take_element(s, name, prefix, (size_t)count, raw, &element))
    cairn_dag__xml_no_memory(&s->x);
  else if (!s->x.stop)
    dispatch(s, &element, uri);
  free_element(&element);
limit:
  if (s->depth > CAIRN_DAG__XML_MAX_DEPTH && !s->x.stop) {
    cairn_dag__xml_complain(&s->x, current_line(s),
                            "expected at most %d nested elements",
                            CAIRN_DAG__XML_MAX_DEPTH);
    s->x.stop = 1;
  }
  if (s->x.stop)
    stop_reading(s);
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix,
                   const xmlChar *uri) {
  sax *const s = context;
  (void)name, (void)prefix, (void)uri;
  if (s->skip == s->depth)
    s->skip = 0;
  s->depth--;
  s->text_said = 0;
}

/* ---- everything else ---- */

static void on_text(void *context, const xmlChar *raw, int length) {
  sax *const s = context;
  const char *at = (const char *)raw, *const end = at + length;
  while (at < end && cairn_base_is_space(*at))
    at++;
  if (at == end || s->x.stop || s->skip || s->text_said)
    return;
  int shown = 0; /* the first line of it, without spaces at its end */
  for (int i = 0; at + i < end && at[i] != '\n' && i < 30; i++)
    if (!cairn_base_is_space(at[i]))
      shown = i + 1;
  s->text_said = 1;
  cairn_dag__xml_complain(
      &s->x, current_line(s) - newlines(at, end),
      "expected elements or comments, found the text \"%.*s\"", shown, at);
}

static void on_doctype(void *context, const xmlChar *name,
                       const xmlChar *public_id, const xmlChar *system_id) {
  sax *const s = context;
  (void)name, (void)public_id, (void)system_id;
  if (s->x.stop)
    return;
  cairn_dag__xml_complain(
      &s->x, current_line(s),
      "expected no DOCTYPE: a program file has no DTD and no "
      "entities");
  stop_reading(s);
}

/* What libxml2 can find, in words that do not depend on its version: `before`,
 * the name it found (or "opened on" and the line), `after`. */
typedef struct syntax_text {
  int code;
  const char *before, *after; /* after NULL: no name in between */
} syntax_text;

static const syntax_text syntax_texts[] = {
    {XML_ERR_ATTRIBUTE_REDEFINED, "attribute \"",
     "\" is given twice: expected it once"},
    {XML_ERR_UNDECLARED_ENTITY, "unknown entity &",
     "; (expected one of &lt; &gt; &amp; &quot; &apos; or a character by "
     "number)"},
    {XML_WAR_UNDECLARED_ENTITY, "unknown entity &",
     "; (expected one of &lt; &gt; &amp; &quot; &apos; or a character by "
     "number)"},
    {XML_ERR_DOCUMENT_END, "expected nothing after </program>", NULL},
    {XML_ERR_DOCUMENT_EMPTY, "expected <program>, found no element", NULL},
    {XML_ERR_DOCUMENT_START, "expected <program>, found no element", NULL},
    {XML_ERR_ATTRIBUTE_NOT_STARTED,
     "expected a quote before the value of an attribute", NULL},
    {XML_ERR_ATTRIBUTE_NOT_FINISHED,
     "expected a quote after the value of an attribute", NULL},
    {XML_ERR_ATTRIBUTE_WITHOUT_VALUE,
     "expected =\"value\" after the attribute \"", "\""},
    {XML_ERR_LT_IN_ATTRIBUTE,
     "expected &lt; in the value of an attribute, found <", NULL},
    {XML_ERR_SPACE_REQUIRED, "expected a space before the next attribute",
     NULL},
    {XML_ERR_GT_REQUIRED, "expected > at the end of a tag", NULL},
    {XML_ERR_TAG_NOT_FINISHED,
     "expected the closing tag of an element, found the end of the file", NULL},
    {XML_ERR_NAME_REQUIRED, "expected the name of an element or entity", NULL},
    {XML_ERR_ENTITYREF_SEMICOL_MISSING,
     "expected ; after an entity such as &amp;", NULL},
    {XML_ERR_INVALID_CHARREF, "expected the number of a character after &#",
     NULL},
    {XML_ERR_INVALID_HEX_CHARREF, "expected hex digits and ; after &#x", NULL},
    {XML_ERR_INVALID_DEC_CHARREF, "expected digits and ; after &#", NULL},
    {XML_ERR_INVALID_CHAR, "expected a character that XML allows", NULL},
    {XML_ERR_HYPHEN_IN_COMMENT, "expected no -- inside a comment", NULL},
    {XML_ERR_COMMENT_NOT_FINISHED, "expected --> at the end of a comment",
     NULL},
    {XML_ERR_CDATA_NOT_FINISHED, "expected ]]> at the end of a CDATA section",
     NULL},
    {XML_ERR_MISPLACED_CDATA_END, "expected no ]]> in text", NULL},
    {XML_ERR_PI_NOT_STARTED, "expected a name after <?", NULL},
    {XML_ERR_PI_NOT_FINISHED,
     "expected ?> at the end of a processing instruction", NULL},
    {XML_ERR_RESERVED_XML_NAME,
     "expected <?xml ...?> only at the start of the file", NULL},
    {XML_ERR_VERSION_MISSING, "expected version=\"1.0\" in <?xml ...?>", NULL},
    {XML_ERR_UNKNOWN_VERSION, "expected version \"1.0\" of XML, found \"",
     "\""},
    {XML_ERR_XMLDECL_NOT_FINISHED, "expected ?> at the end of <?xml ...?>",
     NULL},
    {XML_ERR_STANDALONE_VALUE, "standalone: expected \"yes\" or \"no\"", NULL},
    {XML_NS_ERR_UNDEFINED_NAMESPACE,
     "expected a name without prefix, found the undeclared prefix \"", "\""},
};

/* Reports a syntax error: of libxml2's own words only the rarest are left. */
static void say_syntax(sax *s, const xmlError *e, size_t line) {
  const char *const message = e->message ? e->message : "unknown error";
  const char *const name = e->str1 ? e->str1 : "";
  if (e->code == XML_ERR_TAG_NAME_MISMATCH) {
    cairn_dag__xml_complain(
        &s->x, line, "expected </%.60s> (opened on line %d), found </%.60s>",
        name, e->int1, e->str2 ? e->str2 : "");
    return;
  }
  for (size_t i = 0; i < sizeof syntax_texts / sizeof *syntax_texts; i++) {
    const syntax_text *const t = &syntax_texts[i];
    if (t->code == e->code) {
      cairn_dag__xml_complain(&s->x, line, "%s%.60s%s", t->before,
                              t->after ? name : "", t->after ? t->after : "");
      return;
    }
  }
  cairn_dag__xml_complain(&s->x, line, "not well-formed XML: %.*s",
                          (int)strcspn(message, "\n"), message);
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlErrorPtr error_pointer;
#endif

static void on_error(void *context, error_pointer e) {
  sax *const s = context;
  if (e->level < XML_ERR_ERROR || s->x.stop)
    return;
  if (e->code == XML_ERR_NO_MEMORY)
    cairn_dag__xml_no_memory(&s->x);
  else
    say_syntax(s, e, e->line > 0 ? (size_t)e->line : current_line(s));
  stop_reading(s);
}

/* ---- reading ---- */

static void set_handlers(xmlSAXHandler *handlers) {
  memset(handlers, 0, sizeof *handlers);
  handlers->initialized = XML_SAX2_MAGIC;
  handlers->startElementNs = on_start;
  handlers->endElementNs = on_end;
  handlers->characters = on_text;
  handlers->cdataBlock = on_text;
  handlers->internalSubset = on_doctype;
  handlers->serror = on_error;
}

static void parse(sax *s, const char *data, size_t length) {
  int options = XML_PARSE_NONET | XML_PARSE_BIG_LINES;
#if LIBXML_VERSION >= 21300
  options |= XML_PARSE_NO_XXE;
#endif
  s->parser = xmlCreateMemoryParserCtxt(data, (int)length);
  if (!s->parser) {
    cairn_dag__xml_no_memory(&s->x);
    return;
  }
  set_handlers(s->parser->sax);
  s->parser->userData = s;
  xmlCtxtUseOptions(s->parser, options);
  xmlParseDocument(s->parser);
  if (s->parser->errNo == XML_ERR_NO_MEMORY)
    cairn_dag__xml_no_memory(&s->x);
  if (s->parser->myDoc) {
    xmlFreeDoc(s->parser->myDoc);
    s->parser->myDoc = NULL;
  }
  if (!s->parser->wellFormed && s->x.status == CAIRN_OK)
    cairn_dag__xml_complain(&s->x, current_line(s), "not well-formed XML");
  xmlFreeParserCtxt(s->parser);
}

static void free_state(cairn_dag__xml *x) {
  for (size_t i = 0; i < x->after_count; i++)
    cairn_base_free(x->after[i].names);
  for (size_t i = 0; i < x->refused_count; i++)
    cairn_base_free(x->refused[i]);
  cairn_base_free(x->after);
  cairn_base_free(x->refused);
}

/* A CR without a line feed ends a line, says XML; libxml2 does not count it. */
static void end_lines(char *data, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (data[i] == '\r' && (i + 1 == length || data[i + 1] != '\n'))
      data[i] = '\n';
}

cairn_status cairn_dag_program_read_memory(const char *data, size_t length,
                                           const char *path,
                                           cairn_base_diag *diag,
                                           cairn_dag_program **program_p) {
  sax s = {.x = {.path = path, .diag = diag}};
  /* NUL-terminated for the looks ahead of the first checks */
  char *const copy = cairn_base_strndup(data, length);
  if (!copy)
    return CAIRN_NOMEM;
  end_lines(copy, length);
  const locale_t before = cairn_base__locale_enter();
  if (cairn_dag__xml_plain(&s.x, copy, length)) {
    parse(&s, copy, length);
    cairn_dag__xml_finish(&s.x);
  }
  cairn_base__locale_leave(before);
  cairn_base_free(copy);
  free_state(&s.x);
  cairn_base__diag_sort(diag);
  if (s.x.status == CAIRN_OK)
    *program_p = s.x.program;
  else
    cairn_dag_program_free(s.x.program);
  return s.x.status;
}

cairn_status cairn_dag_program_read(const char *path, cairn_base_diag *diag,
                                    cairn_dag_program **program_p) {
  char *data;
  size_t length;
  cairn_status status =
      cairn_base_file_read(path, CAIRN_DAG__XML_MAX_FILE, diag, &data, &length);
  if (status != CAIRN_OK)
    return status;
  status = cairn_dag_program_read_memory(data, length, path, diag, program_p);
  cairn_base_free(data);
  return status;
}
