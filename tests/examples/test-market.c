/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test-market.c - the Matrix Market reader of example spmv: what it accepts,
 * each message it refuses with, and that damaged files never crash it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/spmv/matrix-market.h"

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

/* Refused, with this message. */
static void refused(const char *text, const char *expected) {
  spmv_matrix m;
  char message[300] = "";
  if (parse(text, strlen(text), 0, 1, &m, message, sizeof message) == 0) {
    spmv_matrix_free(&m);
    snprintf(message, sizeof message, "accepted");
  }
  if (strcmp(message, expected) != 0) {
    printf("FAIL: \"%s\"\n  expected %s\n  got      %s\n", text, expected,
           message);
    failures++;
  }
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
}

static void refusals(void) {
  refused("", "f:1: the file is empty");
  refused("%%MatrixMarket\n", "f:1: expected \"%%MatrixMarket matrix "
                              "coordinate FIELD SYMMETRY\"");
  refused("%%MatrixMarket matrix array real general\n",
          "f:1: only \"matrix coordinate\" can be read, not \"matrix array\"");
  refused(HEAD "complex general\n",
          "f:1: field \"complex\" is not real, integer or pattern");
  refused(HEAD "real hermitian\n",
          "f:1: symmetry \"hermitian\" is not general, symmetric or "
          "skew-symmetric (of numbers)");
  refused(HEAD "real general\n%\n",
          "f:2: the size line (rows columns entries) is missing");
  refused(HEAD "real general\n2 3 1\n",
          "f:2: the matrix is not square (2 x 3)");
  refused(HEAD "real general\n0 0 0\n",
          "f:2: rows 0 is not within 1 to 200000000");
  refused(HEAD "real general\n99999999999999999999 1 0\n",
          "f:2: rows 99999999999999999999 is not within 1 to 200000000");
  refused(HEAD "real general\n2 2\n", "f:2: expected entries, found \"\"");
  refused(HEAD "real general\n2 2 1 1\n",
          "f:2: more than three numbers in the size line");
  refused(HEAD "real general\n2 2 1\n3 1 1\n",
          "f:3: row 3 is not within 1 to 2");
  refused(HEAD "real general\n2 2 1\n1 0 1\n",
          "f:3: column 0 is not within 1 to 2");
  refused(HEAD "real general\n2 2 1\n1.5 1 1\n",
          "f:3: row \"1.5 1 1\" is not a whole number");
  refused(HEAD "real general\n2 2 1\n1 1\n",
          "f:3: expected a number, found \"\"");
  refused(HEAD "real general\n2 2 1\n1 1 inf\n",
          "f:3: value inf is not finite in single precision");
  refused(HEAD "real general\n2 2 1\n1 1 1e39\n",
          "f:3: value 1e39 is not finite in single precision");
  refused(HEAD "integer general\n2 2 1\n1 1 1.5\n",
          "f:3: value \"1.5\" is not a whole number");
  refused(HEAD "real general\n2 2 1\n1 1 1 1\n",
          "f:3: something follows the entry: \" 1\"");
  refused(HEAD "real general\n2 2 1\n1 1 1\n2 2 2\n",
          "f:4: more entries than the 1 promised");
  refused(HEAD "real general\n2 2 3\n1 1 1\n2 2 2\n",
          "f:4: the file ends after 2 of 3 entries");
  refused(HEAD "real symmetric\n2 2 1\n1 2 1\n",
          "f:3: an entry above the diagonal of a symmetric matrix");
  refused(HEAD "real skew-symmetric\n2 2 1\n2 2 1\n",
          "f:3: a diagonal entry in a skew-symmetric matrix");
  refused(HEAD "real general\n2 2 3\n1 2 1\n2 2 2\n1 2 3\n",
          "f:5: entry (1, 2) was given in line 3 already");
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
  accepts();
  refusals();
  damage(getenv("CAIRN_LONG") != NULL ? 2000000 : 20000);
  printf("%d failures\n", failures);
  return failures > 0;
}
