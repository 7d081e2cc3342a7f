/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/overhead-host.h - gives an emitted schedule (CAIRN_EMIT_HEADER) the
 * streams and events of backend host, called directly.
 */
#ifndef OVERHEAD_HOST_H
#define OVERHEAD_HOST_H

#include "exec/platform-private.h"
#include <cairn/exec.h>

typedef unsigned cudaStream_t;
typedef unsigned cudaEvent_t;

struct overhead_host {
  const cairn_exec_backend *backend;
  cairn_exec_platform *platform;
  unsigned streams, events;
};

#ifdef CAIRN_EMIT_HEADER
/* Set by bench/overhead before the schedule is opened.  The bench itself has
 * none of its own, which would be taken in the place of this one. */
__attribute__((visibility("default"))) struct overhead_host overhead_host;
#endif

#define LAUNCH(op, state, arg, stream)                                         \
  (__extension__({                                                             \
    static cairn_exec_call call_;                                              \
    call_ = (cairn_exec_call){(op), (state), (arg), 0};                        \
    overhead_host.backend->launch(overhead_host.platform, (stream), &call_);   \
  }))
#define cudaStreamCreateWithFlags(stream, flags)                               \
  ((*(stream) = overhead_host.streams++) * 0)
#define cudaEventCreateWithFlags(event, flags)                                 \
  ((*(event) = overhead_host.events++) * 0)
#define cudaEventRecord(event, stream)                                         \
  overhead_host.backend->record(overhead_host.platform, (event), (stream))
#define cudaEventSynchronize(event)                                            \
  overhead_host.backend->sync_event(overhead_host.platform, (event))
#define cudaStreamWaitEvent(stream, event, flags)                              \
  overhead_host.backend->wait_event(overhead_host.platform, (stream), (event))

#endif
