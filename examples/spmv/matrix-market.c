/* SPDX-License-Identifier: BSD-3-Clause
 *
 * matrix-market.c - the reader: banner, comments, size line, then one entry a
 * line.  Entries are kept as triples with their line, sorted by row and
 * column, checked for repeats, and packed.  Anything odd is an error with its
 * line: a matrix read wrong is worse than one not read.
 */
#include "matrix-market.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LINE_MAX_BYTES 1024 /* as the format says */

typedef struct entry {
  int32_t row, column; /* 0-based, global */
  float value;
  uint32_t line;
} entry;

enum symmetry { GENERAL, SYMMETRIC, SKEW };

typedef struct reader {
  FILE *file;
  const char *name;
  int64_t line;
  char text[LINE_MAX_BYTES + 2];
  int pattern, integer;
  enum symmetry symmetry;
  int64_t rows, promised, first, last;
  entry *entries;
  size_t count, capacity;
  char *message;
  size_t size;
} reader;

static int fail(const reader *r, int64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int fail(const reader *r, int64_t line, const char *format, ...) {
  char reason[200];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  for (char *c = reason; *c; c++) /* the file's bytes may be anything */
    if (*c < ' ' || *c > '~')
      *c = '?';
  snprintf(r->message, r->size, "%s:%lld: %s", r->name, (long long)line,
           reason);
  return 1;
}

/* Next line without its end; 0 ok, 1 error, -1 end of file. */
static int next_line(reader *r) {
  size_t length = 0;
  int c = getc_unlocked(r->file);
  if (c == EOF)
    return ferror(r->file) ? fail(r, r->line, "%s", strerror(errno)) : -1;
  r->line++;
  for (; c != EOF && c != '\n'; c = getc_unlocked(r->file)) {
    if (c == 0)
      return fail(r, r->line, "a NUL byte");
    if (length == LINE_MAX_BYTES)
      return fail(r, r->line, "a line longer than %d bytes", LINE_MAX_BYTES);
    r->text[length++] = (char)c;
  }
  if (length > 0 && r->text[length - 1] == '\r')
    length--;
  r->text[length] = 0;
  return 0;
}

static int is_blank(const char *text) { return text[strspn(text, " \t")] == 0; }

/* Takes an integer within [low, high] off *text_p. */
static int take_integer(const reader *r, const char **text_p, const char *what,
                        int64_t low, int64_t high, int64_t *value_p) {
  const char *text = *text_p + strspn(*text_p, " \t");
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (end == text)
    return fail(r, r->line, "expected %s, found \"%.40s\"", what, text);
  if (*end != 0 && *end != ' ' && *end != '\t')
    return fail(r, r->line, "%s \"%.40s\" is not a whole number", what, text);
  if (errno != 0 || value < low || value > high)
    return fail(r, r->line, "%s %.*s is not within %lld to %lld", what,
                (int)(end - text), text, (long long)low, (long long)high);
  *value_p = value;
  *text_p = end;
  return 0;
}

static int take_real(const reader *r, const char **text_p, float *value_p) {
  const char *text = *text_p + strspn(*text_p, " \t");
  char *end;
  const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  const locale_t before = uselocale(c); /* a point is a point in any locale */
  double value = strtod(text, &end);
  uselocale(before);
  freelocale(c);
  if (end == text || (*end != 0 && *end != ' ' && *end != '\t'))
    return fail(r, r->line, "expected a number, found \"%.40s\"", text);
  if (!isfinite((float)value))
    return fail(r, r->line, "value %.40s is not finite in single precision",
                text);
  *value_p = (float)value;
  *text_p = end;
  return 0;
}

static int read_banner(reader *r) {
  char object[32], format[32], field[32], symmetry[32];
  int status = next_line(r);
  if (status > 0)
    return 1;
  if (status < 0)
    return fail(r, 1, "the file is empty");
  if (strncmp(r->text, "%%MatrixMarket ", 15) != 0 ||
      sscanf(r->text + 15, "%31s %31s %31s %31s", object, format, field,
             symmetry) != 4)
    return fail(r, 1,
                "expected \"%%%%MatrixMarket matrix coordinate FIELD "
                "SYMMETRY\"");
  if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate"))
    return fail(r, 1, "only \"matrix coordinate\" can be read, not \"%s %s\"",
                object, format);
  r->pattern = strcasecmp(field, "pattern") == 0;
  r->integer = strcasecmp(field, "integer") == 0;
  if (!r->pattern && !r->integer && strcasecmp(field, "real") != 0)
    return fail(r, 1, "field \"%s\" is not real, integer or pattern", field);
  if (strcasecmp(symmetry, "general") == 0)
    r->symmetry = GENERAL;
  else if (strcasecmp(symmetry, "symmetric") == 0)
    r->symmetry = SYMMETRIC;
  else if (strcasecmp(symmetry, "skew-symmetric") == 0 && !r->pattern)
    r->symmetry = SKEW;
  else
    return fail(r, 1,
                "symmetry \"%s\" is not general, symmetric or "
                "skew-symmetric (of numbers)",
                symmetry);
  return 0;
}

static int read_sizes(reader *r, int part, int parts) {
  int64_t columns;
  int status;
  do
    status = next_line(r);
  while (status == 0 && (r->text[0] == '%' || is_blank(r->text)));
  if (status > 0)
    return 1;
  if (status < 0)
    return fail(r, r->line, "the size line (rows columns entries) is missing");
  const char *text = r->text;
  if (take_integer(r, &text, "rows", 1, SPMV_MAX_ROWS, &r->rows) != 0 ||
      take_integer(r, &text, "columns", 1, SPMV_MAX_ROWS, &columns) != 0 ||
      take_integer(r, &text, "entries", 0, INT32_MAX, &r->promised) != 0)
    return 1;
  if (!is_blank(text))
    return fail(r, r->line, "more than three numbers in the size line");
  if (columns != r->rows)
    return fail(r, r->line, "the matrix is not square (%lld x %lld)",
                (long long)r->rows, (long long)columns);
  const int64_t filled = r->symmetry == GENERAL ? r->promised : 2 * r->promised;
  if (r->rows - filled > SPMV_MAX_EMPTY_ROWS)
    return fail(
        r, r->line, "%lld rows and only %lld entries: more than %d empty rows",
        (long long)r->rows, (long long)r->promised, SPMV_MAX_EMPTY_ROWS);
  r->first = spmv_first_row(r->rows, part, parts);
  r->last = spmv_first_row(r->rows, part + 1, parts);
  return 0;
}

static int keep(reader *r, int64_t row, int64_t column, float value) {
  if (row < r->first || row >= r->last)
    return 0;
  if (r->count == r->capacity) {
    size_t capacity = r->capacity == 0 ? 1024 : 2 * r->capacity;
    entry *entries = realloc(r->entries, capacity * sizeof *entries);
    if (entries == NULL)
      return fail(r, r->line, "no memory for the entries");
    r->entries = entries;
    r->capacity = capacity;
  }
  r->entries[r->count++] =
      (entry){(int32_t)row, (int32_t)column, value, (uint32_t)r->line};
  return 0;
}

static int read_entry(reader *r) {
  const char *text = r->text;
  int64_t row, column;
  float value = 1;
  if (take_integer(r, &text, "row", 1, r->rows, &row) != 0 ||
      take_integer(r, &text, "column", 1, r->rows, &column) != 0)
    return 1;
  if (r->integer) {
    int64_t whole;
    if (take_integer(r, &text, "value", -INT64_C(1000000000000000),
                     INT64_C(1000000000000000), &whole) != 0)
      return 1;
    value = (float)whole;
  } else if (!r->pattern && take_real(r, &text, &value) != 0) {
    return 1;
  }
  if (!is_blank(text))
    return fail(r, r->line, "something follows the entry: \"%.40s\"", text);
  if (r->symmetry != GENERAL && column > row)
    return fail(r, r->line,
                "an entry above the diagonal of a %ssymmetric "
                "matrix",
                r->symmetry == SKEW ? "skew-" : "");
  if (r->symmetry == SKEW && column == row)
    return fail(r, r->line, "a diagonal entry in a skew-symmetric matrix");
  if (keep(r, row - 1, column - 1, value) != 0)
    return 1;
  if (r->symmetry == GENERAL || row == column)
    return 0;
  return keep(r, column - 1, row - 1, r->symmetry == SKEW ? -value : value);
}

static int read_entries(reader *r) {
  int64_t seen = 0;
  int status;
  while ((status = next_line(r)) == 0) {
    if (is_blank(r->text))
      continue;
    if (seen == r->promised)
      return fail(r, r->line, "more entries than the %lld promised",
                  (long long)r->promised);
    if (read_entry(r) != 0)
      return 1;
    seen++;
  }
  if (status > 0)
    return 1;
  if (seen < r->promised)
    return fail(r, r->line, "the file ends after %lld of %lld entries",
                (long long)seen, (long long)r->promised);
  return 0;
}

static int compare(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  if (x->column != y->column)
    return x->column < y->column ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

static int pack(reader *r, spmv_matrix *matrix_p) {
  spmv_matrix m = {.total = r->rows, .first = r->first, .last = r->last};
  int32_t rows = (int32_t)(r->last - r->first);
  if (r->count > 0)
    qsort(r->entries, r->count, sizeof *r->entries, compare);
  for (size_t i = 1; i < r->count; i++) {
    const entry *e = r->entries + i;
    const int mirrored = r->symmetry != GENERAL && e->row < e->column;
    if (e[-1].row == e->row && e[-1].column == e->column)
      return fail(r, e->line, "entry (%d, %d) was given in line %u already",
                  (mirrored ? e->column : e->row) + 1,
                  (mirrored ? e->row : e->column) + 1, e[-1].line);
  }
  if (spmv_csr_alloc(&m.csr, rows, (int64_t)r->count) != 0)
    return fail(r, r->line, "no memory for %d rows", (int)rows);
  for (size_t i = 0; i < r->count; i++) {
    const entry *e = r->entries + i;
    m.csr.start[e->row - r->first + 1]++;
    m.csr.column[i] = e->column;
    m.csr.value[i] = e->value;
  }
  for (int32_t i = 0; i < rows; i++)
    m.csr.start[i + 1] += m.csr.start[i];
  *matrix_p = m;
  return 0;
}

int spmv_market_parse(FILE *file, const char *name, int part, int parts,
                      spmv_matrix *matrix_p, char *message, size_t size) {
  reader *r = calloc(1, sizeof *r);
  if (r == NULL) {
    snprintf(message, size, "%s: no memory", name);
    return 1;
  }
  r->file = file;
  r->name = name;
  r->message = message;
  r->size = size;
  int status = read_banner(r) || read_sizes(r, part, parts) ||
               read_entries(r) || pack(r, matrix_p);
  free(r->entries);
  free(r);
  return status;
}

int spmv_market_read(const char *path, int part, int parts,
                     spmv_matrix *matrix_p, char *message, size_t size) {
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    snprintf(message, size, "%s: %s", path, strerror(errno));
    return 1;
  }
  int status =
      spmv_market_parse(file, path, part, parts, matrix_p, message, size);
  fclose(file);
  return status;
}
