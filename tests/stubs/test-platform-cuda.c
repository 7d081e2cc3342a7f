/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/stubs/test-platform-cuda.c - exec/platform-cuda.c on the fake runtime:
 * the calls it makes and their order, the choice of the device, and that every
 * failing call is reported and leaks nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem-private.h"
#include "cuda-fake.h"
#include "exec/devices-private.h"
#include "exec/platform-private.h"
#include <cairn/exec.h>

static const cairn_exec_backend *const cuda = &cairn_exec__backend_cuda;

static cairn_exec_fault fault;

static cairn_exec_platform_config config_for(int local_rank) {
  return (cairn_exec_platform_config){
      .place = {.rank = local_rank,
                .ranks = 4,
                .local_rank = local_rank,
                .local_ranks = 4},
      .streams = 2,
      .events = 3,
      .items = 4,
      .spare_cores = 1,
      .fault = &fault,
  };
}

static int op_result;
static int op(void *state, const char *arg, void *stream) {
  (void)arg;
  *(void **)state = stream;
  return op_result;
}

static cairn_exec_platform *make(int local_rank) {
  cairn_exec_platform_config config = config_for(local_rank);
  cairn_exec_platform *platform = NULL;
  assert_int_equal(cuda->create(&config, NULL, &platform), CAIRN_OK);
  return platform;
}

static void test_calls(void **state) {
  void *seen = NULL;
  (void)state;
  cuda_fake_reset(4);
  cairn_exec_platform *p = make(0);
  cairn_exec_call call = {op, &seen, NULL, 1};
  cuda_fake_clear_log();
  assert_int_equal(cuda->launch(p, 1, &call), 0);
  assert_non_null(seen); /* a real stream, never the default one */
  assert_int_equal(cuda->record(p, 2, 1), 0);
  assert_int_equal(cuda->wait_event(p, 0, 2), 0);
  assert_int_equal(cuda->launch(p, 0, &call), 0);
  assert_int_equal(cuda->sync_event(p, 2), 0);
  assert_int_equal(cuda->join(p), 0);
  assert_string_equal(cuda_fake_log(), "record(e2,s1) wait(s0,e2) sync(e2) "
                                       "join(s0) join(s1) ");
  cuda_fake_clear_log();
  assert_int_equal(cuda->launch(p, 1, &call), 0);
  assert_int_equal(cuda->join(p), 0);
  assert_string_equal(cuda_fake_log(), "join(s1) "); /* only those in use */
  assert_string_equal(cuda->device(p), "Fake 0");
  assert_string_equal(cuda->driver(p), "CUDA driver 13.0, runtime 12.8");
  cuda->destroy(p);
  assert_int_equal(cuda_fake_alive(), 0);
  assert_int_equal(cuda_fake_wrong(), 0);
}

static void test_fault(void **state) {
  void *seen;
  (void)state;
  cuda_fake_reset(1);
  cairn_exec_platform *p = make(0);
  cairn_exec_call call = {op, &seen, NULL, 3};
  fault.first = 0;
  op_result = 7;
  assert_int_equal(cuda->launch(p, 0, &call), 0);
  op_result = 0;
  assert_true(fault.first == (UINT64_C(4) << 32 | 7));
  cuda->destroy(p);
}

static void test_device(void **state) {
  (void)state;
  for (int rank = 0; rank < 4; rank++) {
    cuda_fake_reset(2);
    cuda->destroy(make(rank));
    assert_int_equal(cuda_fake_device(), rank % 2);
  }
  setenv("CAIRN_CUDA_DEVICE", "2,3,0,1", 1);
  for (int rank = 0; rank < 4; rank++) {
    cuda_fake_reset(4);
    cuda->destroy(make(rank));
    assert_int_equal(cuda_fake_device(), (rank + 2) % 4);
  }
  setenv("CAIRN_CUDA_DEVICE", "1", 1);
  cuda->destroy(make(3));
  assert_int_equal(cuda_fake_device(), 1);
  const char *bad[] = {"4", "-1", "x", "1;2", "1,,2", "0x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    cairn_exec_platform_config config = config_for(1);
    cairn_exec_platform *platform;
    setenv("CAIRN_CUDA_DEVICE", bad[i], 1);
    assert_int_equal(cuda->create(&config, NULL, &platform), CAIRN_ENV);
  }
  unsetenv("CAIRN_CUDA_DEVICE");
}

/* Can the ranks from `rank` on get a near device each, none shared? */
static int can_match(const uint8_t *near, int ranks, int devices, int rank,
                     unsigned used) {
  if (rank == ranks)
    return 1;
  for (int d = 0; d < devices; d++)
    if (near[rank * devices + d] && !(used & 1u << d) &&
        can_match(near, ranks, devices, rank + 1, used | 1u << d))
      return 1;
  return 0;
}

static void check_assigned(const uint8_t *near, int ranks, int devices) {
  int device[4], load[4], shared = 0;
  unsigned used = 0;
  cairn_exec__assign_devices(near, ranks, devices, device, load);
  for (int r = 0; r < ranks; r++) {
    assert_true(device[r] >= 0 && device[r] < devices);
    assert_true(near[r * devices + device[r]]);
    shared |= (used >> device[r]) & 1u;
    used |= 1u << device[r];
  }
  assert_int_equal(shared, !can_match(near, ranks, devices, 0, 0));
}

/* Ranks bound to nested sets of CPUs: near one device of four (four ways), two
 * (two ways) or all.  All 7^4 hosts of four ranks, and of fewer. */
static void test_assign(void **state) {
  static const uint8_t sets[7][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0},
                                     {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1},
                                     {1, 1, 1, 1}};
  uint8_t near[16];
  int device[4], load[4];
  (void)state;
  for (int ranks = 1; ranks <= 4; ranks++)
    for (int code = 0; code < 7 * 7 * 7 * 7; code++) {
      int rest = code;
      for (int r = 0; r < ranks; r++, rest /= 7)
        memcpy(near + 4 * r, sets[rest % 7], 4);
      check_assigned(near, ranks, 4);
    }
  /* Nothing known: in turn. */
  memset(near, 0, sizeof near);
  cairn_exec__assign_devices(near, 4, 2, device, load);
  for (int r = 0; r < 4; r++)
    assert_int_equal(device[r], r % 2);
}

static void test_available(void **state) {
  char reason[200];
  cairn_exec_place place = {.ranks = 1, .local_ranks = 1};
  (void)state;
  cuda_fake_reset(0);
  assert_int_equal(cuda->available(&place, reason, sizeof reason), 0);
  assert_non_null(strstr(reason, "no CUDA device"));
  cuda_fake_reset(3);
  assert_int_equal(cuda->available(&place, reason, sizeof reason), 1);
  assert_string_equal(reason, "3 CUDA devices");
  assert_string_equal(getenv("CUDA_MODULE_LOADING"), "EAGER");
}

static void test_trace(void **state) {
  void *seen;
  cairn_exec_span spans[6] = {{0}};
  (void)state;
  cuda_fake_reset(1);
  cairn_exec_platform *p = make(0);
  assert_int_equal(cuda->reserve(p, 3, 6, NULL), CAIRN_OK);
  assert_int_equal(cuda->trace(p, spans), 0);
  for (uint32_t i = 0; i < 6; i += 2) {
    cairn_exec_call call = {op, &seen, NULL, i};
    assert_int_equal(cuda->launch(p, i & 1, &call), 0);
  }
  assert_int_equal(cuda->join(p), 0);
  assert_true(spans[0].start_s > 0 && spans[0].stop_s > spans[0].start_s);
  assert_true(spans[2].start_s > spans[0].stop_s);
  assert_true(spans[1].start_s == 0 && spans[4].stop_s > spans[4].start_s);
  assert_int_equal(cuda->trace(p, NULL), 0);
  cuda->destroy(p);
  assert_int_equal(cuda_fake_alive(), 0);
  assert_int_equal(cuda_fake_wrong(), 0);
}

/* Everything once; 0 when all went well. */
static int everything(char *text, size_t size) {
  void *seen;
  cairn_exec_platform_config config = config_for(0);
  cairn_exec_platform *p = NULL;
  cairn_exec_span spans[4];
  cairn_exec_call call = {op, &seen, NULL, 1};
  if (cuda->create(&config, NULL, &p) != CAIRN_OK)
    return snprintf(text, size, "in create: ");
  int code = 0;
  cairn_status status = cuda->reserve(p, 5, 4, NULL);
  if (status == CAIRN_OK && (code = cuda->trace(p, spans)) == 0 &&
      (code = cuda->launch(p, 1, &call)) == 0 &&
      (code = cuda->record(p, 1, 1)) == 0 &&
      (code = cuda->wait_event(p, 0, 1)) == 0 &&
      (code = cuda->sync_event(p, 1)) == 0)
    code = cuda->join(p);
  if (code != 0)
    cuda->error_text(p, code, text, size);
  cuda->destroy(p);
  return status != CAIRN_OK || code != 0;
}

static void test_failures(void **state) {
  char text[200] = "";
  (void)state;
  setenv("CAIRN_CUDA_DEVICE", "0", 1); /* saves reading the topology */
  cuda_fake_reset(2);
  assert_int_equal(everything(text, sizeof text), 0);
  int calls = cuda_fake_calls(), reported = 0;
  assert_true(calls > 20);
  for (int n = 1; n <= calls; n++) {
    cuda_fake_reset(2);
    cuda_fake_fail(n, 1);
    text[0] = 0;
    int failed = everything(text, sizeof text);
    reported += failed;
    if (failed && strstr(text, "in create") == NULL && text[0] != 0)
      assert_non_null(strstr(text, ": cudaErrorIllegalAddress: "));
    cuda_fake_fail(0, 0);
    assert_int_equal(cuda_fake_alive(), 0);
    assert_int_equal(cuda_fake_wrong(), 0);
  }
  /* Only calls made while freeing go unreported. */
  assert_true(reported >= calls - 16);
}

static void test_fatal(void **state) {
  (void)state;
  cuda_fake_reset(1);
  cairn_exec_platform *p = make(0);
  cuda_fake_fail(1, 0);
  int code = cuda->sync_event(p, 0);
  assert_int_equal(code, 700);
  assert_int_equal(cuda->error_fatal(p, code), 0); /* gone once read */
  cuda_fake_fail(1, 1);
  code = cuda->sync_event(p, 0);
  assert_int_equal(cuda->error_fatal(p, code), 1); /* still there */
  cuda_fake_fail(0, 0);
  cuda->destroy(p);
}

static void test_memory(void **state) {
  char text[200];
  (void)state;
  setenv("CAIRN_CUDA_DEVICE", "0", 1);
  for (size_t n = 1; n < 8; n++) {
    cuda_fake_reset(2);
    cairn_base__mem_fail(n, 0);
    (void)everything(text, sizeof text);
    cairn_base__mem_fail(0, 0);
    assert_int_equal(cuda_fake_alive(), 0);
    assert_int_equal(cuda_fake_wrong(), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_calls),     cmocka_unit_test(test_fault),
      cmocka_unit_test(test_device),    cmocka_unit_test(test_assign),
      cmocka_unit_test(test_available), cmocka_unit_test(test_trace),
      cmocka_unit_test(test_failures),  cmocka_unit_test(test_fatal),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
