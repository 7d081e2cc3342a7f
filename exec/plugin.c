/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/plugin.c - finding, loading and checking a plugin.
 *
 * Order of trust: the file is found in known folders only (beside the program
 * file, $CAIRN_PLUGIN_PATH, the installed folder; never the current one); its
 * one data symbol is read; magic, ABI, sizes and MPI flavour must fit before
 * any function of it is called.
 */
#include "dag/program/program-private.h"
#include "exec/exec-private.h"
#include "exec/world-private.h"
#include <cairn/exec.h>

#include <cairn-paths.h>

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- finding ---- */

typedef struct search {
  const char *file;      /* "spmv.so" */
  cairn_base_text tried; /* for the message */
  char found[PATH_MAX];
} search;

static int try_folder(search *s, const char *folder) {
  char path[PATH_MAX];
  if (folder[0] == '\0' ||
      snprintf(path, sizeof path, "%s/%s", folder, s->file) >= (int)sizeof path)
    return 0;
  if (access(path, R_OK) == 0 && realpath(path, s->found))
    return 1;
  cairn_base_text_addf(&s->tried, "%s%s", s->tried.length ? ", " : "", folder);
  return 0;
}

/* Beside the program file as it was named, then, if that is a symbolic link,
 * beside the file itself. */
static int try_beside(search *s, const char *program_path) {
  char named[PATH_MAX], real[PATH_MAX], folder[PATH_MAX];
  if (program_path == NULL || strlen(program_path) >= sizeof named)
    return 0;
  strcpy(named, program_path);
  if (try_folder(s, dirname(named)))
    return 1;
  return realpath(program_path, real) != NULL &&
         realpath(named, folder) != NULL &&
         strcmp(dirname(real), folder) != 0 && try_folder(s, real);
}

static int try_list(search *s, const char *list) {
  while (list && *list) {
    char folder[PATH_MAX];
    const size_t length = strcspn(list, ":");
    /* relative folders would depend on the current one */
    if (length < sizeof folder && list[0] == '/') {
      memcpy(folder, list, length);
      folder[length] = '\0';
      if (try_folder(s, folder))
        return 1;
    }
    list += length + (list[length] == ':');
  }
  return 0;
}

static cairn_status find(cairn_exec *exec, const char *library,
                         cairn_base_diag *diag) {
  char file[PATH_MAX];
  const size_t length = strlen(library);
  const int has_end = length > 3 && strcmp(library + length - 3, ".so") == 0;
  search s = {.file = file};
  if (snprintf(file, sizeof file, "%s%s", library, has_end ? "" : ".so") >=
      (int)sizeof file) {
    cairn_base_diag_error(diag, "the plugin's name is too long");
    return CAIRN_ENV;
  }
  int found;
  if (library[0] == '/')
    found = access(file, R_OK) == 0 && realpath(file, s.found) != NULL;
  else
    found = try_beside(&s, exec->options.program_path) ||
            try_list(&s, getenv("CAIRN_PLUGIN_PATH")) ||
            try_folder(&s, CAIRN_PLUGIN_DIR);
  cairn_status status = CAIRN_OK;
  if (found) {
    exec->library_path = cairn_base_strdup(s.found);
    status = exec->library_path ? CAIRN_OK : CAIRN_NOMEM;
  } else {
    cairn_base_diag_error(
        diag, "plugin %s not found%s%s; set CAIRN_PLUGIN_PATH to its folder",
        file, s.tried.length ? " in " : "", s.tried.data ? s.tried.data : "");
    status = CAIRN_ENV;
  }
  cairn_base_text_free(&s.tried);
  return status;
}

/* ---- loading ---- */

static cairn_status check(const cairn_op_plugin *plugin, const char *path,
                          cairn_base_diag *diag) {
  return cairn_exec__plugin_check(plugin, cairn_exec__world_flavour(), path,
                                  diag);
}

/* A library that it needs and that is not here is the machine's fault. */
static cairn_status open_library(cairn_exec *exec, cairn_base_diag *diag) {
  const char *problem = cairn_exec__plugin_problem(exec->library_path);
  if (problem) {
    cairn_base_diag_error(diag, "cannot load the plugin: %s: %s",
                          exec->library_path, problem);
    return CAIRN_INPUT;
  }
  exec->library = dlopen(exec->library_path, RTLD_NOW | RTLD_LOCAL);
  if (exec->library)
    return CAIRN_OK;
  const char *why = dlerror();
  cairn_base_diag_error(diag, "cannot load the plugin: %s", why);
  return strstr(why, ": cannot open shared object file") ? CAIRN_ENV
                                                         : CAIRN_INPUT;
}

cairn_status cairn_exec__plugin_load(cairn_exec *exec, cairn_base_diag *diag) {
  exec->plugin = exec->options.plugin;
  if (exec->plugin)
    return check(exec->plugin, "the registered plugin", diag);
  const char *library = cairn_dag__program_plugin(exec->program);
  if (library == NULL) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, exec->options.program_path, 0,
                        "names no plugin, so it cannot be run: add <plugin "
                        "library=\"...\"/>");
    return CAIRN_INPUT;
  }
  cairn_status status = find(exec, library, diag);
  if (status == CAIRN_OK)
    status = open_library(exec, diag);
  if (status)
    return status;
  exec->plugin = dlsym(exec->library, "cairn_plugin");
  if (exec->plugin == NULL) {
    cairn_base_diag_error(diag, "%s: no symbol cairn_plugin",
                          exec->library_path);
    return CAIRN_INPUT;
  }
  return check(exec->plugin, exec->library_path, diag);
}

/* ---- ops ---- */

static const cairn_op_function *function_at(const cairn_op_plugin *plugin,
                                            size_t i) {
  const char *base = (const char *)(const void *)plugin->ops;
  return (const cairn_op_function *)(const void *)(base + i * plugin->op_size);
}

static const cairn_op_function *function_find(const cairn_op_plugin *plugin,
                                              const char *name) {
  for (size_t i = 0; i < plugin->ops_count; i++) {
    const cairn_op_function *function = function_at(plugin, i);
    if (function->name && function->run && strcmp(function->name, name) == 0)
      return function;
  }
  return NULL;
}

static void say_missing(const cairn_op_plugin *plugin, const cairn_dag_op *op,
                        cairn_base_diag *diag) {
  const char **names = cairn_base_zalloc(plugin->ops_count, sizeof *names);
  size_t count = 0;
  for (size_t i = 0; names && i < plugin->ops_count; i++)
    if (function_at(plugin, i)->name)
      names[count++] = function_at(plugin, i)->name;
  const char *near = cairn_base_text_nearest(op->call, names, count);
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                      "op %s calls %s, which plugin %s does not have%s%s%s",
                      op->name, op->call, plugin->name ? plugin->name : "",
                      near ? "; did you mean " : "", near ? near : "",
                      near ? "?" : "");
  cairn_base_free(names);
}

static const char *kind_name(int gpu) { return gpu ? "gpu" : "cpu"; }

static cairn_status resolve_op(cairn_exec *exec, unsigned id,
                               cairn_base_diag *diag) {
  const cairn_dag_op *op = cairn_dag_program_op(exec->program, id);
  const cairn_op_function *function = function_find(exec->plugin, op->call);
  if (function == NULL) {
    say_missing(exec->plugin, op, diag);
    return CAIRN_INPUT;
  }
  const int gpu = op->kind == CAIRN_DAG_GPU;
  if (gpu != (function->kind == CAIRN_OP_GPU)) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                        "op %s is a %s op here and a %s op in plugin %s",
                        op->name, kind_name(gpu), kind_name(!gpu),
                        exec->plugin->name ? exec->plugin->name : "");
    return CAIRN_INPUT;
  }
  exec->op[id] = (cairn_exec_call){
      .run = function->run, .state = exec->state, .arg = op->arg};
  return CAIRN_OK;
}

cairn_status cairn_exec__plugin_resolve(cairn_exec *exec,
                                        cairn_base_diag *diag) {
  const unsigned ops = cairn_dag_program_ops(exec->program);
  cairn_status status = CAIRN_OK;
  exec->op = cairn_base_zalloc(ops, sizeof *exec->op);
  if (exec->op == NULL)
    return CAIRN_NOMEM;
  for (unsigned id = 1; id + 1 < ops; id++) {
    const cairn_status one = resolve_op(exec, id, diag);
    status = one ? one : status;
  }
  return status;
}

/* ---- setup ---- */

static cairn_status call_setup(cairn_exec *exec, int gpu_aware,
                               const cairn_op_params *params,
                               cairn_base_diag *diag) {
  char message[512] = "";
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_SETUP,
                    (uint64_t)(exec->options.setup_s * 1e9));
  cairn_exec__inject_at(exec, "%setup");
  const int code =
      exec->plugin->setup(params, cairn_exec__comm_user(exec->world), gpu_aware,
                          &exec->state, message, sizeof message);
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_OPEN,
                    (uint64_t)(exec->options.setup_s * 1e9));
  message[sizeof message - 1] = '\0';
  if (code == 0)
    return CAIRN_OK;
  cairn_base_diag_error(diag, "plugin %s: setup failed: %s",
                        exec->plugin->name ? exec->plugin->name : "",
                        message[0] ? message : "no reason given");
  return code == CAIRN_OP_BAD_INPUT ? CAIRN_INPUT : CAIRN_ENV;
}

cairn_status cairn_exec__plugin_setup(cairn_exec *exec, int gpu_aware,
                                      cairn_base_diag *diag) {
  size_t count;
  const cairn_dag_param *param =
      cairn_dag__program_params(exec->program, &count);
  const char **text = cairn_base_alloc(2 * count + 1, sizeof *text);
  if (text == NULL)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++) {
    text[i] = param[i].name;
    text[count + i] = param[i].value;
  }
  const cairn_op_params params = {text, text + count, count};
  const cairn_status status = call_setup(exec, gpu_aware, &params, diag);
  cairn_base_free(text);
  for (unsigned id = 0; id < cairn_dag_program_ops(exec->program); id++)
    exec->op[id].state = exec->state;
  return status;
}

void cairn_exec__plugin_unload(cairn_exec *exec) {
  if (exec->is_setup && exec->plugin->teardown) {
    cairn_exec__enter(exec, CAIRN_EXEC_PHASE_TEARDOWN,
                      (uint64_t)(exec->options.teardown_s * 1e9));
    cairn_exec__inject_at(exec, "%teardown");
    exec->plugin->teardown(exec->state);
    cairn_exec__enter(exec, CAIRN_EXEC_PHASE_IDLE, 0);
  }
  cairn_base_free(exec->op);
  cairn_base_free(exec->library_path);
  if (exec->library)
    dlclose(exec->library);
}
