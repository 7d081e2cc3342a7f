/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base-status.h - one table of status codes: name, exit code, text.
 */
#ifndef CAIRN_BASE_STATUS_H
#define CAIRN_BASE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define CAIRN_API __attribute__((visibility("default")))
#define CAIRN_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define CAIRN_MUST_USE __attribute__((warn_unused_result))
#else
#define CAIRN_API
#define CAIRN_PRINTF(f, a)
#define CAIRN_MUST_USE
#endif

/* X(name, exit code of the command, text).  The exit codes are documented in
 * cairn(1). */
#define CAIRN_BASE_STATUS_TABLE(X)                                             \
  X(OK, 0, "success")                                                          \
  X(FINDINGS, 1, "findings, or finished with nothing usable")                  \
  X(USAGE, 2, "wrong usage")                                                   \
  X(INPUT, 3, "bad input")                                                     \
  X(ENV, 4, "the environment (MPI, GPU, plugin) does not allow it")            \
  X(NOMEM, 4, "out of memory")                                                 \
  X(IO, 4, "input or output error")                                            \
  X(INTERNAL, 4, "internal error, please report it")                           \
  X(FAILED, 5, "some schedules failed")                                        \
  X(RESUMABLE, 75, "stopped, resumable")                                       \
  X(INTERRUPTED, 130, "interrupted")                                           \
  X(TERMINATED, 143, "terminated")                                             \
  X(EXHAUSTED, 0, "nothing is left to do")

typedef enum cairn_status {
#define CAIRN_BASE_STATUS_ENUM(name, exit_code, text) CAIRN_##name,
  CAIRN_BASE_STATUS_TABLE(CAIRN_BASE_STATUS_ENUM)
#undef CAIRN_BASE_STATUS_ENUM
} cairn_status;

/* Text of a status; "unknown status" for a value outside the table. */
CAIRN_API const char *cairn_base_status_text(cairn_status status);

/* Exit code of the command for a status (0..143). */
CAIRN_API int cairn_base_status_exit_code(cairn_status status);

#ifdef __cplusplus
}
#endif
#endif
