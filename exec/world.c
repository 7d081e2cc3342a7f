/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/world.c - agreement: what one rank knows, all ranks learn.
 */
#include "exec/comm-private.h"
#include "exec/world-private.h"
#include <cairn/exec.h>

#include <stdio.h>
#include <string.h>

#define MESSAGE_BYTES 1024

/* The text of the first error. */
static void first_error(const cairn_base_diag *diag, char *text, size_t size) {
  const size_t count = diag ? cairn_base_diag_count(diag) : 0;
  text[0] = '\0';
  for (size_t i = 0; i < count; i++) {
    const cairn_base_message *message = cairn_base_diag_get(diag, i);
    if (message->severity != CAIRN_BASE_ERROR)
      continue;
    if (message->file && message->line)
      snprintf(text, size, "%s:%zu: %s", message->file, message->line,
               message->text);
    else
      snprintf(text, size, "%s", message->text);
    return;
  }
}

cairn_status cairn_exec_world_agree(cairn_exec_world *world,
                                    cairn_status status,
                                    cairn_base_diag *diag) {
  const int rank = cairn_exec_world_rank(world);
  const int size = cairn_exec_world_size(world);
  if (size == 1)
    return status;
  /* the second value is largest for the lowest failing rank */
  int64_t worst[2] = {(int64_t)status, status ? size - rank : 0};
  const cairn_status sent = cairn_exec__comm_max(world, worst, 2);
  if (sent)
    return sent;
  if (worst[0] == CAIRN_OK)
    return CAIRN_OK;
  const int guilty = size - (int)worst[1];
  char text[MESSAGE_BYTES];
  first_error(diag, text, sizeof text);
  const cairn_status told =
      cairn_exec__comm_bcast(world, text, sizeof text, guilty);
  if (told)
    return told;
  if (rank == 0 && diag && cairn_base_diag_errors(diag) == 0 && text[0])
    cairn_base_diag_error(diag, "rank %d: %s", guilty, text);
  return (cairn_status)worst[0];
}

cairn_status cairn_exec__world_share(cairn_exec_world *world, char **data_p,
                                     size_t *length_p) {
  const int root = cairn_exec_world_rank(world) == 0;
  uint64_t length = root ? *length_p : 0;
  char *data = root ? *data_p : NULL;
  cairn_status status =
      cairn_exec__comm_bcast(world, &length, sizeof length, 0);
  if (status)
    return status;
  if (!root)
    data = cairn_base_alloc((size_t)length + 1, 1);
  status = cairn_exec_world_agree(world, data ? CAIRN_OK : CAIRN_NOMEM, NULL);
  if (status == CAIRN_OK)
    status = cairn_exec__comm_bcast(world, data, (size_t)length, 0);
  if (status) {
    if (!root)
      cairn_base_free(data);
    return status;
  }
  if (!root) {
    data[length] = '\0';
    *data_p = data;
    *length_p = (size_t)length;
  }
  return CAIRN_OK;
}
