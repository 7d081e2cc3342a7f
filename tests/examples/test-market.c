/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test-market.c - the Matrix Market reader of example spmv: what it accepts,
 * each message it refuses with (tests/data/matrix-bad.txt), and that damaged
 * files never crash it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "examples/spmv/matrix-market.h"
#include "tests/dag/corpus.h"
#include <cairn/base.h>

#define HEAD "%%MatrixMarket matrix coordinate "

static int failures;

static int parse(const char *text, size_t length, int part, int parts,
                 spmv_matrix *m, char *message, size_t size) {
  FILE *file = fmemopen((void *)(size_t)text, length, "r");
  if (file == NULL)
    return -1;
  int status = spmv_market_parse(file, "f", part, parts, m, message, size);
  fclose(file);
  return status;
}

/* Refused, and with the same message by one of three ranks at least (a repeat
 * is seen by the rank that holds the row). */
static void refused(const corpus_case *c, cairn_base_text *found) {
  char whole[300] = "";
  int same = 0;
  for (int part = -1; part < 3; part++) {
    spmv_matrix m;
    char message[300] = "";
    if (parse(c->input, c->length, part < 0 ? 0 : part, part < 0 ? 1 : 3, &m,
              message, sizeof message) == 0) {
      spmv_matrix_free(&m);
      snprintf(message, sizeof message, "f:accepted");
    }
    if (part < 0)
      strcpy(whole, message);
    same += part >= 0 && strcmp(message, whole) == 0;
  }
  cairn_base_text_addf(found, "%s\n%s", whole + 2,
                       same ? "" : "no rank says so\n");
}

/* Accepted; the rows of part p of n print as expected: "row:column=value". */
static void accepted(const char *text, int part, int parts,
                     const char *expected) {
  spmv_matrix m;
  char message[300] = "", seen[500] = "";
  if (parse(text, strlen(text), part, parts, &m, message, sizeof message) ==
      0) {
    for (int i = 0; i < m.csr.rows; i++)
      for (long long k = m.csr.start[i]; k < m.csr.start[i + 1]; k++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%lld:%d=%g ",
                 (long long)m.first + i, (int)m.csr.column[k],
                 (double)m.csr.value[k]);
    spmv_matrix_free(&m);
  } else {
    snprintf(seen, sizeof seen, "%s", message);
  }
  if (strcmp(seen, expected) != 0) {
    printf("FAIL: \"%s\"\n  expected %s\n  got      %s\n", text, expected,
           seen);
    failures++;
  }
}

static void accepts(void) {
  const char *general = HEAD "real general\n% c\n\n3 3 4\n3 1 -2e-1\n1 1 1\n"
                             "1 3 .5\n2 2 4\n\n";
  accepted(general, 0, 1, "0:0=1 0:2=0.5 1:1=4 2:0=-0.2 ");
  accepted(general, 0, 2, "0:0=1 0:2=0.5 ");
  accepted(general, 1, 2, "1:1=4 2:0=-0.2 ");
  accepted(general, 0, 5, ""); /* more parts than rows */
  accepted(HEAD "real symmetric\n2 2 2\r\n1 1 3\r\n2 1 7\r\n", 0, 1,
           "0:0=3 0:1=7 1:0=7 ");
  accepted(HEAD "Integer Skew-Symmetric\n2 2 1\n2 1 7", 0, 1, "0:1=-7 1:0=7 ");
  accepted(HEAD "pattern general\n2 2 1\n2\t1 \n", 0, 1, "1:0=1 ");
  accepted(HEAD "real general\n1 1 0\n", 0, 1, "");
  /* as many empty rows as there may be */
  accepted(HEAD "real general\n1000001 1000001 1\n1000001 1 4\n", 0, 1,
           "1000000:0=4 ");
  accepted(HEAD "real symmetric\n1000002 1000002 1\n1000002 1 4\n", 1, 2,
           "1000001:0=4 ");
}

/* What a few bytes promise costs no memory. */
static void little_memory(void) {
#if !defined __SANITIZE_ADDRESS__
  const struct rlimit limit = {64 << 20, 64 << 20};
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

/* One to four random bytes of good files are changed, or the end cut off. */
static void damage(int rounds) {
  static const char *const good[] = {
      HEAD "real general\n% c\n3 3 4\n3 1 -2e-1\n1 1 1\n1 3 .5\n2 2 4\n",
      HEAD "integer skew-symmetric\n4 4 2\n2 1 7\n4 2 -3\n",
      HEAD "pattern symmetric\n4 4 3\n2 1\n4 2\n4 4\n"};
  unsigned seed = 12345;
  for (int i = 0; i < rounds; i++) {
    char text[200], message[60];
    spmv_matrix m;
    size_t length = strlen(good[i % 3]);
    memcpy(text, good[i % 3], length);
    for (unsigned k = 0; k <= (unsigned)i % 4; k++) {
      seed = seed * 1664525u + 1013904223u;
      text[(seed >> 8) % length] = "0123456789 -.e\n\r\t%\0\xff"[seed % 20];
    }
    if (i % 5 == 0)
      length = 1 + (seed >> 8) % length;
    if (parse(text, length, i % 2, 2, &m, message, sizeof message) == 0) {
      if (m.csr.start[m.csr.rows] > 20)
        failures++;
      spmv_matrix_free(&m);
    }
  }
}

int main(void) {
  little_memory();
  accepts();
  failures += corpus_check("matrix-bad.txt", refused);
  damage(getenv("CAIRN_LONG") != NULL ? 2000000 : 20000);
  printf("%d failures\n", failures);
  return failures > 0;
}
