/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/ring-program.c - the program of ring.h, built without a file.
 */
#include "dag/program/program-private.h"
#include "ring.h"
#include <cairn/dag.h>

extern const cairn_op_plugin cairn_plugin;

const cairn_op_plugin *ring_plugin(void) { return &cairn_plugin; }

static const char *const send_name[] = {"send"};
static const char *const recv_name[] = {"recv"};
static const char *const both[] = {"recv", "send"};

static const cairn_dag_op ops[] = {
    {.name = "fill", .kind = CAIRN_DAG_GPU},
    {.name = "other", .kind = CAIRN_DAG_GPU},
    {.name = "PostRecv", .posts = {recv_name, 1}, .from = {send_name, 1}},
    {.name = "PostSend", .posts = {send_name, 1}},
    {.name = "Wait", .waits = {both, 2}},
    {.name = "add", .kind = CAIRN_DAG_GPU}};

static const struct {
  unsigned before, after;
} edges[] = {{1, 4}, {3, 5}, {4, 5}, {5, 6}, {2, 6}};

static cairn_status build(cairn_dag_program *program, unsigned streams) {
  cairn_status status = cairn_dag_program_set_streams(program, streams);
  for (size_t i = 0; i < sizeof ops / sizeof *ops && !status; i++) {
    unsigned id;
    status = cairn_dag_program_add_op(program, ops + i, NULL, &id);
  }
  for (size_t i = 0; i < sizeof edges / sizeof *edges && !status; i++)
    status = cairn_dag_program_add_edge(program, edges[i].before,
                                        edges[i].after, NULL);
  if (!status)
    status = cairn_dag__program_add_param(program, "delay", "0", NULL);
  if (!status)
    status = cairn_dag__program_add_param(program, "fail", "-1", NULL);
  return status ? status : cairn_dag_program_seal(program, NULL);
}

cairn_dag_program *ring_program(unsigned streams) {
  cairn_dag_program *program;
  if (cairn_dag_program_create("ring", &program))
    return NULL;
  if (build(program, streams)) {
    cairn_dag_program_free(program);
    return NULL;
  }
  return program;
}
