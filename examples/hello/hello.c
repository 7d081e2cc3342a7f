/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hello.c - the smallest complete set of operations: copy it and change it.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cairn/op.h>

struct hello {
  size_t length;
  double left, right, sum;
};

static double series(size_t first, size_t last) { /* 1/(first+1)^2 + ... */
  double sum = 0;
  for (size_t i = first; i < last; i++)
    sum += 1 / ((double)(i + 1) * (double)(i + 1));
  return sum;
}

static int run_left(void *state, const char *arg, void *stream) {
  struct hello *h = state;
  (void)arg, (void)stream;
  h->left = series(0, h->length / 2);
  return 0;
}

static int run_right(void *state, const char *arg, void *stream) {
  struct hello *h = state;
  (void)arg, (void)stream;
  h->right = series(h->length / 2, h->length);
  return 0;
}

static int run_sum(void *state, const char *arg, void *stream) {
  struct hello *h = state;
  (void)arg, (void)stream;
  h->sum = h->left + h->right;
  return 0;
}

/* A whole number among the parameters; 0, or CAIRN_OP_BAD_INPUT with a
 * message. */
static int number(const cairn_op_params *params, const char *name,
                  unsigned long long most, size_t *value_p, char *message,
                  size_t size) {
  const char *text = cairn_op_param(params, name);
  char *end;
  if (text == NULL) /* not declared by this program: the default will do */
    return 0;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 ||
      value > most) {
    snprintf(message, size,
             "parameter %s is \"%s\": expected a whole number from 0 to %llu",
             name, text, most);
    return CAIRN_OP_BAD_INPUT;
  }
  *value_p = (size_t)value;
  return 0;
}

static int setup(const cairn_op_params *params, const void *comm, int gpu_aware,
                 void **state_p, char *message, size_t size) {
  struct hello *h = calloc(1, sizeof *h);
  int code = 1;
  (void)comm;
  if (h == NULL)
    snprintf(message, size, "no memory");
  else if (gpu_aware != CAIRN_OP_NO_GPU)
    snprintf(message, size, "hello has no GPU code: use --backend host");
  else {
    h->length = 100000;
    code = number(params, "length", 1000000000, &h->length, message, size);
  }
  if (code != 0) {
    free(h);
    return code;
  }
  *state_p = h;
  return 0;
}

static void poison(void *state) {
  struct hello *h = state;
  h->left = h->right = h->sum = NAN;
}

static int verify(void *state, char *message, size_t size) {
  const struct hello *h = state;
  double expected = series(0, h->length);
  snprintf(message, size, "sum is %.15g, expected %.15g", h->sum, expected);
  return !(fabs(h->sum - expected) < 1e-9);
}

static const cairn_op_function ops[] = {{"Left", CAIRN_OP_GPU, run_left},
                                        {"Right", CAIRN_OP_GPU, run_right},
                                        {"Sum", CAIRN_OP_CPU, run_sum}};

CAIRN_OP_EXPORT const cairn_op_plugin cairn_plugin = {CAIRN_OP_PLUGIN_HEAD,
                                                      "hello",
                                                      "1",
                                                      NULL,
                                                      setup,
                                                      free,
                                                      ops,
                                                      3,
                                                      poison,
                                                      verify};
