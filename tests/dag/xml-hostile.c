/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/xml-hostile.c - program files made to hurt: each is refused with a
 * message in under a second of processor time and 64 MB of memory, measured in
 * a process of its own.
 */
#include "base/text-private.h"
#include "tests/dag/journal-tools.h"
#include <cairn/dag.h>

#include <sys/resource.h>
#include <sys/wait.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

enum { MAX_MS = 1000, MAX_KIB = 64 * 1024 };

typedef struct hostile {
  const char *name, *says;
  void (*make)(cairn_base_text *out);
} hostile;

static void repeat(cairn_base_text *out, const char *text, size_t count) {
  for (size_t i = 0; i < count; i++)
    cairn_base_text_add(out, text);
}

static void laughs(cairn_base_text *out) {
  cairn_base_text_add(out, "<!DOCTYPE l [<!ENTITY l0 \"lol\">");
  for (int i = 1; i < 10; i++) {
    cairn_base_text_addf(out, "<!ENTITY l%d \"", i);
    for (int k = 0; k < 10; k++)
      cairn_base_text_addf(out, "&l%d;", i - 1);
    cairn_base_text_add(out, "\">");
  }
  cairn_base_text_add(out, "]><program name=\"&l9;\"><gpu name=\"a\"/>"
                           "</program>");
}

static void quadratic(cairn_base_text *out) {
  cairn_base_text_add(out, "<!DOCTYPE l [<!ENTITY l \"");
  repeat(out, "x", 100000);
  cairn_base_text_add(out, "\">]><program name=\"p\"><gpu name=\"a\" arg=\"");
  repeat(out, "&l;", 20000);
  cairn_base_text_add(out, "\"/></program>");
}

static void parameter_entities(cairn_base_text *out) {
  cairn_base_text_add(out, "<!DOCTYPE l [<!ENTITY % a \"<!ENTITY b 'c'>\">");
  repeat(out, "%a;", 50000);
  cairn_base_text_add(out, "]><program name=\"p\"><gpu name=\"a\"/></program>");
}

static void external(cairn_base_text *out) {
  cairn_base_text_add(out,
                      "<!DOCTYPE p [<!ENTITY x SYSTEM \"file:///dev/zero\">]>"
                      "<program name=\"p\"><gpu name=\"a\" arg=\"&x;\"/>"
                      "</program>");
}

static void external_dtd(cairn_base_text *out) {
  cairn_base_text_add(out, "<!DOCTYPE p SYSTEM \"http://192.0.2.1/x.dtd\">"
                           "<program name=\"p\"><gpu name=\"a\"/></program>");
}

static void deep(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\">");
  repeat(out, "<gpu>", 1000000);
}

static void attribute(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\"><gpu name=\"a\" arg=\"");
  repeat(out, "x", 7900000);
  cairn_base_text_add(out, "\"/></program>");
}

static void element_name(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\"><");
  repeat(out, "e", 60000);
  cairn_base_text_add(out, "/></program>");
}

static void many_attributes(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\"><gpu name=\"a\"");
  for (int i = 0; i < 200000; i++)
    cairn_base_text_addf(out, " a%d=\"\"", i);
  cairn_base_text_add(out, "/></program>");
}

static void many_elements(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\">");
  repeat(out, "<a/>", 1900000);
  cairn_base_text_add(out, "</program>");
}

static void unknown_references(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\">");
  for (int i = 0; i < 4000; i++)
    cairn_base_text_addf(out, "<gpu name=\"operation_number_%d\"/>", i);
  for (int i = 0; i < 90; i++) {
    cairn_base_text_addf(out, "<gpu name=\"z%d\" after=\"", i);
    repeat(out, "operation_nunber_1 ", 3000);
    cairn_base_text_add(out, "\"/>");
  }
  cairn_base_text_add(out, "</program>");
}

static void unposted_messages(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\">");
  for (int i = 0; i < 4000; i++)
    cairn_base_text_addf(out,
                         "<cpu name=\"a%d\" posts=\"message_numbers_%d\" "
                         "waits=\"message_nunber%d message_q message_r "
                         "message_s message_t message_u\"/>",
                         i, i, i);
  cairn_base_text_add(out, "</program>");
}

static void edges(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\"><gpu name=\"a\"/>"
                           "<gpu name=\"b\"/>");
  for (int i = 0; i < 8; i++) {
    cairn_base_text_addf(out, "<gpu name=\"z%d\" after=\"", i);
    repeat(out, "a b ", 240000);
    cairn_base_text_add(out, "\"/>");
  }
  cairn_base_text_add(out, "</program>");
}

static void long_cycle(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\">");
  for (int i = 0; i < 4096; i++)
    cairn_base_text_addf(out, "<gpu name=\"a%d\" after=\"a%d\"/>", i,
                         (i + 1) % 4096);
  cairn_base_text_add(out, "</program>");
}

static void nuls(cairn_base_text *out) {
  static const char block[65536];
  for (int i = 0; i < 100; i++)
    cairn_base__text_add_bytes(out, block, sizeof block);
}

static void bad_utf8(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\">\n");
  repeat(out, "<!-- \xff\xfe -->\n", 400000);
}

static void comment(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\"><!--");
  repeat(out, "- ", 3900000);
}

static void lines(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\">");
  repeat(out, "\n", 70000);
  cairn_base_text_add(out, "<gpuu/></program>");
}

static void character_references(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\"><gpu name=\"a\" arg=\"");
  repeat(out, "&#x0000000000041;", 450000);
  cairn_base_text_add(out, "\"/><b/></program>");
}

static void namespaces(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\"");
  for (int i = 0; i < 20000; i++)
    cairn_base_text_addf(out, " xmlns:n%d=\"urn:%d\"", i, i);
  cairn_base_text_add(out, "><b/></program>");
}

static void too_large(cairn_base_text *out) {
  cairn_base_text_add(out, "<program name=\"p\"><gpu name=\"a\"/>");
  repeat(out, "        ", (8 << 20) / 8);
  cairn_base_text_add(out, "</program>");
}

static const hostile cases[] = {
    {"billion laughs", "DOCTYPE", laughs},
    {"quadratic entities", "DOCTYPE", quadratic},
    {"parameter entities", "DOCTYPE", parameter_entities},
    {"external entity", "DOCTYPE", external},
    {"external DTD", "DOCTYPE", external_dtd},
    {"a million nested elements", "at most 16 nested", deep},
    {"attribute of 7.9 MB", "at most 1048576 bytes", attribute},
    {"element name of 60,000 bytes", "", element_name},
    {"200,000 attributes", "at most 64 attributes", many_attributes},
    {"1.9 million unknown elements", "unknown element <a>", many_elements},
    {"270,000 unknown references", "did you mean", unknown_references},
    {"24,000 unposted messages", "which no operation posts", unposted_messages},
    {"3.8 million edges", "too many edges", edges},
    {"cycle of 4,096", "cycle", long_cycle},
    {"6.5 MB of NULs", "NUL byte at offset 0", nuls},
    {"bad UTF-8", "expected UTF-8, found byte 0xff at offset 24", bad_utf8},
    {"comment without end", "", comment},
    {"70,001 lines", "unknown element <gpuu>", lines},
    {"450,000 character references", "unknown element <b>",
     character_references},
    {"20,000 namespaces", "at most 64 attributes", namespaces},
    {"file over the limit", "larger than 8388608 bytes", too_large},
};

/* In the child: reads the file; 0 when it was refused as it should. */
static int read_it(const hostile *h) {
  cairn_dag_program *program = NULL;
  cairn_base_diag *const diag = tools_diag();
  const cairn_status status =
      cairn_dag_program_read("hostile.xml", diag, &program);
  int bad = status != CAIRN_INPUT, said = 0;
  for (size_t i = 0; i < cairn_base_diag_count(diag); i++) {
    const cairn_base_message *const m = cairn_base_diag_get(diag, i);
    said |= strstr(m->text, h->says) != NULL;
    if (h->make == lines && said && m->line != 70001)
      bad = 1;
  }
  if (bad || !said)
    cairn_base_diag_print(diag, stdout);
  cairn_base_diag_free(diag);
  fflush(stdout);
  return bad || !said;
}

static long milliseconds(struct timeval t) {
  return (long)t.tv_sec * 1000 + (long)t.tv_usec / 1000;
}

static void run_case(const hostile *h, long base_kib) {
  cairn_base_text text = {0};
  struct rusage used;
  int status = 0;
  h->make(&text);
  tools_write("hostile.xml", text.data, text.length);
  cairn_base_text_free(&text);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(read_it(h));
  }
  if (child < 0 || wait4(child, &status, 0, &used) != child)
    exit(99);
  const long ms = milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
  const long kib = used.ru_maxrss;
  printf("%-32s %5ld ms %6ld KiB\n", h->name, ms, kib);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: status %x", h->name,
        (unsigned)status);
  CHECK(SANITIZED || getenv("CAIRN_SLOW") || ms < MAX_MS, "%s: %ld ms", h->name,
        ms);
  CHECK(SANITIZED || getenv("CAIRN_SLOW") || kib < MAX_KIB,
        "%s: %ld KiB (empty: %ld)", h->name, kib, base_kib);
}

int main(void) {
  char folder[64];
  struct rusage self;
  tools_enter(folder);
  setvbuf(stdout, NULL, _IOLBF, 0);
  getrusage(RUSAGE_SELF, &self);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    run_case(&cases[i], self.ru_maxrss);
  unlink("hostile.xml");
  tools_leave(folder);
  return tools_fails ? 1 : 0;
}
