/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/stubs/test-nvml.c - clocks and their reasons, read from a management
 * library that says what the test wants.  The bits are NVML's documented ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <cairn/base.h>
#include <cairn/exec.h>

#include "base/mem-private.h"
#include "exec/nvml-private.h"

typedef struct fake_state { /* as in nvml-fake.c */
  int init_error, clock_error, reasons_error;
  unsigned mhz, max_mhz;
  unsigned long long reasons;
  int open;
} fake_state;

static const char *const BUS = "0000:18:00.0";
static fake_state *fake;
static void *library;

static int load_fake(void **state) {
  const char *build = getenv("top_builddir");
  char path[4096];
  fake_state *(*get)(void) = NULL;
  (void)state;
  snprintf(path, sizeof path, "%s/tests/stubs/libnvidia-ml.so.1",
           build != NULL ? build : ".");
  library = dlopen(path, RTLD_NOW);
  if (library != NULL)
    *(void **)&get = dlsym(library, "fake_nvml");
  if (get == NULL)
    return -1;
  fake = get();
  return 0;
}

static int unload_fake(void **state) {
  (void)state;
  return dlclose(library);
}

static int reset(void **state) {
  (void)state;
  *fake = (fake_state){.mhz = 1755, .max_mhz = 1980, .reasons = 4};
  return 0;
}

static void reads(void **state) {
  cairn_exec_nvml_state now;
  cairn_exec_nvml *n = cairn_exec__nvml_open(BUS);
  (void)state;
  assert_non_null(n);
  assert_int_equal(cairn_exec__nvml_read(n, &now), 1);
  assert_int_equal(now.mhz, 1755);
  assert_int_equal(now.max_mhz, 1980);
  assert_true(now.reasons == 4); /* power cap */
  fake->mhz = 345;
  fake->reasons = 1; /* idle */
  assert_int_equal(cairn_exec__nvml_read(n, &now), 1);
  assert_int_equal(now.mhz, 345);
  assert_true(now.reasons == 1);
  cairn_exec__nvml_close(n);
  assert_int_equal(fake->open, 0);
}

static void what_cannot_be_read(void **state) {
  cairn_exec_nvml_state now = {.mhz = 7};
  (void)state;
  assert_null(cairn_exec__nvml_open("0000:99:00.0"));
  assert_int_equal(fake->open, 0);
  fake->init_error = 9; /* NVML_ERROR_DRIVER_NOT_LOADED */
  assert_null(cairn_exec__nvml_open(BUS));
  assert_int_equal(fake->open, 0);
  fake->init_error = 0;
  cairn_exec_nvml *n = cairn_exec__nvml_open(BUS);
  fake->reasons_error = 1;
  assert_int_equal(cairn_exec__nvml_read(n, &now), 1);
  assert_int_equal(now.mhz, 1755);
  assert_true(now.reasons == 0);
  fake->clock_error = 1;
  now.mhz = 7;
  assert_int_equal(cairn_exec__nvml_read(n, &now), 0);
  assert_int_equal(now.mhz, 7); /* untouched */
  cairn_exec__nvml_close(n);
  cairn_exec__nvml_close(NULL);
  cairn_base__mem_fail(1, 0);
  assert_null(cairn_exec__nvml_open(BUS));
  cairn_base__mem_fail(0, 0);
}

/* Slower than it could be: power, heat; or below 75 % of the highest seen.
 * Idle, or a clock that somebody has set, is nobody's fault. */
static void throttled(void **state) {
  static const struct {
    unsigned mhz;
    uint64_t reasons;
    int bad;
  } look[] = {
      {345, 0x001, 0},  {1980, 0x000, 0}, {1980, 0x002, 0}, {1500, 0x000, 0},
      {1480, 0x000, 1}, {345, 0x001, 1},  {1980, 0x004, 1}, {1980, 0x008, 1},
      {1980, 0x020, 1}, {1980, 0x040, 1}, {1980, 0x080, 1}, {1980, 0x100, 0},
      {1980, 0x010, 0},
  };
  unsigned top = 0;
  (void)state;
  for (size_t i = 0; i < sizeof look / sizeof *look; i++)
    assert_int_equal(
        cairn_exec__nvml_throttled(&top, look[i].mhz, look[i].reasons),
        look[i].bad);
  assert_int_equal(top, 1980);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(reads, reset),
      cmocka_unit_test_setup(what_cannot_be_read, reset),
      cmocka_unit_test(throttled),
  };
  return cmocka_run_group_tests(tests, load_fake, unload_fake);
}
