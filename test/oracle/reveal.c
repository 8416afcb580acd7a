/*
 * reveal - a builtin, loaded into bash, that tells which simple commands bash finds in a text. It runs none of them.
 *
 * Every text is handed to parse_and_execute(), the routine behind `bash -c`. The two functions that would execute a parsed
 * tree begin with a jump to ours, which writes the tree down. Words with expansions are then given to bash's own
 * expander in a child process: it parses each substitution it finds there, and those trees end in the same place.
 *
 * stdin, for each text:   <bytes>\n<text>
 * stdout, for each text:  {"valid":…,"failed":…,"end":"all|late|many|long","found":[{"at":…,"words":[…],"redirects":[…]},…]}\n
 *   valid   whether bash's parser takes the whole text, as `bash -n -c` tells; except that an error inside `[[ ]]` makes it
 *           invalid here, where bash runs nothing of the line and yet exits 0
 *   failed  whether bash gave up on a word at least once (`${x y}`, `${x?}`), so that there may be more in the text
 *   end     whether everything was seen: `late` time ran out, `many` too many forks, `long` an entry too long to pass on
 *   at      "" at the top, else /WORD.TRY of every word it stands in: a word is expanded several times, with other
 *           variables set, because `${x:-$(a)}` and `${x:+$(b)}` never run both of theirs
 *   a word  [as written, with bash's quote removal]; a redirect is an operator before such a pair
 */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "loadables.h"
#include "bashjmp.h"
#include "execute_cmd.h"
#include "externs.h"
#include "variables.h"

enum { REPORT_FD = 240, FORKS = 3000, NAMES = 12, TRIES_ALL = 3, MILLISECONDS = 10000, MESSAGE = 1 << 17 };

extern int read_but_dont_execute, disallow_filename_globbing;

static struct { int forks, words, lost, failed; } *shared; /* with all descendants of a text */
static char place[4096];

/* ---- JSON ---- */

struct text { char *bytes; size_t length, room; };

static void add(struct text *to, const char *bytes, size_t length) {
  if (to->length + length + 1 > to->room) to->bytes = xrealloc(to->bytes, to->room = 2 * (to->length + length + 1));
  memcpy(to->bytes + to->length, bytes, length);
  to->bytes[to->length += length] = 0;
}

static void add_plain(struct text *to, const char *bytes) { add(to, bytes, strlen(bytes)); }

static void add_string(struct text *to, const char *string) {
  add_plain(to, "\"");
  for (; string && *string; string++) {
    char escaped[8];
    unsigned char c = *string;
    if (c == '"' || c == '\\' || c < ' ') {
      snprintf(escaped, sizeof escaped, "\\u%04x", c);
      add_plain(to, escaped);
    } else add(to, string, 1);
  }
  add_plain(to, "\"");
}

static void add_word(struct text *to, const char *word) {
  char *plain = string_quote_removal((char *)word, 0);
  add_string(to, word);
  add_plain(to, ",");
  add_string(to, plain);
  free(plain);
}

/* ---- expansion, in a child, under several sets of variables ---- */

enum way { ARGUMENT, ASSIGNMENT, WHOLE, TARGET, HEREDOC, HERESTRING, ARITHMETIC, TEST };

static void expand_now(WORD_DESC *word, enum way way) {
  int valid;
  WORD_LIST *list = make_word_list(copy_word(word), NULL);
  switch (way) {
  case ARGUMENT: expand_words(make_word_list(make_bare_word("x"), list)); break; /* not first: `a=1` is no assignment */
  case ASSIGNMENT: expand_words(list); break;
  case WHOLE: expand_word_unsplit(list->word, 0); break;
  case TARGET: expand_words_no_vars(list); break;
  case HEREDOC: expand_string_to_string(list->word->word, Q_HERE_DOCUMENT); break;
  case HERESTRING: expand_assignment_string_to_string(list->word->word, 0); break;
  case ARITHMETIC: evalexp(expand_arith_string(list->word->word, Q_DOUBLE_QUOTES | Q_ARITH), EXP_EXPANDED, &valid); break;
  case TEST: cond_expand_word(list->word, 0); break;
  }
}

/* The names behind `${`, whose being set or not may decide what runs. */
static int names_in(const char *s, char names[NAMES][64]) {
  int count = 0, known;
  for (s = strstr(s, "${"); s && count < NAMES; s = strstr(s, "${")) {
    s += 2;
    s += strspn(s, "!#");
    size_t length = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    if (length == 0 && (*s == '@' || *s == '*')) length = 1;
    if (length == 0 || length > 63) continue;
    snprintf(names[count], 64, "%.*s", (int)length, s);
    for (known = 0; known < count && strcmp(names[known], names[count]); known++) {}
    if (known == count && strcmp(names[count], "POSIXLY_CORRECT")) count++;
  }
  return count;
}

/* How many tries there are: every combination of few names; of many, none, all, each alone and all but each. */
static int tries_of(int count) { return count <= TRIES_ALL ? 1 << count : 2 + 2 * count; }

static int is_set(int try, int name, int count) {
  if (count <= TRIES_ALL) return try >> name & 1;
  if (try < 2) return try;
  return (try - 2) % count == name ? try - 2 < count : try - 2 >= count;
}

static void set_name(char *name, int set) {
  if (strchr("@*123456789", name[0])) {
    WORD_LIST *three = NULL;
    for (int i = 0; set && i < 3; i++) three = make_word_list(make_bare_word("1"), three);
    remember_args(three, 1);
    return;
  }
  unbind_variable(name);
  for (int i = 0; set && i < 3; i++) bind_array_variable(name, i, "1", 0); /* so that ${a[1]+…} is set as well */
}

static void expand(WORD_DESC *word, enum way way) {
  char names[NAMES][64];
  sigset_t child, before;
  if (word == NULL || word->word == NULL || strpbrk(word->word, "$`<>") == NULL) return;
  int count = names_in(word->word, names), id = __sync_fetch_and_add(&shared->words, 1), status;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &before); /* bash's own reaper would take the child from us */
  for (int try = 0; try < tries_of(count) && __sync_sub_and_fetch(&shared->forks, 1) > 0; try++) {
    pid_t pid = fork();
    if (pid == 0) {
      size_t used = strlen(place);
      sigprocmask(SIG_SETMASK, &before, NULL);
      snprintf(place + used, sizeof place - used, "/%d.%d", id, try);
      for (int i = 0; i < count; i++) set_name(names[i], is_set(try, i, count));
      subshell_environment |= SUBSHELL_COMSUB;
      last_command_exit_value = 0;
      if (setjmp_nosigs(top_level)) _exit(1);
      expand_now(word, way);
      _exit(last_command_exit_value != 0); /* what cannot be parsed in there: all else succeeds, for nothing is run */
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    if (pid > 0 && status != 0) shared->failed = 1;
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
}

static void expand_each(WORD_LIST *list, enum way way) {
  for (; list; list = list->next) expand(list->word, way);
}

/* ---- what is written down of a tree ---- */

static const char *operator_of(REDIRECT *redirect) {
  switch (redirect->instruction) {
  case r_output_direction: return ">";
  case r_output_force: return ">|";
  case r_appending_to: return ">>";
  case r_err_and_out: return "&>";
  case r_append_err_and_out: return "&>>";
  case r_input_direction: case r_inputa_direction: return "<";
  case r_input_output: return "<>";
  case r_reading_string: return "<<<";
  case r_reading_until: case r_deblank_reading_until: return "<<";
  case r_duplicating_output_word: return ">&";
  case r_duplicating_input_word: return "<&";
  case r_move_output_word: case r_move_input_word: return "move"; /* `>&$x-`: a descriptor, never a file */
  default: return ""; /* from one number to another, or closed: no word */
  }
}

static int is_heredoc(REDIRECT *redirect) { return strcmp(operator_of(redirect), "<<") == 0; }

static void write_down(WORD_LIST *words, REDIRECT *redirects) {
  struct text entry = {0};
  const char *comma = "";
  add_plain(&entry, "{\"at\":");
  add_string(&entry, place);
  add_plain(&entry, ",\"words\":[");
  for (; words; words = words->next, comma = ",") {
    add_plain(&entry, comma);
    add_plain(&entry, "[");
    add_word(&entry, words->word->word);
    add_plain(&entry, "]");
  }
  add_plain(&entry, "],\"redirects\":[");
  comma = "";
  for (; redirects; redirects = redirects->next) {
    if (*operator_of(redirects) == 0) continue;
    add_plain(&entry, comma);
    add_plain(&entry, "[");
    add_string(&entry, operator_of(redirects));
    add_plain(&entry, ",");
    add_word(&entry, is_heredoc(redirects) ? redirects->here_doc_eof : redirects->redirectee.filename->word);
    add_plain(&entry, "]");
    comma = ",";
  }
  add_plain(&entry, "]}");
  if (entry.length > MESSAGE || send(REPORT_FD, entry.bytes, entry.length, MSG_NOSIGNAL) < 0) shared->lost = 1;
  free(entry.bytes);
}

static void expand_redirects(REDIRECT *redirect) {
  for (; redirect; redirect = redirect->next) {
    if (redirect->rflags & REDIR_VARASSIGN) { /* {a[$(x)]}>f assigns to a[$(x)] */
      struct text assigned = {0};
      add_plain(&assigned, redirect->redirector.filename->word);
      add_plain(&assigned, "=1");
      WORD_DESC *word = make_bare_word(assigned.bytes);
      word->flags |= W_ASSIGNMENT;
      expand(word, ASSIGNMENT);
    }
    if (*operator_of(redirect) == 0) continue;
    WORD_DESC *target = redirect->redirectee.filename;
    if (!is_heredoc(redirect)) expand(target, redirect->instruction == r_reading_string ? HERESTRING : TARGET);
    else if (!(target->flags & W_QUOTED)) expand(target, HEREDOC);
  }
}

static void walk_simple(SIMPLE_COM *simple) {
  WORD_LIST *program = simple->words;
  while (program && program->word->flags & W_ASSIGNMENT) program = program->next;
  write_down(program, simple->redirects);
  for (WORD_LIST *list = simple->words; list != program; list = list->next) expand(list->word, ASSIGNMENT);
  for (; program; program = program->next)
    expand(program->word, program->word->flags & W_COMPASSIGN ? ASSIGNMENT : ARGUMENT); /* declare a=($(x)) */
  expand_redirects(simple->redirects);
}

static void walk_test(COND_COM *test) {
  if (test == NULL) return;
  if (test->type == COND_TERM) expand(test->op, TEST);
  walk_test(test->left);
  walk_test(test->right);
}

static void walk(COMMAND *tree) {
  if (tree == NULL) return;
  if (tree->type != cm_simple && tree->redirects) {
    write_down(NULL, tree->redirects);
    expand_redirects(tree->redirects);
  }
  switch (tree->type) {
  case cm_simple: walk_simple(tree->value.Simple); break;
  case cm_connection: walk(tree->value.Connection->first); walk(tree->value.Connection->second); break;
  case cm_if: walk(tree->value.If->test); walk(tree->value.If->true_case); walk(tree->value.If->false_case); break;
  case cm_while: case cm_until: walk(tree->value.While->test); walk(tree->value.While->action); break;
  case cm_for: expand_each(tree->value.For->map_list, TARGET); walk(tree->value.For->action); break;
  case cm_select: expand_each(tree->value.Select->map_list, TARGET); walk(tree->value.Select->action); break;
  case cm_case:
    expand(tree->value.Case->word, WHOLE);
    for (PATTERN_LIST *clause = tree->value.Case->clauses; clause; clause = clause->next) {
      expand_each(clause->patterns, WHOLE);
      walk(clause->action);
    }
    break;
  case cm_group: walk(tree->value.Group->command); break;
  case cm_subshell: walk(tree->value.Subshell->command); break;
  case cm_coproc: walk(tree->value.Coproc->command); break;
  case cm_function_def: walk(tree->value.Function_def->command); break;
  case cm_arith: expand_each(tree->value.Arith->exp, ARITHMETIC); break;
  case cm_arith_for:
    expand_each(tree->value.ArithFor->init, ARITHMETIC);
    expand_each(tree->value.ArithFor->test, ARITHMETIC);
    expand_each(tree->value.ArithFor->step, ARITHMETIC);
    walk(tree->value.ArithFor->action);
    break;
  case cm_cond: walk_test(tree->value.Cond); break;
  }
}

/* ---- in the place of bash's own ---- */

static int instead_of_execute(COMMAND *tree) {
  walk(tree);
  return EXECUTION_SUCCESS;
}

/* bash would read the file of `$(<file)` itself. So it goes the same way as all others. */
extern int can_optimize_cat_file(COMMAND *);
static int never(COMMAND *tree) { return 0; }

/* Writes a jump over the first bytes of a function of the running bash. */
static int redirect_function(void *from, void *to) {
  uintptr_t page = sysconf(_SC_PAGESIZE), start = (uintptr_t)from & ~(page - 1);
  if (mprotect((void *)start, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) < 0) return -1;
#if defined(__x86_64__)
  unsigned char jump[] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0}; /* mov rax, to; jmp rax */
  memcpy(jump + 2, &to, sizeof to);
#elif defined(__aarch64__)
  unsigned char jump[] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6, 0, 0, 0, 0, 0, 0, 0, 0}; /* ldr x16, .+8; br x16 */
  memcpy(jump + 8, &to, sizeof to);
#else
#error "reveal knows the jump of x86-64 and aarch64 only"
#endif
  memcpy(from, jump, sizeof jump);
  __builtin___clear_cache((char *)from, (char *)from + sizeof jump);
  return mprotect((void *)start, 2 * page, PROT_READ | PROT_EXEC);
}

/* ---- one text after the other ---- */

static pid_t parse_in_child(const char *text, int only_check, int report) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_UNBLOCK, &child, NULL);
  setpgid(0, 0);
  dup2(report, REPORT_FD);
  close(report);
  for (int fd = 0; fd < 3; fd++) dup2(open("/dev/null", O_RDWR), fd);
  read_but_dont_execute = only_check;
  if (setjmp_nosigs(top_level)) _exit(2);
  _exit(parse_and_execute(savestring(text), "reveal", SEVAL_NONINT | SEVAL_NOHIST | SEVAL_RESETLINE) ? 1 : 0);
}

static int is_valid(const char *text) {
  int status = 0;
  pid_t pid = parse_in_child(text, 1, STDERR_FILENO);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void reveal(const char *text, FILE *out) {
  static char message[MESSAGE];
  int ends[2];
  ssize_t length;
  const char *end = "all", *comma = "";
  fprintf(out, "{\"valid\":%s,\"found\":[", is_valid(text) ? "true" : "false");
  fflush(out);
  shared->forks = FORKS;
  shared->words = shared->lost = shared->failed = 0;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) < 0) exit(EXECUTION_FAILURE);
  pid_t pid = parse_in_child(text, 0, ends[1]);
  close(ends[1]);
  struct pollfd waiting = {ends[0], POLLIN, 0};
  for (;;) { /* the other end closes when the last descendant is gone */
    if (poll(&waiting, 1, MILLISECONDS) == 0) {
      end = "late";
      break;
    }
    if ((length = recv(ends[0], message, sizeof message, 0)) <= 0) break;
    fprintf(out, "%s%.*s", comma, (int)length, message);
    comma = ",";
  }
  kill(-pid, SIGKILL);
  close(ends[0]);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
  if (shared->forks <= 0) end = "many";
  if (shared->lost) end = "long";
  fprintf(out, "],\"failed\":%s,\"end\":\"%s\"}\n", shared->failed ? "true" : "false", end);
  fflush(out);
}

static int reveal_builtin(WORD_LIST *list) {
  size_t length;
  char newline;
  sigset_t child;
  FILE *in = fdopen(dup(0), "r"), *out = fdopen(dup(1), "w");
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (in == NULL || out == NULL || shared == MAP_FAILED || no_options(list)) return EXECUTION_FAILURE;
  disallow_filename_globbing = 1;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  if (redirect_function((void *)execute_command, (void *)instead_of_execute) < 0) return EXECUTION_FAILURE;
  if (redirect_function((void *)execute_command_internal, (void *)instead_of_execute) < 0) return EXECUTION_FAILURE;
  if (redirect_function((void *)can_optimize_cat_file, (void *)never) < 0) return EXECUTION_FAILURE;
  while (fscanf(in, "%zu%c", &length, &newline) == 2) {
    char *text = xmalloc(length + 1);
    text[fread(text, 1, length, in)] = 0;
    reveal(text, out);
    free(text);
  }
  _exit(0); /* this bash can execute nothing any more */
}

static char *documentation[] = {"Tell the simple commands of texts without running them.", NULL};
struct builtin reveal_struct = {"reveal", reveal_builtin, BUILTIN_ENABLED, documentation, "reveal <texts", 0};
