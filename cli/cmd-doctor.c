/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-doctor.c - `cairn doctor`: can this place run and time schedules?
 */
#include <cairn/exec.h>

#include "doctor.h"

static const char *const grade_name[] = {"ok", "note", "problem"};

static json_t *finding_json(const cairn_exec_finding *f) {
  return json_pack("{s:s, s:s, s:o, s:o}", "grade", grade_name[f->grade],
                   "topic", f->topic, "text", cairn_cli_json_text(f->text),
                   "fix", cairn_cli_json_text(f->fix));
}

static cairn_status print_json(const cairn_exec_finding *finding, size_t count,
                               size_t problems) {
  json_t *list = json_array();
  int failed = list == NULL;
  for (size_t i = 0; i < count && !failed; i++)
    failed = json_array_append_new(list, finding_json(finding + i)) != 0;
  json_t *object = failed
                       ? NULL
                       : json_pack("{s:i, s:I, s:O}", "schema", 1, "problems",
                                   (json_int_t)problems, "findings", list);
  json_decref(list);
  return cairn_cli_print_json(object);
}

static void print_text(const cairn_exec_finding *finding, size_t count,
                       size_t problems) {
  for (size_t i = 0; i < count; i++) {
    const cairn_exec_finding *f = finding + i;
    cairn_cli_print("%-8s %-9s", grade_name[f->grade], f->topic);
    cairn_cli_print_shown(" ", f->text, "\n");
    if (f->fix[0] != 0)
      cairn_cli_print_shown("                   -> ", f->fix, "\n");
  }
  if (problems == 0)
    puts("No problems found.");
  else
    cairn_cli_print("%zu problem%s found.\n", problems,
                    problems == 1 ? "" : "s");
}

static cairn_status print_findings(const cairn_exec_finding *finding,
                                   size_t count, int json) {
  size_t problems = 0;
  for (size_t i = 0; i < count; i++)
    problems += finding[i].grade == CAIRN_EXEC_PROBLEM;
  cairn_status status = CAIRN_OK;
  cairn_cli_told();
  if (json)
    status = print_json(finding, count, problems);
  else
    print_text(finding, count, problems);
  return status != CAIRN_OK ? status : problems > 0 ? CAIRN_ENV : CAIRN_OK;
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  cairn_cli_common common = {0};
  const cairn_cli_parser parser = {
      .doc = "Looks at launcher, MPI, GPUs, binding, clocks and shared memory "
             "and says what to fix.  Start it as the job will be started: "
             "mpiexec -n N cairn doctor.  Exit code 4 when there is a problem.",
      .common = &common};
  cairn_base_diag *diag = NULL;
  cairn_exec_world *world = NULL;
  cairn_exec_finding *finding = NULL;
  size_t count = 0;
  cairn_status status = cairn_cli_parse(self, &parser, argc, argv);
  if (status == CAIRN_OK)
    status = cairn_base_diag_create(0, &diag);
  if (status == CAIRN_OK) {
    cairn_exec_finding why[2];
    count = doctor_probe(why);
    if (count > 0 && cairn_cli_rank() == 0)
      print_findings(why, count, common.json);
    status = count > 0 ? CAIRN_ENV : CAIRN_OK;
  }
  if (status == CAIRN_OK)
    status = cairn_exec_world_open(NULL, diag, &world);
  if (status == CAIRN_OK)
    cairn_cli_set_rank(cairn_exec_world_rank(world));
  if (status == CAIRN_OK)
    status = cairn_exec_examine(world, &finding, &count);
  if (status == CAIRN_OK && cairn_cli_rank() == 0)
    status = print_findings(finding, count, common.json);
  if (world != NULL)
    status = cairn_exec_world_agree(world, status, diag);
  cairn_base_free(finding);
  cairn_exec_world_close(world);
  cairn_cli_say(diag, status);
  cairn_base_diag_free(diag);
  return status;
}

const cairn_cli_command cairn_cli_doctor = {
    .name = "doctor",
    .args = "",
    .summary = "check launcher, MPI, GPUs, binding and clocks",
    .run = run,
};
